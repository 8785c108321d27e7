package kafka

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/segmentio/kafka-go/sasl"
)

// TokenSource gives OAuth bearer tokens. It is asked once for each sign-in and
// must not ask anybody twice by itself.
type TokenSource interface {
	// BearerToken gets a token; the caller destroys it. Its errors are whole
	// phrases that hold no part of a token or of a client's secret, and may
	// have a Hint.
	BearerToken(ctx context.Context) (*Secret, error)
}

// bearerMechanism is OAUTHBEARER (RFC 7628).
type bearerMechanism struct {
	source     TokenSource
	extensions map[string]string
}

func (bearerMechanism) Name() string { return MechanismOAuth }

// Start gets a token and makes the one message of section 3.1. It is made by
// hand because its bytes are cleared when it has been sent.
func (m bearerMechanism) Start(ctx context.Context) (sasl.StateMachine, []byte, error) {
	token, err := m.source.BearerToken(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer token.Destroy()
	state := &bearerState{}
	valid := false
	var extensions []byte
	for _, key := range slices.Sorted(maps.Keys(m.extensions)) {
		extensions = fmt.Appendf(extensions, "%s=%s\x01", key, m.extensions[key])
	}
	const before, after = "n,,\x01auth=Bearer ", "\x01"
	// Of the right size at once: growing would leave copies behind.
	message := make([]byte, 0, len(before)+token.Len()+len(after)+len(extensions)+1)
	token.Use(func(b []byte) {
		valid = bearerToken().Match(b)
		state.claims = ReadClaims(b)
		message = append(append(message, before...), b...)
	})
	if !valid {
		clear(message)
		return nil, nil, errors.New("what was given as a bearer token has characters that none can have (RFC 6750)")
	}
	message = append(append(append(message, after...), extensions...), '\x01')
	return state, message, nil
}

// bearerToken is the syntax of RFC 6750 section 2.1.
var bearerToken = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`) })

type bearerState struct {
	claims Claims
	// status is set once the broker has said what is wrong with the token.
	status string
}

// Next takes the broker's answer. An empty one is success; otherwise it is a
// JSON object with a code of 0 that says what is wrong, to which the client has
// to send one byte before the refusal proper comes (RFC 7628 section 3.2.3, as
// seen on Kafka 3.9 and 4.4).
func (s *bearerState) Next(_ context.Context, challenge []byte) (bool, []byte, error) {
	if s.status != "" {
		return false, nil, causeError{"the broker refuses the OAuth token (" + s.status + "), and goes on asking", nil}
	}
	if len(challenge) == 0 {
		return true, nil, nil
	}
	var answer struct{ Status string }
	s.status = "no reason given"
	if json.Unmarshal(challenge, &answer) == nil && statusWord().MatchString(answer.Status) {
		s.status = answer.Status
	}
	return false, []byte{1}, nil
}

// statusWord is what a status looks like; a broker's free text is not shown.
var statusWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`) })

func (s *bearerState) explain(e *SignInError) { e.Status, e.Claims = s.status, s.claims }

// extensionKey is the syntax of RFC 7628 section 3.1.
var extensionKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z]+$`) })

func checkExtensions(extensions map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(extensions)) {
		printable := func(r rune) bool { return r >= ' ' && r <= '~' || r == '\t' || r == '\r' || r == '\n' }
		switch {
		case key == "auth":
			return errors.New("an OAuth extension cannot be called auth: that is the token itself")
		case !extensionKey().MatchString(key):
			return fmt.Errorf("the OAuth extension %q has a name that is not made of letters alone", key)
		case bytes.ContainsFunc([]byte(extensions[key]), func(r rune) bool { return !printable(r) }):
			return fmt.Errorf("the value of the OAuth extension %s has characters that cannot be sent: only printable ASCII can", key)
		}
	}
	return nil
}
