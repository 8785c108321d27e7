package kafka

import (
	"bytes"
	"encoding/base64"
	"math"
	"strings"
	"testing"
	"time"
)

// A28.
func TestParseHMAC(t *testing.T) {
	urlSafe := base64.URLEncoding.EncodeToString(hmac2)
	for name, in := range map[string]string{
		"plain": hmac1Text, "newline": hmac1Text + "\n", "crlf": hmac1Text + "\r\n", "space inside": hmac1Text[:40] + " " + hmac1Text[40:],
		"lines": hmac1Text[:40] + "\r\n\t" + hmac1Text[40:], "quotes": `"` + hmac1Text + `"`, "single quotes": `'` + hmac1Text + `'`,
		"no padding": strings.TrimRight(hmac1Text, "="), "quoted, spaces": ` "` + hmac1Text + `" `,
		"jaas": `org.apache.kafka.common.security.scram.ScramLoginModule required username="t-1" password="` + hmac1Text + `" tokenauth="true";`,
		"key":  `password = ` + hmac1Text, "key=": `password=` + hmac1Text, "nbsp": "\u00a0" + hmac1Text + "\u00a0",
	} {
		pasted := []byte(in)
		got, err := ParseHMAC(pasted)
		if name == "key" {
			if err == nil {
				t.Error("a key apart from its sign was taken")
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got.Use(func(b []byte) {
			if !bytes.Equal(b, hmac1) {
				t.Errorf("%s: %d other bytes", name, len(b))
			}
		})
		if !bytes.Equal(pasted, make([]byte, len(pasted))) {
			t.Errorf("%s: the paste was not cleared", name)
		}
	}
	if got, err := ParseHMAC([]byte(urlSafe)); err != nil || got.Len() != HMACSize || !strings.Contains(urlSafe, "_") {
		t.Errorf("URL alphabet: %v", err)
	}
	for name, in := range map[string]string{
		"empty": "", "blank": " \n", "too short": "lAYYSFmLs4bTjf+lTZ1LCHR/ZZFNA==", "too long": hmac1Text[:86] + hmac1Text, "a word": "delegation!token",
		"half": hmac1Text[:44], "twice": hmac1Text[:86] + "AA" + hmac1Text[:86], "one letter": "A", "raw bytes": string(hmac1), "a megabyte": strings.Repeat("QUFB", 250000),
	} {
		pasted := []byte(in)
		got, err := ParseHMAC(pasted)
		if err == nil {
			t.Errorf("%s: accepted as %d bytes", name, got.Len())
			continue
		}
		noLeak(t, err.Error(), "lAYYSFm", "delegation!", "QUFB")
		if !bytes.Equal(pasted, make([]byte, len(pasted))) {
			t.Errorf("%s: the paste was not cleared", name)
		}
	}
}

func FuzzParseHMAC(f *testing.F) {
	f.Add([]byte(hmac1Text))
	f.Add([]byte(`password="` + hmac1Text + `"`))
	f.Add([]byte("\"AAEC\n'"))
	f.Add([]byte{0xff, '=', '"'})
	f.Fuzz(func(t *testing.T, in []byte) {
		text := string(in)
		got, err := ParseHMAC(in)
		if !bytes.Equal(in, make([]byte, len(in))) {
			t.Fatal("the input was not cleared")
		}
		if err != nil {
			if len(text) > 12 && strings.Contains(err.Error(), text) {
				t.Fatalf("the error %q holds the input", err)
			}
			return
		}
		if got.Len() != HMACSize {
			t.Fatalf("%q was accepted as %d bytes", text, got.Len())
		}
		HMACText(got, func(again []byte) {
			if len(again) != HMACTextSize {
				t.Fatalf("text of %d characters", len(again))
			}
		})
	})
}

// A14.
func TestParseHours(t *testing.T) {
	for in, want := range map[string]time.Duration{
		"": 0, "  ": 0, "24": 24 * time.Hour, " 24 ": 24 * time.Hour, "0.5": 30 * time.Minute, "1.25": 75 * time.Minute, "168": 168 * time.Hour,
		"0.000001": 3 * time.Millisecond, "007": 7 * time.Hour, "1000000": 1000000 * time.Hour,
	} {
		got, err := ParseHours(in)
		if err != nil || got.Duration() != want {
			t.Errorf("%q: %v, %v", in, got.Duration(), err)
		}
		if (want == 0) != (got.Wire() == -1) {
			t.Errorf("%q goes as %d", in, got.Wire())
		}
	}
	for _, in := range []string{"9999999999999", "1e9", "0", "-1", "1,5", "２４", "2562047788016", "0.0", ".5", "5.", "1.2.3", "1/2", "0x10", "+1", "NaN", "Inf",
		"0.0000001", strings.Repeat("9", 400), strings.Repeat("9", 1<<20), "1 2", "24h", "٣"} {
		if got, err := ParseHours(in); err == nil {
			t.Errorf("%q was accepted as %v", in, got.Duration())
		}
	}
}

func FuzzParseHours(f *testing.F) {
	for _, seed := range []string{"24", "0.5", "9999999999999", "1e9", " 24 ", "２４", "1281023"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		p, err := ParseHours(in)
		if err != nil {
			return
		}
		ms := p.Wire()
		if p.IsDefault() {
			if strings.TrimSpace(in) != "" || ms != -1 {
				t.Fatalf("%q is the default, %d ms", in, ms)
			}
			return
		}
		if ms == 0 || ms < 0 || p.Duration() < 0 || time.Now().UnixMilli() > math.MaxInt64-ms {
			t.Fatalf("%q goes as %d ms, %v", in, ms, p.Duration())
		}
	})
}

// A27.
func TestParseUser(t *testing.T) {
	for in, want := range map[string]string{"carol": "carol", "User:carol": "carol", " User:carol ": "carol", "spiffe://ns/sa": "spiffe://ns/sa",
		"CN=a,OU=b": "CN=a,OU=b", "User:Group:ops": "Group:ops", "User:user:x": "user:x", "a b": "a b", "User:*": "*", "http:x": "http:x", "пользователь": "пользователь"} {
		if got, err := ParseUser(in); err != nil || got != UserPrincipal(want) {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	for in, advice := range map[string]string{"user:carol": "User:carol", "USER:carol": "User:carol", "Group:ops": "User:Group:ops", "group:ops": "only principals of type User",
		"RolePrincipal:x": "only principals of type User", "User:": "name is missing", "": "type a name", "  ": "type a name"} {
		if got, err := ParseUser(in); err == nil || !strings.Contains(err.Error(), advice) {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
}

func FuzzParseUser(f *testing.F) {
	for _, seed := range []string{"carol", "User:carol", "user:carol", "Group:ops", "spiffe://ns/sa", "CN=a,OU=b", "User:", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		p, err := ParseUser(in)
		if err != nil {
			return
		}
		if p.Type != UserType || p.Name == "" {
			t.Fatalf("%q: %#v", in, p)
		}
		if again, err := ParseUser(p.String()); err == nil && again != p && strings.TrimSpace(p.Name) == p.Name {
			t.Fatalf("%q is %q, and that is %q", in, p, again)
		}
		if back, err := ParsePrincipal(p.String()); err != nil || back != p {
			t.Fatalf("%q is %q, and that is %q, %v", in, p, back, err)
		}
	})
}

func TestParsePrincipal(t *testing.T) {
	for in, want := range map[string]Principal{"User:a": {"User", "a"}, "User:a:b": {"User", "a:b"}, "User:spiffe://td/x": {"User", "spiffe://td/x"}, "RolePrincipal:x": {"RolePrincipal", "x"}, "User:*": everyone} {
		if got, err := ParsePrincipal(in); err != nil || got != want {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "alice", ":", "User:", ":a"} {
		if got, err := ParsePrincipal(in); err == nil {
			t.Errorf("%q: %v", in, got)
		}
	}
}
