package main

import (
	"errors"
	"os"

	"github.com/spf13/cobra"
)

// calledCommand is dtok for one command line. Of one for scripts and cron only
// its own command is made: making the others, and cobra's for completion, takes
// as long as a broker's answer.
func calledCommand(debug *debugLog, args []string) *cobra.Command {
	if len(args) > 0 {
		if command := scriptCommand(args[0]); command != nil {
			root := bareRoot(debug)
			root.CompletionOptions.DisableDefaultCmd = true
			root.AddCommand(command(debug))
			return root
		}
	}
	return rootCommand(debug)
}

// scriptCommand makes the command without a screen that has this name; it is
// nil for another name.
func scriptCommand(name string) func(*debugLog) *cobra.Command {
	switch name {
	case "users":
		return usersCommand
	case "tokens":
		return tokensCommand
	case "create":
		return createCommand
	case "renew":
		return renewCommand
	case "expire":
		return expireCommand
	}
	return nil
}

// rootCommand is dtok with all its commands, which tell debug what they do.
func rootCommand(debug *debugLog) *cobra.Command {
	c, s := clusterFlags{debug: debug}, screenFlags{debug: debug}
	root := bareRoot(debug)
	root.Version = version()
	root.SetVersionTemplate("{{.Version}}\n")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := s.check(cmd); err != nil {
			return err
		}
		return openCluster(c, s)
	}
	c.flags(root)
	s.flags(root.Flags())
	root.AddCommand(usersCommand(debug), tokensCommand(debug), createCommand(debug), renewCommand(debug), expireCommand(debug),
		checkCommand(debug), demoCommand(debug), auditCommand(), configCommand(), manCommand(), versionCommand())
	return root
}

// bareRoot is what all command lines share.
func bareRoot(debug *debugLog) *cobra.Command {
	root := &cobra.Command{
		Use:   "dtok",
		Short: "A terminal console for Kafka delegation tokens",
		Long:  rootHelp,
		Example: "  dtok --bootstrap-server broker1:9093 --command-config client.properties\n" +
			"  dtok --bootstrap-server broker1:9093 --command-config client.properties --user alice\n" +
			"  dtok demo",
		Args:          noArguments,
		SilenceErrors: true,
		SilenceUsage:  true,
		// Of all commands: none has one of its own.
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return debug.open(cmd, os.Getenv) },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return wrongUsage(cmd, err) })
	debug.flag(root.PersistentFlags())
	return root
}

// noArguments refuses words after a command. cobra's own check does not mark
// its error as a wrong command line.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		return wrongUsage(cmd, errors.New("there is no command "+args[0]))
	}
	return wrongUsage(cmd, errors.New(cmd.CommandPath()+" takes no arguments, only flags; got "+args[0]))
}

// wrongUsage marks an error as a wrong command line. What the error repeats of
// that may be an HMAC that stands in the wrong place.
func wrongUsage(cmd *cobra.Command, err error) error {
	if hmac := noHMAC(cmd, err.Error()); hmac != nil {
		return hmac
	}
	return &usageError{&hinted{err, cmd.CommandPath() + " --help lists what there is"}}
}
