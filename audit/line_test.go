package audit

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"dtok/kafka"
)

// FuzzLine holds that whatever the names, the reason and the error are, a
// record is exactly one line of JSON, safe to print, with the same meaning.
func FuzzLine(f *testing.F) {
	for _, s := range []string{
		"worker retired", "x\"}\n{\"event\":\"fake\"", "\x1b]0;title\x07\x1b[2J", "\u009b31m", "\u202egnp.exe",
		"日本語 👩‍👩‍👧 é", "\x00\x7f\xff\xfe", "\u2028\u2029", `\`, `"`, "</script>&", strings.Repeat("a", 10240),
		strings.Repeat("é✓", 300), "\U000e0001\U0010ffff", "CN=alice,OU=\\,ops",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		in := Record{
			Schema: Schema, ID: "x", Time: Time{noon}, Kind: kafka.OpExpireToken, Phase: Ended, Outcome: Refused,
			Problem: &Problem{Text: s}, Who: Who{OSUser: s, Host: s}, Where: Where{Environment: s, ClusterID: s},
			Token: Token{ID: s, Owner: s, Renewers: []string{s, s}}, Reason: s,
		}
		line, err := in.line()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Count(line, []byte("\n")) != 1 || line[len(line)-1] != '\n' {
			t.Fatalf("not one line: %q", line)
		}
		for _, r := range strings.TrimSuffix(string(line), "\n") {
			if !unicode.IsPrint(r) {
				t.Fatalf("%U is in the line: %q", r, line)
			}
		}
		out := decode(t, string(line))
		whole := strings.ToValidUTF8(s, "\uFFFD")
		if utf8.ValidString(s) && (out.Who.OSUser != whole || out.Token.ID != whole) {
			t.Fatalf("%q came back as %q", whole, out.Who.OSUser)
		}
		if n := utf8.RuneCountInString(out.Reason); n > ReasonLimit+40 {
			t.Fatalf("the reason has %d characters", n)
		}
	})
}

func TestALongReasonIsCutAndSaysSo(t *testing.T) {
	got := shorten(strings.Repeat("é", ReasonLimit+1), ReasonLimit)
	if want := strings.Repeat("é", ReasonLimit) + fmt.Sprintf("… (cut, %d characters)", ReasonLimit+1); got != want {
		t.Errorf("got %q", got)
	}
	if got := shorten(strings.Repeat("é", ReasonLimit), ReasonLimit); utf8.RuneCountInString(got) != ReasonLimit {
		t.Errorf("got %q", got)
	}
}

func TestATimeOfAnyYearIsWritten(t *testing.T) {
	for _, ms := range []int64{0, 1, 1<<63 - 1, -1 << 62} {
		line, err := Record{Token: Token{Issued: Time{time.UnixMilli(ms)}}}.line()
		if err != nil {
			t.Fatal(ms, err)
		}
		if !bytes.Contains(line, []byte(`Z"`)) {
			t.Errorf("%d: %s", ms, line)
		}
	}
}

// TestNoHMACIsEverWritten drives every change, done and refused, with the HMAC
// also in all the wrong places, and searches what is left behind.
func TestNoHMACIsEverWritten(t *testing.T) {
	std := base64.StdEncoding.EncodeToString(hmac1())
	forms := map[string]string{
		"base64": std[:80], "base64url": base64.URLEncoding.EncodeToString(hmac1())[:80],
		"hex": hex.EncodeToString(hmac1()), "raw": string(hmac1()[32:]),
	}
	trail, broker := newTrail(t, ""), working()
	rec := recorder(trail, broker, "prod")
	var said []string
	run := func(reason string) {
		req := kafka.CreateRequest{Owner: kafka.UserPrincipal(reason), Renewers: []kafka.Principal{kafka.UserPrincipal(reason)}}
		made, err1 := rec.CreateToken(t.Context(), req)
		renewed, err2 := rec.RenewToken(t.Context(), kafka.RenewRequest{Token: token(), HMAC: kafka.NewSecret(hmac1())})
		expired, err3 := expire(rec, "leaked: "+reason)
		said = append(said, fmt.Sprintf("%v %+v %v", made.HMAC, renewed, expired), fmt.Sprint(err1, err2, err3))
	}
	inputs := []string{std, strings.TrimRight(std, "="), base64.URLEncoding.EncodeToString(hmac1()), hex.EncodeToString(hmac1())}
	for _, s := range inputs {
		if s == hex.EncodeToString(hmac1()) {
			// As a name, hexadecimal text is one of many honest ones; only
			// free text is searched for it.
			if _, err := expire(rec, s); err != nil {
				t.Fatal(err)
			}
			continue
		}
		run(s)
	}
	broker.expire = func(_ context.Context, req kafka.ExpireRequest) (kafka.Expired, error) {
		return kafka.Expired{}, errors.New("broker says " + std)
	}
	if _, err := expire(rec, "again"); err == nil {
		t.Fatal("no error")
	}
	folder := filepath.Dir(trail.Path())
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, string(text))
	}
	for name, secret := range forms {
		for _, s := range said {
			if strings.Contains(s, secret) {
				t.Errorf("the HMAC is there as %s: %.300q", name, s)
			}
		}
	}
	if got := summary(read(t, trail.Path())); strings.Count(got, "intent") != 11 {
		t.Errorf("got %s, want 11 changes", got)
	}
}

func TestHonestTextIsKept(t *testing.T) {
	spiffe := "User:spiffe://example.org/" + strings.Repeat("ns/production/", 10)
	if got := unlessHMAC(spiffe); got != spiffe {
		t.Errorf("got %q", got)
	}
	reason := "INC-1234 worker retired, see https://example.org/incidents/2026/01/02/worker-retired"
	if got := withoutHMAC(reason); got != reason {
		t.Errorf("got %q", got)
	}
}

func TestHere(t *testing.T) {
	env := map[string]string{"SUDO_USER": "ann", "SSH_CONNECTION": "2001:db8::7 5022 192.0.2.1 22"}
	got := Here(func(name string) string { return env[name] })
	if got.SudoUser != "ann" || got.SSHClient != "2001:db8::7" || got.OSUser == "" || got.Principal != "" {
		t.Errorf("got %+v", got)
	}
	if got := Here(func(string) string { return "" }); got.SudoUser != "" || got.SSHClient != "" {
		t.Errorf("got %+v", got)
	}
}
