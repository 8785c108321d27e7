// Command dtok is a terminal console for Kafka delegation tokens. This package
// wires the others together and holds no logic of its own: the commands and
// their flags, the terminal and its signals, and how errors are told.
package main

import (
	"os"
	"time"

	// Keeps Bubble Tea from asking the terminal for its background, which
	// takes five seconds where nobody answers, also for `dtok version`.
	_ "dtok/ui/background"
)

func main() {
	os.Exit(execute(os.Args[1:]))
}

// execute runs one command line and gives the exit status.
func execute(args []string) (status int) {
	began, debug := time.Now(), newDebugLog()
	var err error
	defer func() { debug.end(os.Stderr, status, err, began) }()
	defer func() {
		if r := recover(); r != nil {
			err = newCrash(r)
			status = report(os.Stderr, err)
		}
	}()
	forbidCoreDumps()
	root := calledCommand(debug, args)
	root.SetArgs(args)
	err = root.Execute()
	return report(os.Stderr, err)
}
