package kafka

import (
	"context"

	"github.com/segmentio/kafka-go/sasl"
	franz "github.com/twmb/franz-go/pkg/sasl"
)

// scramMechanism puts franz-go's SCRAM, which knows tokenauth and does no
// SASLprep, behind kafka-go's interface.
type scramMechanism struct{ inner franz.Mechanism }

func (m scramMechanism) Name() string { return m.inner.Name() }

func (m scramMechanism) Start(ctx context.Context) (sasl.StateMachine, []byte, error) {
	session, first, err := m.inner.Authenticate(ctx, "")
	return &scramState{session: session}, first, err
}

type scramState struct {
	session franz.Session
	steps   int
}

// Next replaces the library's errors, which can quote what was exchanged.
func (s *scramState) Next(_ context.Context, challenge []byte) (bool, []byte, error) {
	s.steps++
	done, answer, err := s.session.Challenge(challenge)
	switch {
	case err != nil && s.steps == 1:
		return false, nil, causeError{"the broker's SCRAM challenge is not valid", nil}
	case err != nil:
		return false, nil, causeError{"the broker could not prove that it knows the password too (SCRAM)", nil}
	}
	return done, answer, nil
}
