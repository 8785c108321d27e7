package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
	"dtok/kafka/demo"
	"dtok/ui"
)

// station is a broker, and what a command line needs to use it.
type station struct {
	*testing.T
	broker     *demo.Broker
	dir        string
	properties string
}

func newStation(t *testing.T) *station {
	t.Helper()
	b, err := demo.Start(demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	s := &station{T: t, broker: b, dir: t.TempDir()}
	s.properties = filepath.Join(s.dir, "client.properties")
	s.write("client.properties", b.ClientProperties("ops", demo.SASLSSL))
	return s
}

func (s *station) write(name, text string) string {
	s.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	return path
}

// hmac writes the HMAC of a token to a file.
func (s *station) hmac(id string) string {
	s.Helper()
	hmac, err := s.broker.HMAC(id)
	if err != nil {
		s.Fatal(err)
	}
	var path string
	kafka.HMACText(hmac, func(text []byte) { path = s.write(id+".hmac", string(text)) })
	return path
}

func (s *station) trail() string {
	text, err := os.ReadFile(filepath.Join(s.dir, "audit.jsonl"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.Fatal(err)
	}
	return string(text)
}

// laptop is a token of the demo that ops may renew and expire.
const laptop = "XqArWl6RomCNUmy9B1cNPg"

// TestASignalBeforeAndAfterAChange: before it is sent nothing is, and the status
// is the signal's; afterwards the outcome is unknown, which counts more.
func TestASignalBeforeAndAfterAChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		key    kmsg.Key
		signal syscall.Signal
		status int
		says   string
		sent   int
		trail  string
	}{
		"before": {kmsg.DescribeDelegationToken, syscall.SIGINT, 130, "nothing was sent", 0, ""},
		"after":  {kmsg.RenewDelegationToken, syscall.SIGTERM, 3, `The outcome of "renew token" is unknown`, 1, `"outcome":"unknown"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStation(t)
			cmd := exec.Command(program(t), "renew", laptop, "--command-config", s.properties,
				"--hmac-file", s.hmac(laptop), "--audit-file", filepath.Join(s.dir, "audit.jsonl"))
			var stderr, stdout bytes.Buffer
			cmd.Stderr, cmd.Stdout = &stderr, &stdout
			started := make(chan struct{})
			s.broker.Inject(demo.Fault{Key: int16(c.key), End: demo.Silence, Edit: func(kmsg.Response) {
				<-started
				if err := cmd.Process.Signal(c.signal); err != nil {
					t.Error(err)
				}
			}})
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			close(started)
			var exit *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != c.status {
				t.Errorf("ended with %v, want %d", err, c.status)
			}
			if !strings.Contains(stderr.String(), c.says) || stdout.Len() > 0 {
				t.Errorf("printed %q and %q", stdout.String(), stderr.String())
			}
			if got := s.broker.Count(int16(kmsg.RenewDelegationToken)); got != c.sent {
				t.Errorf("%d renewals sent, want %d", got, c.sent)
			}
			if trail := s.trail(); !strings.Contains(trail, c.trail) || (trail == "") != (c.trail == "") {
				t.Errorf("the trail has %q", trail)
			}
		})
	}
}

// sabotage stands before a broker and breaks what comes after a creation.
type sabotage struct {
	ui.Broker
	after  func()
	expire error
}

func (s sabotage) CreateToken(ctx context.Context, req kafka.CreateRequest) (kafka.Created, error) {
	made, err := s.Broker.CreateToken(ctx, req)
	s.after()
	return made, err
}

func (s sabotage) ExpireToken(ctx context.Context, req kafka.ExpireRequest) (kafka.Expired, error) {
	if s.expire != nil {
		req.HMAC.Destroy()
		return kafka.Expired{}, s.expire
	}
	return s.Broker.ExpireToken(ctx, req)
}

// TestATokenWhoseHMACCannotBeKeptIsExpired: nobody could use it.
func TestATokenWhoseHMACCannotBeKeptIsExpired(t *testing.T) {
	t.Parallel()
	lost := &kafka.UnknownOutcomeError{Op: kafka.OpExpireToken, Err: errors.New("no answer")}
	for name, c := range map[string]struct {
		expire error
		status int
		says   string
		left   int
	}{
		"expired":       {nil, statusFailed, "it was expired again, so no token is left", 0},
		"not expired":   {&kafka.RefusedError{Op: kafka.OpExpireToken, Code: kafka.CodeTokenOwnerMismatch}, statusFailed, "with an HMAC that nobody has", 1},
		"unknown which": {lost, statusUnknown, "The outcome of \"expire token\" is unknown", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStation(t)
			b := &batch{cluster: clusterFlags{command: s.properties, debug: newDebugLog()}, output: asTable, out: new(bytes.Buffer), notes: new(bytes.Buffer),
				gate: screenFlags{auditFile: filepath.Join(s.dir, "audit.jsonl"), debug: newDebugLog()}}
			f := createFlags{hmac: hmacOutput{file: filepath.Join(s.dir, "new.hmac")}}
			err := b.run(t.Context(), func(ctx context.Context, connect connecting) error {
				broker, err := connect()
				if err != nil {
					return err
				}
				return f.create(ctx, b, sabotage{broker, func() { _ = f.hmac.reserved.Close() }, c.expire},
					kafka.CreateRequest{Owner: kafka.UserPrincipal("alice")})
			})
			var text strings.Builder
			if status := report(&text, err); status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			if !strings.Contains(text.String(), c.says) || !strings.Contains(text.String(), "HMAC could not be written to "+f.hmac.file) {
				t.Errorf("told %q", text.String())
			}
			if _, err := os.Stat(f.hmac.file); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the file is left: %v", err)
			}
			if n := strings.Count(s.trail(), `"kind":"expire token","phase":"outcome","outcome":"done"`); n != 1-c.left {
				t.Errorf("%d expiries recorded: %s", n, s.trail())
			}
		})
	}
}

// TestAFullDiskOfTheReader: standard output that takes nothing is no different.
func TestAFullDiskOfTheReader(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here: ", err)
	}
	defer func() { _ = full.Close() }()
	s := newStation(t)
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"create", "-u", "alice", "--print-hmac"}, 1, "could not be written to standard output: no space left on device; it was expired again"},
		// The change is done, and that is what the status is about.
		{[]string{"renew", laptop, "--hmac-file", s.hmac(laptop)}, 0, `"renew token" is done, but could not be printed: no space left`},
		{[]string{"tokens"}, 1, "the list cannot be written: no space left"},
	} {
		cmd := exec.Command(program(t), append(c.args, "--command-config", s.properties, "--audit-file", filepath.Join(s.dir, "audit.jsonl"))...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != c.status || !strings.Contains(stderr.String(), c.says) {
			t.Errorf("%v: status %d, told %q", c.args, got, stderr.String())
		}
	}
}

// TestAReaderThatLeavesEarly: a broken pipe kills no command between a change
// and its record.
func TestAReaderThatLeavesEarly(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	for _, c := range []struct {
		args    []string
		status  int
		outcome string
	}{
		{[]string{"renew", laptop, "--hmac-file", s.hmac(laptop)}, 0, `"kind":"renew token","phase":"outcome","outcome":"done"`},
		{[]string{"create", "-u", "alice", "--print-hmac"}, 1, `"kind":"expire token","phase":"outcome","outcome":"done"`},
		{[]string{"tokens"}, -1, ""}, // ended by SIGPIPE itself, as by a shell's pipe
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Close()
		cmd := exec.Command(program(t), append(c.args, "--command-config", s.properties, "--audit-file", filepath.Join(s.dir, "audit.jsonl"))...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &stderr
		_ = cmd.Run()
		_ = w.Close()
		if got := cmd.ProcessState.ExitCode(); got != c.status {
			t.Errorf("%v: status %d, told %q", c.args, got, stderr.String())
		}
		if !strings.Contains(s.trail(), c.outcome) {
			t.Errorf("%v: %s is not recorded", c.args, c.outcome)
		}
	}
}
