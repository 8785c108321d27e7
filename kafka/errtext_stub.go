package kafka

func (e *SignInError) Error() string         { return "" }
func (e *RefusedError) Error() string        { return "" }
func (e *MismatchError) Error() string       { return "" }
func (e *GoneError) Error() string           { return "" }
func (e *OldBrokerError) Error() string      { return "" }
func (e *WrongOwnerError) Error() string     { return "" }
func (e *UnknownOutcomeError) Error() string { return "" }
func (e *ReadOnlyError) Error() string       { return "" }
func (e *OffError) Error() string            { return "" }
