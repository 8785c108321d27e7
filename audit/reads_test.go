package audit

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"dtok/kafka"
)

// shown is a broker that gives back what the test says.
type shown struct {
	users  kafka.UserList
	tokens kafka.TokenList
	err    error
}

func (s shown) Users(context.Context) (kafka.UserList, error) { return s.users, s.err }
func (s shown) Tokens(context.Context, kafka.Principal) (kafka.TokenList, error) {
	return s.tokens, s.err
}
func (s shown) TestSignIn(_ context.Context, _ kafka.Token, hmac *kafka.Secret) (kafka.SignIn, error) {
	hmac.Destroy()
	return kafka.SignIn{}, s.err
}

func (s shown) Rules(context.Context, kafka.Principal) (kafka.RuleList, error) {
	return kafka.RuleList{}, s.err
}
func (s shown) Quotas(context.Context, kafka.Principal) (kafka.QuotaList, error) {
	return kafka.QuotaList{}, s.err
}

func reads(trail *Trail, s shown) *Reads {
	f := working()
	return NewReads(trail, s, func() kafka.Session { return f.session }, "prod-eu")
}

// A sign-in test that the broker refuses was asked and answered: it did not fail
// before it was sent.
func TestRefusedSignInTestIsRecordedAsRefused(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want Outcome
	}{
		{&kafka.SignInError{Code: kafka.CodeSASLFailed, TokenAuth: true, User: "t-1"}, Refused},
		{&kafka.RefusedError{Op: kafka.OpTestSignIn, Code: kafka.CodeTokenExpired, TokenID: "t-1"}, Refused},
		{&kafka.ConnectError{Stage: "connect", Err: errors.New("no")}, Failed},
	} {
		trail := newTrail(t, "")
		if _, err := reads(trail, shown{err: tt.err}).TestSignIn(t.Context(), token(), kafka.NewSecret(hmac1())); err != tt.err {
			t.Errorf("returned %v", err)
		}
		if got := read(t, trail.Path()); len(got) != 1 || got[0].Outcome != tt.want || got[0].Problem.Text != tt.err.Error() {
			t.Errorf("%T: %+v", tt.err, got)
		}
	}
}

func TestRecordsOfReadings(t *testing.T) {
	trail := newTrail(t, "")
	s := shown{
		users: kafka.UserList{
			Users: make([]kafka.User, 3), Tokens: []kafka.Token{token()},
			Failed: map[kafka.Source]error{kafka.FromACLs: errors.New("no")},
		},
		tokens: kafka.TokenList{Tokens: []kafka.Token{token()}},
	}
	r := reads(trail, s)
	if _, err := r.Users(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Tokens(t.Context(), kafka.UserPrincipal("alice")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.TestSignIn(t.Context(), token(), kafka.NewSecret(hmac1())); err != nil {
		t.Fatal(err)
	}
	s.tokens, s.err = kafka.TokenList{}, &kafka.RefusedError{Op: kafka.OpListTokens, Code: 31}
	if _, err := reads(trail, s).Tokens(t.Context(), kafka.Principal{}); !as[*kafka.RefusedError](err) {
		t.Fatal(err)
	}
	const (
		who = `"who":{"os_user":"ann","host":"bastion","ssh_client":"192.0.2.7","principal":"User:ops"},` +
			`"where":{"environment":"prod-eu","cluster_id":"c-1","address":"k1:9093"}`
		one = `"tokens":[{"id":"t-1","owner":"User:alice","requester":"User:ops","renewers":["User:ops"],` +
			`"issued":"2026-01-02T11:00:00.000Z","expires":"2026-01-02T13:00:00.000Z","max_lifetime_ends":"2026-01-03T12:00:00.000Z"}]`
	)
	want := []string{
		`"kind":"list users","phase":"outcome","outcome":"done",` + who + `,"read":{"users":3,"count":1,"part":1,"parts":1,` + one + `,"failed":["ACL rules"]}}`,
		`"kind":"list tokens","phase":"outcome","outcome":"done",` + who + `,"read":{"owner":"User:alice","count":1,"part":1,"parts":1,` + one + `}}`,
		`"kind":"test sign-in","phase":"outcome","outcome":"done",` + who + `,"token":{"id":"t-1","owner":"User:alice","expires_before":"2026-01-02T13:00:00.000Z"}}`,
		`"kind":"list tokens","phase":"outcome","outcome":"refused","error":{"code":31,"name":"CLUSTER_AUTHORIZATION_FAILED",`,
	}
	got := lines(t, trail.Path())[1:]
	if len(got) != len(want) {
		t.Fatalf("got %d lines, want %d", len(got), len(want))
	}
	for i, l := range got {
		_, l, _ = strings.Cut(unchained(l), `"time":"2026-01-02T12:00:00.000Z",`)
		if !strings.HasPrefix(l, want[i]) {
			t.Errorf("line %d\n got %s\nwant %s", i, l, want[i])
		}
	}
	if r := verify(t, trail.Path(), Expect{}); len(r.Faults) > 0 {
		t.Error(told(r.Faults))
	}
}

// TestALongReadingIsRecordedInParts: no line is endless, and nothing is left out.
func TestALongReadingIsRecordedInParts(t *testing.T) {
	trail := newTrail(t, "")
	many := make([]kafka.Token, 2*readPartTokens+1)
	for i := range many {
		many[i] = token()
		many[i].ID = fmt.Sprint("t-", i)
	}
	if _, err := reads(trail, shown{tokens: kafka.TokenList{Tokens: many}}).Tokens(t.Context(), kafka.Principal{}); err != nil {
		t.Fatal(err)
	}
	entries, _, err := Entries(t.Context(), trail.Path())
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 2 || len(entries[1].Lines) != 3 {
		t.Fatalf("got %d entries, want a head and a reading of three parts", len(entries))
	}
	n := 0
	for i, l := range entries[1].Lines {
		read := l.Record.Read
		if read.Part != i+1 || read.Parts != 3 || read.Count != len(many) {
			t.Errorf("part %d: %+v", i, read)
		}
		for _, got := range read.Tokens {
			if got.ID != fmt.Sprint("t-", n) {
				t.Fatalf("token %d is %s", n, got.ID)
			}
			n++
		}
	}
	if n != len(many) {
		t.Errorf("%d tokens of %d", n, len(many))
	}
	if !(Filter{Token: "t-1000"}).Match(entries[1]) || (Filter{Token: "t-x"}).Match(entries[1]) {
		t.Error("a token of a later part is not found")
	}
}

// TestAReadingThatCannotBeRecordedGoesOn, says so, and the trail says it too
// as soon as it can.
func TestAReadingThatCannotBeRecordedGoesOn(t *testing.T) {
	trail := newTrail(t, "")
	if err := os.MkdirAll(trail.Path(), 0o700); err != nil {
		t.Fatal(err)
	}
	r := reads(trail, shown{tokens: kafka.TokenList{Tokens: []kafka.Token{token()}}})
	for n := range 2 {
		list, err := r.Tokens(t.Context(), kafka.Principal{})
		if err != nil || len(list.Tokens) != 1 {
			t.Fatalf("got %d tokens, %v", len(list.Tokens), err)
		}
		want := []string{"1 reading is not in the audit trail", "2 readings are not in the audit trail"}[n]
		if !strings.Contains(trail.Trouble(), want) || !strings.Contains(trail.Trouble(), "is a directory") {
			t.Errorf("the trouble lacks %q: %q", want, trail.Trouble())
		}
	}
	// A change is not sent while the trail cannot be written.
	broker := working()
	if _, err := create(recorder(trail, broker, "")); !as[*IntentError](err) || broker.sent != 0 {
		t.Errorf("got %v, %d changes sent", err, broker.sent)
	}
	if err := os.Remove(trail.Path()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Tokens(t.Context(), kafka.Principal{}); err != nil {
		t.Fatal(err)
	}
	got := read(t, trail.Path())
	if len(got) != 2 || got[0].Kind != KindMissed || got[0].Missed.Readings != 2 ||
		!strings.Contains(got[0].Problem.Text, "is a directory") || got[1].Kind != kafka.OpListTokens {
		t.Errorf("got %+v", got)
	}
	if trail.Trouble() != "" {
		t.Errorf("trouble %q after the repair", trail.Trouble())
	}
}

func TestMissedReadingsAreNamedAtTheEnd(t *testing.T) {
	trail := newTrail(t, "")
	if err := os.MkdirAll(trail.Path(), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := reads(trail, shown{}).Users(t.Context()); err != nil {
		t.Fatal(err)
	}
	var lost *UnwrittenError
	if err := trail.Close(t.Context()); !errors.As(err, &lost) || len(lost.Lines) != 1 ||
		decode(t, lost.Lines[0]).Missed.Readings != 1 {
		t.Errorf("got %v, want an *UnwrittenError with the missed reading", err)
	}
}

// TestNoHMACIsEverRead: what a reading records has no place for one, and names
// that are one are left out.
func TestNoHMACIsEverRead(t *testing.T) {
	trail := newTrail(t, "")
	hmac := kafka.NewSecret(hmac1())
	var text string
	hmac.Use(func(raw []byte) { text = base64.StdEncoding.EncodeToString(raw) })
	odd := token()
	odd.Renewers = []kafka.Principal{kafka.UserPrincipal(text)}
	r := reads(trail, shown{tokens: kafka.TokenList{Tokens: []kafka.Token{odd}}, users: kafka.UserList{Tokens: []kafka.Token{odd}}})
	_, err1 := r.Tokens(t.Context(), kafka.UserPrincipal(text))
	_, err2 := r.Users(t.Context())
	_, err3 := r.TestSignIn(t.Context(), odd, hmac)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	if l := strings.Join(lines(t, trail.Path()), "\n"); strings.Contains(l, text) || strings.Count(l, leftOut) != 3 {
		t.Errorf("got %s", l)
	}
}
