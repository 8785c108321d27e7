package audit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dtok/kafka"
)

// Some tests need another process: to hold the lock, to be killed, to have its
// own umask or limits. TestMain then runs one of childJobs in place of the tests.
const (
	childJob  = "DTOK_AUDIT_TEST_JOB"
	childPath = "DTOK_AUDIT_TEST_PATH"
)

var childJobs = map[string]func(path string) error{
	"changes":       childChanges,
	"changes-small": childChangesSmall,
	"endless":       childEndless,
	"hold-lock":     childHoldLock,
	"umask-000":     func(path string) error { return childUmask(path, 0) },
	"umask-777":     func(path string) error { return childUmask(path, 0o777) },
	"unprivileged":  childUnprivileged,
	"full":          childFull,
	"session":       childSession,
}

func TestMain(m *testing.M) {
	if job := os.Getenv(childJob); job != "" {
		if err := childJobs[job](os.Getenv(childPath)); err != nil {
			fmt.Fprintln(os.Stderr, job+":", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child prepares this test binary as a process that does one of childJobs.
func child(t *testing.T, job, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), childJob+"="+job, childPath+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// fake is a broker whose changes do what the test says.
type fake struct {
	kafka.RuleChanger
	kafka.QuotaChanger
	session kafka.Session
	create  func(context.Context, kafka.CreateRequest) (kafka.Created, error)
	renew   func(context.Context, kafka.RenewRequest) (kafka.Renewed, error)
	expire  func(context.Context, kafka.ExpireRequest) (kafka.Expired, error)
	sent    int
}

func (f *fake) CreateToken(ctx context.Context, req kafka.CreateRequest) (kafka.Created, error) {
	f.sent++
	return f.create(ctx, req)
}

func (f *fake) RenewToken(ctx context.Context, req kafka.RenewRequest) (kafka.Renewed, error) {
	f.sent++
	return f.renew(ctx, req)
}

func (f *fake) ExpireToken(ctx context.Context, req kafka.ExpireRequest) (kafka.Expired, error) {
	f.sent++
	return f.expire(ctx, req)
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// token is one of alice's, as a list shows it.
func token() kafka.Token {
	return kafka.Token{
		ID:              "t-1",
		Owner:           kafka.UserPrincipal("alice"),
		Requester:       kafka.UserPrincipal("ops"),
		Renewers:        []kafka.Principal{kafka.UserPrincipal("ops")},
		Issued:          noon.Add(-time.Hour),
		Expires:         noon.Add(time.Hour),
		MaxLifetimeEnds: noon.Add(24 * time.Hour),
	}
}

// working is a broker that does everything it is asked.
func working() *fake {
	return &fake{
		session: kafka.Session{Address: "k1:9093", Principal: kafka.UserPrincipal("ops"), ClusterID: "c-1"},
		create: func(_ context.Context, req kafka.CreateRequest) (kafka.Created, error) {
			made := token()
			made.Owner, made.Renewers = req.Owner, req.Renewers
			return kafka.Created{Token: made, HMAC: kafka.NewSecret(hmac1())}, nil
		},
		renew: func(_ context.Context, req kafka.RenewRequest) (kafka.Renewed, error) {
			before := req.Token.Expires
			req.Token.Expires = noon.Add(2 * time.Hour)
			return kafka.Renewed{Token: req.Token, Before: before}, nil
		},
		expire: func(_ context.Context, req kafka.ExpireRequest) (kafka.Expired, error) {
			return kafka.Expired{Token: req.Token, Before: req.Token.Expires, At: noon}, nil
		},
	}
}

func recorder(trail *Trail, f *fake, environment string) *Recorder {
	return NewRecorder(trail, f, func() kafka.Session { return f.session }, environment)
}

func hmac1() []byte {
	raw := make([]byte, kafka.HMACSize)
	for i := range raw {
		raw[i] = byte(i)
	}
	return raw
}

// newTrail is a trail with a fixed clock at path, or in a new folder.
func newTrail(t testing.TB, path string) *Trail {
	t.Helper()
	if path == "" {
		path = filepath.Join(t.TempDir(), "state", "audit.jsonl")
	}
	return NewTrail(Options{
		Path: path,
		Who:  Who{OSUser: "ann", Host: "bastion", SSHClient: "192.0.2.7"},
		Now:  func() time.Time { return noon },
	})
}

func create(r *Recorder) (kafka.Created, error) {
	return r.CreateToken(context.Background(), kafka.CreateRequest{
		Owner: kafka.UserPrincipal("alice"), Renewers: []kafka.Principal{kafka.UserPrincipal("ops")},
	})
}

func expire(r *Recorder, reason string) (kafka.Expired, error) {
	return r.ExpireToken(context.Background(), kafka.ExpireRequest{
		Token: token(), HMAC: kafka.NewSecret(hmac1()), Reason: reason,
	})
}

// lines are the whole lines of the file. Each must end in a newline.
func lines(t testing.TB, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(text, []byte("\n")) {
		t.Fatalf("the file does not end in a newline: %q", text)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// read decodes the file's records of requests: those about the file itself
// are left out, and the chain must hold.
func read(t testing.TB, path string) []Record {
	t.Helper()
	var out []Record
	prev := ""
	for _, l := range lines(t, path) {
		r := decode(t, l)
		at, ok := linkOf([]byte(l))
		if !ok || !at.holds() || at.prev != prev || r.Prev != at.prev || r.Hash != at.hash {
			t.Fatalf("no link of the chain after %q: %s", prev, l)
		}
		prev = at.hash
		if r.Kind != KindHead && r.Kind != KindSeal {
			out = append(out, r)
		}
	}
	return out
}

func decode(t testing.TB, l string) Record {
	t.Helper()
	var r Record
	dec := json.NewDecoder(strings.NewReader(l))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		t.Fatalf("not a record: %v: %q", err, l)
	}
	if dec.More() {
		t.Fatalf("more than one record on a line: %q", l)
	}
	return r
}

// unchained is a line without its place in the chain.
func unchained(l string) string { return l[:strings.LastIndex(l, prevMark)] + "}" }

// summary is phase/outcome of each record, which tells a story at a glance.
func summary(rs []Record) string {
	var out []string
	for _, r := range rs {
		s := string(r.Phase)
		if r.Phase == Ended {
			s = string(r.Outcome)
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

// firstLine waits for the child to say that it has come so far.
func firstLine(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal("the child said nothing:", err)
	}
}
