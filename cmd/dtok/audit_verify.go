package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"dtok/audit"
)

// verifyFlags are the hashes that a person has kept elsewhere.
type verifyFlags struct {
	trailFile
	expect, begin string
}

func verifyCommand() *cobra.Command {
	var v verifyFlags
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Say whether the audit trail is as dtok wrote it",
		Long: "verify follows the chain of hashes through all files of the trail and names the\n" +
			"file and the line of what was edited, inserted, removed, moved or cut off. The exit\n" +
			"status is 0 when nothing was, and 1 otherwise.\n\n" +
			"That the last records were cut off shows only by comparison: keep the last hash\n" +
			"that verify prints somewhere else, and give it to --expect the next time.",
		Example: "  dtok audit verify\n  dtok audit verify --expect 3b5d…",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			expect, err := v.check(cmd)
			if err != nil {
				return err
			}
			path, err := v.find()
			if err != nil {
				return err
			}
			return verifyTrail(cmd.Context(), cmd.OutOrStdout(), path, expect)
		},
	}
	v.trailFile.flags(cmd.Flags())
	cmd.Flags().StringVar(&v.expect, "expect", "", "the trail must hold the record with this `HASH`; says how many follow it")
	cmd.Flags().StringVar(&v.begin, "begin", "", "older files were moved away: the rest must continue the file with this last `HASH`")
	return cmd
}

func (v *verifyFlags) check(cmd *cobra.Command) (expect audit.Expect, err error) {
	for _, f := range []struct {
		name, text string
		to         *string
	}{{"expect", v.expect, &expect.Hash}, {"begin", v.begin, &expect.Begin}} {
		if !cmd.Flags().Changed(f.name) {
			continue
		}
		if *f.to, err = audit.ParseHash(f.text); err != nil {
			return audit.Expect{}, wrongUsage(cmd, fmt.Errorf("--%s: %w", f.name, err))
		}
	}
	return expect, nil
}

// verifyTrail prints what it finds, file by file, and the last hash.
func verifyTrail(ctx context.Context, w io.Writer, path string, expect audit.Expect) error {
	r, err := audit.Verify(ctx, path, expect)
	if err != nil {
		return err
	}
	var lines []string
	for _, f := range r.Files {
		lines = append(lines, fmt.Sprintf("%s: %s", filepath.Base(f.Path), countOf(f.Records, "record")))
	}
	for _, f := range r.Notes {
		lines = append(lines, "note: "+f.String())
	}
	for _, f := range r.Faults {
		lines = append(lines, "fault: "+f.String())
	}
	if r.Last != "" {
		lines = append(lines, "last hash: "+r.Last)
	}
	switch {
	case expect.Hash == "" || !r.Expected:
	case r.After == 0:
		lines = append(lines, "the expected record is the last one")
	default:
		lines = append(lines, fmt.Sprintf("the expected record is there, and %s after it", countOf(r.After, "record")))
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(w, printable(l)); err != nil {
			return err
		}
	}
	if n := len(r.Faults); n > 0 {
		return &hinted{
			fmt.Errorf("the audit trail %s is not as dtok wrote it: %s", path, countOf(n, "fault")),
			"keep a copy of all its files as they are before anything else is written to them",
		}
	}
	return nil
}
