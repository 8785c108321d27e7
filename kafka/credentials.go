package kafka

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/segmentio/kafka-go/sasl"
	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

// The SASL mechanisms that Dial speaks.
const (
	MechanismPlain       = "PLAIN"
	MechanismScramSHA256 = "SCRAM-SHA-256"
	MechanismScramSHA512 = "SCRAM-SHA-512"
	// MechanismOAuth is what Kafka calls sign-in with an OAuth 2 bearer token
	// (RFC 7628, Kafka 2.0 and later).
	MechanismOAuth = "OAUTHBEARER"
	// MechanismKerberos is what Kafka calls sign-in with Kerberos (RFC 4752).
	MechanismKerberos = "GSSAPI"
)

var mechanisms = strings.Join([]string{MechanismPlain, MechanismScramSHA256, MechanismScramSHA512, MechanismOAuth, MechanismKerberos}, ", ")

// Credentials are what a connection signs in with.
type Credentials struct {
	// Mechanism is PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER or GSSAPI.
	Mechanism string
	// User and Password are for PLAIN and SCRAM.
	User     string
	Password *Secret
	// TokenAuth marks a delegation token: User is its id and Password the
	// base64 text of its HMAC. SCRAM only.
	TokenAuth bool
	// OAuth gives the bearer tokens, for OAUTHBEARER.
	OAuth TokenSource
	// Extensions are sent beside the bearer token (RFC 7628 section 3.1,
	// KIP-342), for OAUTHBEARER. They are no secrets.
	Extensions map[string]string
	// Kerberos gives the tickets, for GSSAPI.
	Kerberos TicketSource
}

// byPassword reports whether User and Password are what counts.
func (c *Credentials) byPassword() bool {
	return c.Mechanism != MechanismOAuth && c.Mechanism != MechanismKerberos
}

// check refuses credentials that no broker can accept, before anything is
// dialled. Its errors name what is wrong and hold no part of the password.
func (c *Credentials) check() error {
	if c == nil {
		return errors.New("a user name and a password are needed for SASL")
	}
	switch c.Mechanism {
	case MechanismPlain, MechanismScramSHA256, MechanismScramSHA512:
		return c.checkPassword()
	case MechanismOAuth:
		if c.OAuth == nil {
			return errors.New("OAUTHBEARER needs a place to get its tokens from: a token endpoint or a file")
		}
		return checkExtensions(c.Extensions)
	case MechanismKerberos:
		if c.Kerberos == nil {
			return errors.New("GSSAPI needs a place to get its tickets from: a keytab or a ticket cache")
		}
		return nil
	case "":
		return errors.New("the SASL mechanism is missing: " + mechanisms)
	}
	return fmt.Errorf("the SASL mechanism %s is not supported; dtok speaks %s", c.Mechanism, mechanisms)
}

func (c *Credentials) checkPassword() error {
	nul := false
	c.Password.Use(func(b []byte) { nul = bytes.IndexByte(b, 0) >= 0 })
	switch {
	case c.User == "":
		return errors.New("the user name is empty")
	case c.Password.Len() == 0:
		return errors.New("the password is empty")
	case c.Mechanism == MechanismPlain && (nul || strings.IndexByte(c.User, 0) >= 0):
		// RFC 4616: NUL separates the fields of a PLAIN message.
		return errors.New("the user name or the password holds a NUL character, which PLAIN cannot carry")
	case c.Mechanism == MechanismPlain && c.TokenAuth:
		return errors.New("a delegation token signs in with SCRAM-SHA-256 or SCRAM-SHA-512, not with PLAIN")
	}
	return nil
}

// mechanism is the SASL mechanism for a sign-in at host. The libraries for
// PLAIN and SCRAM take the password as a string, which cannot be overwritten;
// it is made here, at the last moment, and not kept.
func (c *Credentials) mechanism(host string) sasl.Mechanism {
	switch c.Mechanism {
	case MechanismOAuth:
		return bearerMechanism{source: c.OAuth, extensions: c.Extensions}
	case MechanismKerberos:
		return ticketMechanism{source: c.Kerberos, host: host}
	}
	var password string
	c.Password.Use(func(b []byte) { password = string(b) })
	// No SASLprep anywhere: Kafka takes names and passwords as plain UTF-8
	// (ScramFormatter.normalize), and a prepared password would not match.
	auth := scram.Auth{User: c.User, Pass: password, IsToken: c.TokenAuth}
	switch c.Mechanism {
	case MechanismScramSHA256:
		return scramMechanism{auth.AsSha256Mechanism()}
	case MechanismScramSHA512:
		return scramMechanism{auth.AsSha512Mechanism()}
	}
	return plain.Mechanism{Username: c.User, Password: password}
}
