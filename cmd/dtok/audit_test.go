package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"dtok/audit"
	"dtok/kafka"
)

// maker makes a token and refuses everything else.
type maker struct{ kafka.ReadOnly }

func (maker) CreateToken(_ context.Context, req kafka.CreateRequest) (kafka.Created, error) {
	return kafka.Created{
		Token: kafka.Token{ID: "t-1", Owner: req.Owner, Issued: noon, Expires: noon.Add(time.Hour), MaxLifetimeEnds: noon.Add(2 * time.Hour)},
		HMAC:  kafka.NewSecret(make([]byte, kafka.HMACSize)),
	}, nil
}

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// recorded is a trail with a creation of alice's and a refused expiry of
// bob's, a day later.
func recorded(t *testing.T, environment string) string {
	t.Helper()
	now := noon
	trail := audit.NewTrail(audit.Options{
		Path: filepath.Join(t.TempDir(), "audit.jsonl"), Now: func() time.Time { return now },
		Who: audit.Who{OSUser: "ann", Host: "bastion"},
	})
	rec := audit.NewRecorder(trail, maker{kafka.ReadOnly{Reason: "freeze\tuntil\nMonday"}},
		func() kafka.Session { return kafka.Session{Principal: kafka.UserPrincipal("ops")} }, environment)
	if _, err := rec.CreateToken(t.Context(), kafka.CreateRequest{Owner: kafka.UserPrincipal("alice")}); err != nil {
		t.Fatal(err)
	}
	now = noon.AddDate(0, 0, 1)
	if _, err := rec.ExpireToken(t.Context(), kafka.ExpireRequest{
		Token: kafka.Token{ID: "t-2", Owner: kafka.UserPrincipal("bob")}, Reason: "leaked", HMAC: kafka.NewSecret(nil),
	}); err == nil {
		t.Fatal("not refused")
	}
	return trail.Path()
}

func list(t *testing.T, path string, l listFlags) string {
	t.Helper()
	var out bytes.Buffer
	if err := listTrail(t.Context(), &out, path, l, time.UTC); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestAuditLists(t *testing.T) {
	path := recorded(t, "prod")
	got := list(t, path, listFlags{output: "table"})
	want := `TIME                     KIND          OUTCOME  USER   TOKEN  AS        BY           REMARK
2026-01-02 12:00:00 UTC  head                                           ann@bastion
2026-01-02 12:00:00 UTC  create token  done     alice  t-1    User:ops  ann@bastion
2026-01-03 12:00:00 UTC  expire token  refused  bob    t-2    User:ops  ann@bastion  This environment is read-only: freeze\tuntil\nMonday
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAuditFilters(t *testing.T) {
	path := recorded(t, "prod")
	for _, tt := range []struct {
		filter audit.Filter
		want   string
	}{
		{audit.Filter{User: "alice"}, "t-1"},
		{audit.Filter{User: "User:bob"}, "t-2"},
		{audit.Filter{User: "ops"}, "t-1 t-2"},
		{audit.Filter{User: "carol"}, ""},
		{audit.Filter{Token: "t-2"}, "t-2"},
		{audit.Filter{Token: "t"}, ""},
		{audit.Filter{Kind: "create"}, "t-1"},
		{audit.Filter{Kind: "expire token"}, "t-2"},
		{audit.Filter{Outcome: "refused"}, "t-2"},
		{audit.Filter{Since: noon.Add(time.Second)}, "t-2"},
		{audit.Filter{Until: noon.Add(time.Second)}, "t-1"},
		{audit.Filter{Since: noon, Until: noon}, ""},
		{audit.Filter{Environment: "prod", User: "alice"}, "t-1"},
		{audit.Filter{Environment: "test"}, ""},
		{audit.Filter{User: "alice", Outcome: "refused"}, ""},
	} {
		var ids []string
		for _, id := range []string{"t-1", "t-2"} {
			if strings.Contains(list(t, path, listFlags{output: "table", filter: tt.filter}), id) {
				ids = append(ids, id)
			}
		}
		if got := strings.Join(ids, " "); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.filter, got, tt.want)
		}
	}
}

// TestAuditJSON: the records come out byte for byte, what is damaged within an
// object that says so, and nothing can drive a terminal.
func TestAuditJSON(t *testing.T) {
	path := recorded(t, "prod")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := list(t, path, listFlags{output: "json"}); got != string(text) {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
	if err := os.WriteFile(path, append(bytes.Replace(text, []byte("alice"), []byte("carol"), 1), "\x1b[2J\xff torn"...), 0o600); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(list(t, path, listFlags{output: "json"}), "\n"), "\n")
	if len(lines) != 6 {
		t.Fatalf("got %d lines", len(lines))
	}
	for i, l := range lines {
		var o map[string]any
		if err := json.Unmarshal([]byte(l), &o); err != nil || strings.Contains(l, "\x1b") || !utf8.ValidString(l) {
			t.Errorf("%v: %q", err, l)
		}
		if damaged := o["fault"] != nil; damaged != (i == 1 || i == 5) {
			t.Errorf("line %d: %s", i, l)
		}
	}
	got := list(t, path, listFlags{output: "table"})
	if strings.Contains(got, "\x1b") || !strings.Contains(got, `! line 6: the line is torn`) {
		t.Errorf("got %q", got)
	}
	// The intent in line 2 was changed, not its outcome in line 3.
	if !strings.Contains(got, `! line 2: the record has been changed`) || strings.Contains(got, "line 3") {
		t.Errorf("the changed line is not the one that is named:\n%s", got)
	}
}

func TestAuditVerify(t *testing.T) {
	path := recorded(t, "prod")
	verify := func(e audit.Expect) (string, error) {
		var out bytes.Buffer
		err := verifyTrail(t.Context(), &out, path, e)
		return out.String(), err
	}
	out, err := verify(audit.Expect{})
	_, last, ok := strings.Cut(strings.TrimSpace(out), "last hash: ")
	if err != nil || !ok || !strings.HasPrefix(out, "audit.jsonl: 5 records\n") {
		t.Fatalf("got %v, %s", err, out)
	}
	if out, err := verify(audit.Expect{Hash: last}); err != nil || !strings.HasSuffix(out, "the expected record is the last one\n") {
		t.Errorf("got %v, %s", err, out)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	if err := os.WriteFile(path, []byte(strings.Join(lines[:3], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err = verify(audit.Expect{Hash: last})
	if err == nil || !strings.Contains(out, "fault: audit.jsonl: no record has the expected hash "+last) {
		t.Errorf("got %v, %s", err, out)
	}
	var told bytes.Buffer
	if status := report(&told, err); status != statusFailed || !strings.Contains(told.String(), "dtok: hint: keep a copy") {
		t.Errorf("status %d, %s", status, told.String())
	}
	if err := os.WriteFile(path, []byte(lines[0]+lines[2]), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := verify(audit.Expect{}); err == nil || !strings.Contains(out, "fault: audit.jsonl:2: ") {
		t.Errorf("got %v, %s", err, out)
	}
}

// TestTrailOfAnEnvironment is what the screens show.
func TestTrailOfAnEnvironment(t *testing.T) {
	path := recorded(t, "prod")
	show := func(environment string) string {
		got, err := trailOf(path, environment)(t.Context())
		if err != nil || got.Read.IsZero() || got.Path != path {
			t.Fatalf("%v, %+v", err, got)
		}
		var rows []string
		for _, r := range got.Rows {
			rows = append(rows, strings.Join([]string{r.Kind, r.Outcome, r.User, r.Token, r.Principal, r.Fault}, ","))
		}
		return strings.Join(append(rows, got.Faults...), "\n")
	}
	if got, want := show("prod"), "create token,done,alice,t-1,User:ops,\nexpire token,refused,bob,t-2,User:ops,"; got != want {
		t.Errorf("got %s", got)
	}
	if got := show("test"); got != "" {
		t.Errorf("of another environment: %s", got)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(text, []byte("alice"), []byte("carol"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := show("test"); !strings.Contains(got, "the record has been changed") || !strings.Contains(got, "audit.jsonl:2: ") {
		t.Errorf("what is damaged belongs to every environment: %s", got)
	}
	path = filepath.Join(t.TempDir(), "none.jsonl")
	if got := show("prod"); got != "" {
		t.Errorf("without a trail: %s", got)
	}
	if _, err := trailOf("", "prod")(t.Context()); err == nil {
		t.Error("no place for a trail is no error")
	}
}

func TestParseMoment(t *testing.T) {
	zone := time.FixedZone("X", 3600)
	now := time.Date(2026, 3, 14, 9, 26, 53, 0, zone)
	nextDay := func(day time.Time) time.Time { return day.AddDate(0, 0, 1) }
	for text, want := range map[string]time.Time{
		"2026-01-02":           time.Date(2026, 1, 3, 0, 0, 0, 0, zone),
		"2026-01-02 15:04":     time.Date(2026, 1, 2, 15, 4, 0, 0, zone),
		"2026-01-02T15:04:05":  time.Date(2026, 1, 2, 15, 4, 5, 0, zone),
		"2026-01-02T15:04:05Z": time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC),
		" 36h ":                now.Add(-36 * time.Hour),
		"7d":                   now.AddDate(0, 0, -7),
		"0":                    now,
	} {
		if got, err := parseMoment(text, now, nextDay); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "yesterday", "-3h", "-1d", "1.5d", "2026-13-01", "99999999d", "2026-02-30"} {
		if got, err := parseMoment(text, now, nextDay); err == nil {
			t.Errorf("%q is taken as %v", text, got)
		}
	}
}

func TestSize(t *testing.T) {
	for text, want := range map[string]size{
		"0": 0, "123": 123, "1k": 1 << 10, "64M": 64 << 20, "64MB": 64 << 20, "64 MiB": 64 << 20, "2g": 2 << 30, " 1K ": 1 << 10, "7B": 7,
	} {
		var s size
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("%q: %d, %v", text, s, err)
		}
		var again size
		if err := again.Set(s.String()); err != nil || again != s {
			t.Errorf("%q is written as %q", text, s.String())
		}
	}
	for _, text := range []string{"", "x", "-1", "1.5M", "M", "1X", "9999999999G", "1MM"} {
		var s size
		if err := s.Set(text); err == nil {
			t.Errorf("%q is taken as %d", text, s)
		}
	}
}

// A quota of the default user is about nobody with a name.
func TestUserOfARecord(t *testing.T) {
	name := "alice"
	quota := func(parts ...audit.EntityPart) audit.Record { return audit.Record{Quota: &audit.Quota{Entity: parts}} }
	for want, r := range map[string]audit.Record{
		"alice":        quota(audit.EntityPart{Type: "user", Name: &name}),
		"default user": quota(audit.EntityPart{Type: "user"}, audit.EntityPart{Type: "client-id", Name: &name}),
		"":             quota(audit.EntityPart{Type: "client-id"}),
		"bob":          {Token: audit.Token{Owner: "User:bob"}},
		"all":          {Read: &audit.ReadPart{}},
	} {
		if got := userOf(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
