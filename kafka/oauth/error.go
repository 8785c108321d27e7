package oauth

// Error says in one phrase, without a capital and without any part of a secret
// or a token, why there is no token.
type Error struct {
	problem, hint string
	cause         error
}

// Error is the phrase.
func (e *Error) Error() string { return e.problem }

// Hint is what to do, "" when there is nothing to say.
func (e *Error) Hint() string { return e.hint }

// Unwrap gives the system's error, nil when there is none. It is not part of
// the text.
func (e *Error) Unwrap() error { return e.cause }
