package kafka

import "fmt"

// The texts of this package's errors are for people: what failed, why in
// Kafka's terms, and in the Hint what to do. Other programs and run books quote
// some of them, so TestTexts holds every letter and final sign.

// Error says that the HMAC is another token's.
func (e *MismatchError) Error() string {
	return "The HMAC given is not the HMAC of token " + e.TokenID
}

// Hint says that nothing happened.
func (e *MismatchError) Hint() string {
	return "Nothing was sent. Paste the HMAC that was shown when this token was created."
}

// Error says that the token is not there any more.
func (e *GoneError) Error() string {
	return "Token " + e.TokenID + " is no longer in the broker's list."
}

// Hint says that nothing happened.
func (e *GoneError) Hint() string {
	return "Nothing was sent. The token was removed, or this connection may no longer see it."
}

// Error says why nothing was sent.
func (e *OldBrokerError) Error() string {
	return fmt.Sprintf("Issuing a token for %s, another user than the connection's own, needs Kafka 3.3 or later%s.",
		e.Owner.Label(), detectedText(e.Version))
}

// Hint says what the broker would have done.
func (e *OldBrokerError) Hint() string {
	return "Nothing was sent: this broker would have made the token for the connection's own user, without an error."
}

// Error says who got the token and whether it still exists.
func (e *WrongOwnerError) Error() string {
	s := fmt.Sprintf("The cluster made token %s for %s although it was asked for %s", e.TokenID, e.Got, e.Asked)
	switch {
	case e.Expired:
		return s + "; the token was expired at once."
	case e.Unknown:
		return s + "; expiring it at once was sent and its outcome is unknown, so the token may still exist."
	}
	return s + "; expiring it at once failed, so the token still exists."
}

// Hint says what to do about a token that is left.
func (e *WrongOwnerError) Hint() string {
	switch {
	case e.Expired:
		return ""
	case e.Unknown:
		return "Read the list again. The token's HMAC was not kept: if it is still there, it ends at its expiry unless its owner or a renewer expires it."
	}
	return "Its HMAC was not kept. It ends at its expiry unless its owner or a renewer expires it."
}

// Error says that it may or may not have happened.
func (e *UnknownOutcomeError) Error() string {
	return fmt.Sprintf("The outcome of %q is unknown, it may or may not have happened: %v. dtok has not sent it again.", string(e.Op), e.Err)
}

// Hint says how to find out.
func (e *UnknownOutcomeError) Hint() string {
	if e.Op == OpCreateToken {
		return "Read the list again: a token that was made has an HMAC that nobody knows, and ends at its expiry."
	}
	return "Read the list again and compare."
}

// Error gives the environment's reason.
func (e *ReadOnlyError) Error() string {
	if e.Reason == "" {
		return "This environment is read-only."
	}
	return "This environment is read-only: " + e.Reason
}

// Hint says that nothing happened.
func (e *ReadOnlyError) Hint() string { return "Nothing was sent." }

// Error says which version is needed and which is there.
func (e *UnsupportedError) Error() string {
	switch {
	case !e.Offered && e.Needs == "":
		return fmt.Sprintf("The broker does not offer %s%s.", e.API, detectedText(e.Detected))
	case !e.Offered:
		return fmt.Sprintf("The broker does not offer %s, which needs Kafka %s or later%s.", e.API, e.Needs, detectedText(e.Detected))
	}
	return fmt.Sprintf("The broker is too new for %s: it needs v%d or later, and dtok speaks up to v%d%s.", e.API, e.BrokerMin, e.Max, detectedText(e.Detected))
}

// detectedText is " (detected: Kafka 3.5)", or "" when nothing was.
func detectedText(version string) string {
	if version == "" {
		return ""
	}
	return " (detected: " + version + ")"
}

// Hint says what to try, from what is known of the failure.
func (e *ConnectError) Hint() string {
	if h, ok := e.Err.(interface{ Hint() string }); ok && h.Hint() != "" {
		return h.Hint()
	}
	switch e.Stage {
	case "look up":
		return "Check the host name of the bootstrap address."
	case "connect":
		return "Check the host and the port of the bootstrap address."
	case "TLS":
		return "Check the protocol of the listener and the certificates."
	case "API versions":
		return "A TLS listener closes plaintext connections in this way; a port that is no Kafka listener may do the same."
	}
	return ""
}
