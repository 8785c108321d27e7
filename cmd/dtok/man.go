package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func manCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print the man page of a command, or write all of them",
		Long: "man prints the man page of dtok or of one of its commands, for man(1) to show.\n" +
			"The packages of dtok bring the pages along; this is for other ways of installing it.",
		Example: "  dtok man tokens | man -l -\n  dtok man --dir ~/.local/share/man/man1",
		RunE: func(cmd *cobra.Command, args []string) error {
			date, source := manOrigin()
			if dir != "" {
				if len(args) > 0 {
					return wrongUsage(cmd, errors.New("--dir writes the pages of all commands"))
				}
				return writeManPages(cmd.Root(), dir, date, source)
			}
			of, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return wrongUsage(cmd, errors.New("there is no command "+strings.Join(args, " ")))
			}
			_, err = io.WriteString(cmd.OutOrStdout(), manPage(of, date, source))
			return err
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			of, _, err := cmd.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []cobra.Completion
			for _, c := range of.Commands() {
				names = append(names, c.Name())
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write the pages of all commands into this `FOLDER`")
	return cmd
}

// writeManPages writes a page for each command. The folder is made if need be.
func writeManPages(root *cobra.Command, dir, date, source string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // documentation, for everybody to read
		return bare(err)
	}
	var write func(*cobra.Command) error
	write = func(c *cobra.Command) error {
		if c != root && !c.IsAvailableCommand() {
			return nil
		}
		path := filepath.Join(dir, manName(c)+".1")
		if err := os.WriteFile(path, []byte(manPage(c, date, source)), 0o644); err != nil { //nolint:gosec // the same
			return bare(err)
		}
		if c.Name() == "completion" { // cobra's own, whose texts are no pages
			return nil
		}
		for _, sub := range c.Commands() {
			if err := write(sub); err != nil {
				return err
			}
		}
		return nil
	}
	return write(root)
}

// manOrigin is the date of the commit and the version, which are the same in
// every build of the same sources.
func manOrigin() (date, source string) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", "dtok"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			date = s.Value[:min(len(s.Value), len("2006-01-02"))]
		}
	}
	return date, fmt.Sprintf("dtok %s", info.Main.Version)
}
