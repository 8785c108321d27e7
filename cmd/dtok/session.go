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

// session is how a person works on a cluster, whichever it is.
type session struct {
	user      string
	auditFile string
	readOnly  string
}

func (s *session) flags(f *pflag.FlagSet) {
	f.StringVarP(&s.user, "user", "u", "", "open this user's tokens at once")
	f.StringVar(&s.auditFile, "audit-file", "",
		"`FILE` for the audit trail (default a file in $XDG_STATE_HOME/dtok, or ~/.local/state/dtok)")
	f.StringVar(&s.readOnly, "read-only", "", "allow no changes and show this `REASON`")
}

// check refuses a read-only session that does not say why: an empty reason
// would read as none, and changes would be allowed.
func (s *session) check(cmd *cobra.Command) error {
	if cmd.Flags().Changed("read-only") && strings.TrimSpace(s.readOnly) == "" {
		return wrongUsage(cmd, errors.New("--read-only needs a reason, for example --read-only \"change freeze\""))
	}
	return nil
}

// place is a cluster to open the screens on.
type place struct {
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
func (s session) open(p place) error {
	trail := audit.NewTrail(audit.Options{Path: s.auditFile, Name: p.auditName, Who: audit.Here(os.Getenv)})
	return show(ui.Options{
		Environment: p.environment,
		ReadOnly:    s.readOnly,
		User:        s.user,
		Notes:       p.notes,
		Connect: func(ctx context.Context) (ui.Broker, error) {
			settings, err := p.settings()
			if err != nil {
				return nil, err
			}
			client, err := kafka.Dial(ctx, settings)
			if err != nil {
				return nil, err
			}
			return s.broker(client, trail, p.environment), nil
		},
	}, trail)
}
