package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"

	"dtok/audit"
	"dtok/kafka"
)

func TestReport(t *testing.T) {
	plain := errors.New("it broke")
	helped := &hinted{plain, "mend it"}
	const unknownText = "dtok: error: The outcome of \"renew token\" is unknown, it may or may not have happened: it broke. dtok has not sent it again.\n" +
		"dtok: hint: Read the list again and compare.\n"
	tests := map[string]struct {
		err    error
		status int
		text   string
	}{
		"nothing":                          {nil, 0, ""},
		"an error":                         {plain, 1, "dtok: error: it broke\n"},
		"with a hint":                      {helped, 1, "dtok: error: it broke\ndtok: hint: mend it\n"},
		"wrapped":                          {fmt.Errorf("while starting: %w", helped), 1, "dtok: error: while starting: it broke\ndtok: hint: mend it\n"},
		"wrong usage":                      {&usageError{helped}, 2, "dtok: error: it broke\ndtok: hint: mend it\n"},
		"unknown outcome":                  {&kafka.UnknownOutcomeError{Op: kafka.OpRenewToken, Err: plain}, 3, unknownText},
		"a signal after a change was sent": {together(&kafka.UnknownOutcomeError{Op: kafka.OpRenewToken, Err: plain}, &signalled{syscall.SIGINT}), 3, unknownText},
		"cut off by a signal":              {&kafka.UnknownOutcomeError{Op: kafka.OpRenewToken, Err: &signalled{syscall.SIGINT}}, 3, strings.Replace(unknownText, "it broke", "ended by a signal: interrupt", 1)},
		"a token expires":                  {&expiring{2}, 4, ""},
		"a token expires, and more":        {together(&expiring{2}, plain), 4, "dtok: error: it broke\n"},
		"a signal":                         {&signalled{syscall.SIGTERM}, 143, ""},
		"two":                              {together(plain, nil, helped), 1, "dtok: error: it broke\ndtok: error: it broke\ndtok: hint: mend it\n"},
		"one of two parts":                 {fmt.Errorf("%w: %w", plain, helped), 1, "dtok: error: it broke: it broke\ndtok: hint: mend it\n"},
		"signal and more":                  {together(&signalled{syscall.SIGHUP}, plain), 129, "dtok: error: it broke\n"},
		"lost records": {together(nil, &audit.UnwrittenError{Path: "/a", Lines: []string{"{}"}, Err: plain}), 1,
			"dtok: error: the audit trail /a lacks these records, because it cannot be written: it broke\n{}\n"},
		"control characters": {errors.New("a\x1b[2Jb\u009bc\u202ed\te"), 1, `dtok: error: a\x1b[2Jb\u009bc\u202ed\te` + "\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var text strings.Builder
			if got := report(&text, tt.err); got != tt.status || text.String() != tt.text {
				t.Errorf("got %d %q, want %d %q", got, text.String(), tt.status, tt.text)
			}
		})
	}
}

func TestDescribeBuild(t *testing.T) {
	tests := []struct {
		info debug.BuildInfo
		want string
	}{
		{debug.BuildInfo{}, "dtok (devel) (no commit, "},
		{debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "0123456789abcdef0123"},
			{Key: "vcs.time", Value: "2026-01-02T03:04:05Z"},
			{Key: "vcs.modified", Value: "false"},
		}}, "dtok v1.2.3 (0123456789ab, 2026-01-02, "},
		{debug.BuildInfo{Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "01"}, {Key: "vcs.modified", Value: "true"},
		}}, "dtok (devel) (01 with changes, "},
	}
	for _, tt := range tests {
		if got := describeBuild(&tt.info); !strings.HasPrefix(got, tt.want) || strings.Contains(got, "\n") {
			t.Errorf("got %q, want it to begin with %q", got, tt.want)
		}
	}
}
