package main

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dtok/audit"
	"dtok/kafka"
	"dtok/ui"
)

// screenFlags are about the screens, whichever cluster they show.
type screenFlags struct {
	user      string
	auditFile string
	readOnly  string
}

func (s *screenFlags) flags(f *pflag.FlagSet) {
	f.StringVarP(&s.user, "user", "u", "", "open this user's tokens at once")
	s.changeFlags(f)
}

// changeFlags are those that every command has that may change the cluster.
func (s *screenFlags) changeFlags(f *pflag.FlagSet) {
	f.StringVar(&s.auditFile, "audit-file", "",
		"`FILE` for the audit trail (default a file in $XDG_STATE_HOME/dtok, or ~/.local/state/dtok)")
	f.StringVar(&s.readOnly, "read-only", "", "allow no changes and show this `REASON`")
}

// check refuses a read-only session that does not say why: an empty reason
// would read as none, and changes would be allowed.
func (s *screenFlags) check(cmd *cobra.Command) error {
	if cmd.Flags().Changed("read-only") && strings.TrimSpace(s.readOnly) == "" {
		return wrongUsage(cmd, errors.New("--read-only needs a reason, for example --read-only \"change freeze\""))
	}
	return nil
}

// target is a cluster to open the screens on.
type target struct {
	// environment is the name in the header and in the audit trail.
	environment string
	// auditName is the trail's file name in its default folder.
	auditName string
	notes     []string
	settings  func() (kafka.Settings, error)
}

// open shows the screens on a cluster. A connection is made when they ask for
// one, and each goes through the same order: the audit trail first, so that it
// also records what a read-only environment refuses.
func (s screenFlags) open(t target) error {
	trail := s.trail(t)
	return show(ui.Options{
		Environment: t.environment,
		ReadOnly:    s.readOnly,
		User:        s.user,
		Notes:       t.notes,
		Connect: func(ctx context.Context) (ui.Broker, error) {
			return s.connect(ctx, t, trail)
		},
	}, trail)
}

func (s screenFlags) trail(t target) *audit.Trail {
	return audit.NewTrail(audit.Options{Path: s.auditFile, Name: t.auditName, Who: audit.Here(os.Getenv)})
}

func (s screenFlags) connect(ctx context.Context, t target, trail *audit.Trail) (ui.Broker, error) {
	settings, err := t.settings()
	if err != nil {
		return nil, err
	}
	if settings.SASL != nil {
		defer settings.SASL.Password.Destroy() // Dial keeps a copy
	}
	client, err := kafka.Dial(ctx, settings)
	if err != nil {
		return nil, err
	}
	return s.broker(client, trail, t.environment), nil
}
