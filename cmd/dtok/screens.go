package main

import (
	"context"
	"errors"
	"os"
	"strconv"
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
	clearAfter   length
	accessible   bool
	// onlyReads is set by a command that changes nothing; it has records only
	// where the readings are to be recorded.
	onlyReads bool
	identify  kafka.Identify
	debug     *debugLog
}

func (s *screenFlags) flags(f *pflag.FlagSet) {
	f.StringVarP(&s.user, "user", "u", "", "open the tokens of the user `NAME` at once")
	s.auditFlags(f)
	s.readOnlyFlag(f)
	f.BoolVar(&s.accessible, "accessible", false, "screens for a screen reader (also with ACCESSIBLE set, or in the configuration file)")
	f.Var(&s.clearAfter, "clipboard-clear", "take a copied HMAC off the clipboard after this `LENGTH`, such as 60s, if it is still there (default never)")
}

func (s *screenFlags) auditFlags(f *pflag.FlagSet) {
	f.StringVar(&s.auditFile, "audit-file", "",
		"`FILE` for the audit trail (default a file in $XDG_STATE_HOME/dtok, or ~/.local/state/dtok)")
	s.auditMaxSize = 64 << 20
	f.Var(&s.auditMaxSize, "audit-max-size", "begin a new file of the trail at this `SIZE`, such as 64M; 0 never does")
	f.BoolVar(&s.auditReads, "audit-reads", false, "record also which tokens were read")
}

func (s *screenFlags) readOnlyFlag(f *pflag.FlagSet) {
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
	// shown is its name and what else the screens say of it; they connect by
	// settings.
	shown ui.Environment
	notes []string
	// accessible is what the configuration file says of all its environments.
	accessible bool
	// auditFile and auditReads are the environment's own; the flags go before.
	auditFile  string
	auditReads bool
	// settings are made for each dialling; password is what was asked for.
	settings func(ctx context.Context, password *kafka.Secret) (kafka.Settings, error)
}

// open shows the screens on clusters, the first one to begin with. auditName is
// the trail's file name in its default folder.
func (s screenFlags) open(auditName string, targets ...target) error {
	all := s.trails(auditName)
	o := ui.Options{User: s.user, Notes: targets[0].notes, Log: s.debug.Logger,
		Accessible: s.accessible || targets[0].accessible || askedAccessible(os.Getenv)}
	for _, t := range targets {
		o.Environments = append(o.Environments, s.environment(t, s.trailFor(t, all)))
	}
	return show(o, all, s.debug)
}

// askedAccessible reads ACCESSIBLE, by which terminal programs agree to be asked
// for it (so do the forms of charmbracelet/huh); 0 and false are no.
func askedAccessible(getenv func(string) string) bool {
	value := getenv("ACCESSIBLE")
	on, err := strconv.ParseBool(value)
	return on || err != nil && value != ""
}

// environment is a target as the screens use it. A connection is made when they
// ask for one, and each goes through the same order: the audit trail first, so
// that it also records what a read-only environment refuses.
func (s screenFlags) environment(t target, trail *audit.Trail) ui.Environment {
	e := t.shown
	if s.readOnly != "" {
		e.ReadOnly = s.readOnly
	}
	if s.clearAfter.Duration > 0 {
		e.ClipboardClear = s.clearAfter.Duration
	}
	e.Trail, e.TrailMark = trailOf(trail.Path(), e.Name), trailMark(trail.Path())
	e.Check = func(ctx context.Context, password *kafka.Secret) ([]string, error) {
		settings, err := t.settings(ctx, password)
		if err != nil {
			return nil, err
		}
		if settings.SASL != nil {
			defer settings.SASL.Password.Destroy()
		}
		var lines []string
		for _, step := range kafka.Check(ctx, settings, nil) {
			lines = append(lines, step.String())
		}
		return lines, nil
	}
	reads := s.auditReads || t.auditReads
	e.Connect = func(ctx context.Context, password *kafka.Secret) (ui.Broker, error) {
		settings, err := t.settings(ctx, password)
		if err != nil {
			return nil, err
		}
		if settings.SASL != nil {
			defer settings.SASL.Password.Destroy() // Dial keeps a copy
		}
		settings.OnlyReads, settings.Identify = s.onlyReads, s.identify
		if s.onlyReads && !reads {
			settings.Identify = kafka.IdentifyNever
		}
		client, err := kafka.Dial(ctx, settings)
		if err != nil {
			return nil, err
		}
		return newBroker(client, trail, e, reads), nil
	}
	return e
}

// trails are the audit trails; name is the default one's file in its folder, ""
// for that of real clusters.
func (s screenFlags) trails(name string) *trails {
	return &trails{make: func(path string) *audit.Trail {
		return audit.NewTrail(audit.Options{Path: path, Name: name, MaxSize: int64(s.auditMaxSize)})
	}}
}

// trailFor is the trail of a target. The flag goes before its own file.
func (s screenFlags) trailFor(t target, all *trails) *audit.Trail {
	if s.auditFile != "" {
		return all.at(s.auditFile)
	}
	return all.at(t.auditFile)
}
