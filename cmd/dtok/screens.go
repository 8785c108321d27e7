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
	user         string
	auditFile    string
	auditMaxSize size
	auditReads   bool
	readOnly     string
}

func (s *screenFlags) flags(f *pflag.FlagSet) {
	f.StringVarP(&s.user, "user", "u", "", "open this user's tokens at once")
	f.StringVar(&s.auditFile, "audit-file", "",
		"`FILE` for the audit trail (default a file in $XDG_STATE_HOME/dtok, or ~/.local/state/dtok)")
	s.auditMaxSize = 64 << 20
	f.Var(&s.auditMaxSize, "audit-max-size", "begin a new file of the trail at this `SIZE`, such as 64M; 0 never does")
	f.BoolVar(&s.auditReads, "audit-reads", false, "record also which tokens were read")
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
	trail := audit.NewTrail(audit.Options{
		Path: s.auditFile, Name: t.auditName, MaxSize: int64(s.auditMaxSize), Who: audit.Here(os.Getenv),
	})
	return show(ui.Options{
		Environment: t.environment,
		ReadOnly:    s.readOnly,
		User:        s.user,
		Notes:       t.notes,
		Trail:       trailOf(trail.Path(), t.environment),
		Connect: func(ctx context.Context) (ui.Broker, error) {
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
		},
	}, trail)
}
