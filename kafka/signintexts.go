package kafka

import (
	"fmt"
	"strings"
	"time"
)

// Error names who was refused and with what.
func (e *SignInError) Error() string {
	switch {
	case e.Code == CodeUnsupportedMech && len(e.Offered) == 0:
		return fmt.Sprintf("the listener does not offer the SASL mechanism %s", e.Mechanism)
	case e.Code == CodeUnsupportedMech:
		return fmt.Sprintf("the listener does not offer the SASL mechanism %s; it offers %s", e.Mechanism, strings.Join(e.Offered, ", "))
	case e.TokenAuth:
		return fmt.Sprintf("the broker refuses the sign-in with token %s and %s", e.User, e.Mechanism)
	case e.Mechanism == MechanismOAuth && e.Status != "":
		return fmt.Sprintf("the broker refuses the OAuth token (%s)", e.Status)
	case e.Mechanism == MechanismOAuth:
		return "the broker refuses the OAuth token"
	case e.Mechanism == MechanismKerberos:
		return fmt.Sprintf("the broker refuses the Kerberos ticket of %s for %s", e.User, e.Service)
	}
	return fmt.Sprintf("the broker refuses the sign-in of user %s with %s", e.User, e.Mechanism)
}

// Hint lists the causes: brokers answer all of them alike.
func (e *SignInError) Hint() string {
	switch {
	case e.Code == CodeUnsupportedMech && e.TokenAuth:
		return "A token signs in with SCRAM: enable SCRAM-SHA-256 or SCRAM-SHA-512 on a SASL listener."
	case e.Code == CodeUnsupportedMech:
		return "Set sasl.mechanism to one that is offered."
	case e.TokenAuth:
		return "The broker does not say which: the token is unknown, expired and removed, or too new to be known to this broker yet; " +
			"the HMAC is another token's; or this broker has no, or another, delegation.token.secret.key."
	case e.Mechanism == MechanismPlain:
		return "The broker does not say which: the user is unknown, or the password is wrong."
	case e.Mechanism == MechanismOAuth:
		return "The broker does not say which: the token has expired, is from another issuer or for another audience than the listener expects, " +
			"is not signed by a key that the broker knows, or lacks the claim that names the user." + e.Claims.sentence()
	case e.Mechanism == MechanismKerberos:
		return "The broker does not say which: its keytab is not the KDC's latest for " + e.Service + ", its clock and this machine's differ by more than five minutes, " +
			"or it makes no user of " + e.User + " (sasl.kerberos.principal.to.local.rules)."
	}
	return "The broker does not say which: the user is unknown or has no credentials for " + e.Mechanism + ", or the password is wrong. " +
		"A delegation token also needs tokenauth=true."
}

// sentence says what the token says of itself, "" for nothing.
func (c Claims) sentence() string {
	if s := c.String(); s != "" {
		return " The token says of itself: " + s + "."
	}
	return ""
}

// String lists the claims for people, "" when there are none.
func (c Claims) String() string {
	var parts []string
	if c.Subject != "" {
		parts = append(parts, "subject "+c.Subject)
	}
	if c.Issuer != "" {
		parts = append(parts, "issuer "+c.Issuer)
	}
	if len(c.Audience) > 0 {
		parts = append(parts, "audience "+strings.Join(c.Audience, " "))
	}
	if !c.Expires.IsZero() {
		parts = append(parts, "expires "+c.Expires.Format(time.RFC3339))
	}
	return strings.Join(parts, ", ")
}

// Error says what there is not, and why.
func (e *SourceError) Error() string {
	if e.Mechanism == MechanismKerberos {
		return fmt.Sprintf("no Kerberos ticket to sign in with: %v", e.Err)
	}
	return fmt.Sprintf("no OAuth token to sign in with: %v", e.Err)
}

// Hint is that of the cause.
func (e *SourceError) Hint() string {
	if fault, ok := e.Err.(*FaultError); ok && fault.Fault == FaultSilent { //nolint:errorlint // the outermost cause counts
		if e.Mechanism == MechanismKerberos {
			return "Check that the KDC of krb5.conf can be reached from here."
		}
		return "Check that the token endpoint can be reached from here, and the proxy."
	}
	if h, ok := e.Err.(interface{ Hint() string }); ok {
		return h.Hint()
	}
	return ""
}
