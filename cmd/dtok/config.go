package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"dtok/config"
)

func configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "The configuration file: where it is, an example, and what to import",
		Long: "The configuration file names clusters as environments, to open with --environment and to\n" +
			"switch between with E. dtok reads it and never writes to it; config init begins one.",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(configPathCommand(), configInitCommand(), configSchemaCommand(), configImportCommand())
	return cmd
}

func configPathCommand() *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "Print where the configuration file is looked for", Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			path, err := config.DefaultPath()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), path)
			return err
		},
	}
}

func configInitCommand() *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use: "init", Short: "Print a commented example of the configuration file", Args: noArguments,
		Example: "  dtok config init\n  dtok config init --write",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !write {
				_, err := fmt.Fprint(cmd.OutOrStdout(), config.Example())
				return err
			}
			path, err := config.DefaultPath()
			if err != nil {
				return err
			}
			written, err := config.WriteExample(path)
			for _, file := range written {
				if _, err := fmt.Fprintln(cmd.OutOrStdout(), "wrote", printable(file)); err != nil {
					return err
				}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&write, "write", false, "write it to its place, never over a file that is there")
	return cmd
}

func configSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON schema of the configuration file", Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(cmd.OutOrStdout(), config.Schema())
			return err
		},
	}
}

func configImportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Print environments for another tool's configuration",
		Long: "import reads a client.properties, or the configuration of kcl, rpk, kafkactl, kaf or ktea, and\n" +
			"prints environments for dtok's own file. Passwords are not carried over: notes on standard error\n" +
			"say where they stand, and what else could not be carried over.",
		Example: "  dtok config import ~/.config/rpk/rpk.yaml",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return wrongUsage(cmd, errors.New("config import takes one file"))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			yaml, notes, err := config.Import(args[0])
			if err != nil {
				return err
			}
			for _, n := range notes {
				if _, err := fmt.Fprintln(cmd.ErrOrStderr(), "dtok: note:", printable(n)); err != nil {
					return err
				}
			}
			_, err = cmd.OutOrStdout().Write(yaml)
			return err
		},
	}
}
