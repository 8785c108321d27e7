package raw

import (
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// The SASL mechanisms that this package can speak.
const (
	Plain       = "PLAIN"
	ScramSHA256 = "SCRAM-SHA-256"
	ScramSHA512 = "SCRAM-SHA-512"
)

// Credentials is what a client signs in with.
type Credentials struct {
	Mechanism string
	// User is a user name, or a token id.
	User string
	// Password is a password, or the base64 text of a token's HMAC.
	Password string
	// Token adds the SCRAM extension tokenauth=true (KIP-48).
	Token bool
}

// Refused is a broker's refusal of a sign-in.
type Refused struct {
	// Step counts the SaslAuthenticate requests; 0 is the SaslHandshake.
	Step int
	// Code and Text are the broker's.
	Code int16
	Text string
	// Mechanisms is what a SaslHandshake offers instead.
	Mechanisms []string
}

// Error tells the step, the code and the broker's text.
func (e *Refused) Error() string {
	return fmt.Sprintf("sign-in refused at step %d with code %d: %s", e.Step, e.Code, e.Text)
}

// Session is what a broker says about a connection that has signed in.
type Session struct {
	// LifetimeMillis is how long the session lasts; 0 is no limit, or a token
	// that is over already.
	LifetimeMillis int64
}

// SignIn does SaslHandshake v1 and as many SaslAuthenticate as the mechanism
// needs. On a connection that has signed in before, it
// re-authenticates (KIP-368). A refusal of the broker is a *Refused.
func (c *Conn) SignIn(cred Credentials) (Session, error) {
	if err := c.handshake(cred.Mechanism); err != nil {
		return Session{}, err
	}
	if cred.Mechanism == Plain {
		_, s, err := c.authenticate(1, []byte("\x00"+cred.User+"\x00"+cred.Password))
		return s, err
	}
	scram, err := newScram(cred)
	if err != nil {
		return Session{}, err
	}
	challenge, _, err := c.authenticate(1, scram.first())
	if err != nil {
		return Session{}, err
	}
	final, err := scram.final(challenge)
	if err != nil {
		return Session{}, err
	}
	verifier, s, err := c.authenticate(2, final)
	if err != nil {
		return Session{}, err
	}
	return s, scram.verify(verifier)
}

func (c *Conn) handshake(mechanism string) error {
	req := kmsg.NewPtrSASLHandshakeRequest()
	req.Version, req.Mechanism = 1, mechanism
	r, err := c.Do(req)
	if err != nil {
		return err
	}
	resp := r.(*kmsg.SASLHandshakeResponse)
	if resp.ErrorCode != 0 {
		return &Refused{Code: resp.ErrorCode, Mechanisms: resp.SupportedMechanisms}
	}
	return nil
}

func (c *Conn) authenticate(step int, message []byte) ([]byte, Session, error) {
	req := kmsg.NewPtrSASLAuthenticateRequest()
	req.Version, req.SASLAuthBytes = c.AuthenticateVersion, message
	r, err := c.Do(req)
	if err != nil {
		return nil, Session{}, err
	}
	resp := r.(*kmsg.SASLAuthenticateResponse)
	if resp.ErrorCode != 0 {
		refused := &Refused{Step: step, Code: resp.ErrorCode}
		if resp.ErrorMessage != nil {
			refused.Text = *resp.ErrorMessage
		}
		return nil, Session{}, refused
	}
	return resp.SASLAuthBytes, Session{LifetimeMillis: resp.SessionLifetimeMillis}, nil
}
