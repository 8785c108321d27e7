package audit

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
	"dtok/kafka/demo"
)

const (
	childBroker = "DTOK_AUDIT_TEST_BROKER"
	childFirst  = "DTOK_AUDIT_TEST_FIRST"
	// killsVariable asks for more runs than the few of a usual test.
	killsVariable = "DTOK_AUDIT_KILLS"
)

// childSession makes changes of a real cluster until it is killed: a token is
// made, listed, renewed and expired, again and again. Each creation and renewal
// asks for a length of time of its own, by which it is known. What has ended is
// printed.
func childSession(path string) error {
	first, err := strconv.Atoi(os.Getenv(childFirst))
	if err != nil {
		return err
	}
	ctx := context.Background()
	client, err := kafka.Dial(ctx, kafka.Settings{
		Bootstrap: []string{os.Getenv(childBroker)},
		Protocol:  kafka.SASLPlaintext,
		SASL:      &kafka.Credentials{Mechanism: kafka.MechanismPlain, User: "ops", Password: kafka.NewSecret([]byte("ops-secret"))},
	})
	if err != nil {
		return err
	}
	trail := NewTrail(Options{Path: path, Who: Here(os.Getenv), MaxSize: 20_000})
	if first%20_000 == 0 {
		trail.disk.write = drip
	}
	rec := NewRecorder(trail, client, client.Session, "demo")
	list := NewReads(trail, client, client.Session, "demo")
	for n := first; ; n += 2 {
		made, err := rec.CreateToken(ctx, kafka.CreateRequest{
			Owner: kafka.UserPrincipal("ops"), MaxLifetime: kafka.PeriodOf(time.Duration(n) * time.Millisecond),
		})
		if err != nil {
			return err
		}
		fmt.Println(n)
		if _, err := list.Tokens(ctx, kafka.UserPrincipal("ops")); err != nil {
			return err
		}
		if _, err := rec.RenewToken(ctx, kafka.RenewRequest{
			Token: made.Token, HMAC: made.HMAC.Clone(), Period: kafka.PeriodOf(time.Duration(n+1) * time.Millisecond),
		}); err != nil {
			return err
		}
		fmt.Println(n + 1)
		if _, err := rec.ExpireToken(ctx, kafka.ExpireRequest{Token: made.Token, HMAC: made.HMAC, Reason: "until killed"}); err != nil {
			return err
		}
	}
}

// drip writes a line in many pieces, as a network file system may: the kernel
// writes to a local one in one go, which SIGKILL does not interrupt.
func drip(f *os.File, text []byte) (n int, err error) {
	for piece := range slices.Chunk(text, 10) {
		m, err := f.Write(piece)
		if n += m; err != nil {
			return n, err
		}
	}
	return n, nil
}

// TestKilledAtAnyMoment kills a session with SIGKILL at random moments, and the
// next one goes on with its trail. After each: what verifying finds is the torn
// line or nothing, whatever has ended is recorded, and whatever reached the
// broker has its intent.
func TestKilledAtAnyMoment(t *testing.T) {
	kills := 6
	if n, err := strconv.Atoi(os.Getenv(killsVariable)); err == nil {
		kills = n
	}
	broker, err := demo.Start(demo.Options{Bare: true, Record: true, Cluster: demo.Cluster{Lag: -1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(broker.Close)
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	dice := rand.New(rand.NewPCG(4, 5))
	ended := map[int]bool{}
	for run := range kills {
		cmd := child(t, "session", path)
		cmd.Env = append(cmd.Env, childBroker+"="+broker.Address(demo.SASLPlaintext),
			fmt.Sprintf("%s=%d", childFirst, 3_600_000+run*10_000))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		moment := time.AfterFunc(time.Duration(dice.IntN(200_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		for in := bufio.NewScanner(out); in.Scan(); {
			if n, err := strconv.Atoi(in.Text()); err == nil {
				ended[n] = true
			}
		}
		err = cmd.Wait()
		if moment.Stop() {
			t.Fatal("the session ended by itself:", err)
		}
		killed(t, path)
	}
	if _, err := create(recorder(newTrail(t, path), working(), "")); err != nil {
		t.Fatal(err)
	}
	r := verify(t, path, Expect{})
	if len(r.Faults) > 0 {
		t.Errorf("after the last record: %s", told(r.Faults))
	}
	t.Logf("%d kills: %d records in %d files, %d lines torn, %d changes ended", kills, r.Records, len(r.Files), len(r.Notes), len(ended))
	everythingIsRecorded(t, path, ended, broker.Requests())
}

// killed looks at what a kill has left behind.
func killed(t *testing.T, path string) {
	t.Helper()
	r, err := Verify(t.Context(), path, Expect{})
	if as[*NoTrailError](err) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Faults {
		if f.File != path || !strings.HasPrefix(f.Text, "the line is torn") && f.Text != "the file has no head, and so no chain" &&
			!strings.HasPrefix(f.Text, "the record is whole, but its line has no end") && !strings.HasPrefix(f.Text, "the file is empty") &&
			!strings.HasPrefix(f.Text, "the file is not here") {
			t.Errorf("after a kill: %s", f)
		}
	}
}

func everythingIsRecorded(t *testing.T, path string, ended map[int]bool, sent []demo.Request) {
	t.Helper()
	intents, outcomes := map[kafka.Op]int{}, map[int64]bool{}
	asked := map[int64]bool{}
	entries, _, err := Entries(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		for _, l := range e.Lines {
			r := l.Record
			switch {
			case r.Phase == Intent:
				intents[r.Kind]++
				asked[r.Token.AskedMillis] = true
			case r.Outcome == Done:
				outcomes[r.Token.AskedMillis] = true
			}
		}
	}
	for n := range ended {
		if !outcomes[int64(n)] {
			t.Errorf("change %d has ended and its outcome is not in the trail", n)
		}
	}
	expired := 0
	for _, req := range sent {
		var n int64
		switch m := req.Message.(type) {
		case *kmsg.CreateDelegationTokenRequest:
			n = m.MaxLifetimeMillis
		case *kmsg.RenewDelegationTokenRequest:
			n = m.RenewTimeMillis
		case *kmsg.ExpireDelegationTokenRequest:
			expired++
			continue
		default:
			continue
		}
		if !asked[n] {
			t.Errorf("change %d reached the broker and its intent is not in the trail", n)
		}
	}
	if expired > intents[kafka.OpExpireToken] {
		t.Errorf("%d expiries reached the broker and %d intents are in the trail", expired, intents[kafka.OpExpireToken])
	}
}
