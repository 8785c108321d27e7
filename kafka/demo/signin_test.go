package demo

import (
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

const scramRefused = "Authentication failed during authentication due to invalid credentials with SASL mechanism "

func TestScramSignIn(t *testing.T) {
	b := start(t, Options{Bare: true, Passwords: map[string]string{"a=b,c": "a=b,c-secret", "odd": "tab\there \u00ad пароль 😀 lead"}})
	for _, tc := range []struct {
		name, user, password, extensions string
		code                             int16
		step                             int
	}{
		{"right", alice, "alice-secret", "", 0, 0},
		{"unknown extension", alice, "alice-secret", ",x=y", 0, 0},
		{"escaped name", "a=b,c", "a=b,c-secret", "", 0, 0},
		{"distinguished name", ledger, ledger + "-secret", "", 0, 0},
		{"no SASLprep", "odd", "tab\there \u00ad пароль 😀 lead", "", 0, 0},
		{"wrong password", alice, "bob-secret", "", 58, 2},
		{"unknown user", "nobody", "x", "", 58, 1},
		{"user as token", alice, "alice-secret", ",tokenauth=true", 58, 1},
		{"name beyond ASCII", zoe, zoe + "-secret", "", 58, 1},
	} {
		for _, m := range []scramMechanism{scramSHA256, scramSHA512} {
			t.Run(tc.name+" "+m.String(), func(t *testing.T) {
				c := dial(t, b, SASLPlaintext)
				code, lifetime, step, message := c.scram(m, tc.user, tc.password, tc.extensions)
				if code != tc.code || step != tc.step || lifetime != 0 {
					t.Fatalf("code %d at step %d, lifetime %d", code, step, lifetime)
				}
				if code != 0 {
					if message != scramRefused+m.String() {
						t.Errorf("message %q", message)
					}
					c.closed(kmsg.NewPtrMetadataRequest())
				} else if r := c.create("", -1); r.ErrorCode != 0 || r.PrincipalName != tc.user {
					t.Errorf("signed in as %q", r.PrincipalName)
				}
			})
		}
	}
}

func TestPlainSignIn(t *testing.T) {
	b := start(t, Options{Bare: true})
	const wrong = "Authentication failed: Invalid username or password"
	for _, tc := range []struct{ name, message, want string }{
		{"right", "\x00alice\x00alice-secret", ""},
		{"right with authzid", "alice\x00alice\x00alice-secret", ""},
		{"beyond ASCII", "\x00zoë\x00zoë-secret", ""},
		{"wrong password", "\x00alice\x00x", wrong},
		{"unknown user", "\x00nobody\x00x", wrong},
		{"another authzid", "bob\x00alice\x00alice-secret", errOtherAuthzid.text},
		{"no user", "\x00\x00x", "Authentication failed: username not specified"},
		{"no password", "\x00alice\x00", "Authentication failed: password not specified"},
		{"two tokens", "alice\x00alice-secret", "Invalid SASL/PLAIN response: expected 3 tokens, got 2"},
		{"a NUL in the password", "\x00alice\x00alice\x00secret", "Invalid SASL/PLAIN response: expected 3 tokens, got 4"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := dial(t, b, SASLPlaintext)
			c.handshake(kafka.MechanismPlain)
			resp, err := c.token([]byte(tc.message))
			if err != nil {
				t.Fatal(err)
			}
			if (tc.want == "") != (resp.ErrorCode == 0) || *resp.ErrorMessage != tc.want {
				t.Errorf("code %d, message %q", resp.ErrorCode, *resp.ErrorMessage)
			}
			if tc.want != "" {
				c.closed(kmsg.NewPtrMetadataRequest())
			}
		})
	}
}

func TestTokenSignIn(t *testing.T) {
	b, clock := bare(t, Cluster{})
	a := as(t, b, alice)
	made := a.create("", 10_000)
	password := hmacText(made.HMAC)
	ask := func(id, password, extensions string) (*client, int16, int64, int) {
		c := dial(t, b, SASLPlaintext)
		code, lifetime, step, _ := c.scram(scramSHA512, id, password, extensions)
		return c, code, lifetime, step
	}
	if _, code, _, step := ask(made.TokenID, password, ""); code != 58 || step != 1 {
		t.Errorf("without tokenauth: code %d at step %d", code, step)
	}
	if _, code, _, step := ask(made.TokenID, hmacText(make([]byte, 64)), ",tokenauth=true"); code != 58 || step != 2 {
		t.Errorf("wrong HMAC: code %d at step %d", code, step)
	}
	if _, code, _, step := ask("t-1", password, ",tokenauth=true"); code != 58 || step != 1 {
		t.Errorf("unknown token: code %d at step %d", code, step)
	}
	clock.Advance(4 * time.Second)
	c, code, lifetime, _ := ask(made.TokenID, password, ",tokenauth=TRUE")
	if code != 0 || lifetime != 6000 {
		t.Fatalf("code %d, lifetime %d, want 0 and 6000", code, lifetime)
	}
	for _, req := range []kmsg.Request{createRequest("User:bob", -1, "Group:x"), describeRequest()} {
		resp, err := c.ask(req)
		if err != nil {
			t.Fatal(err)
		}
		switch resp := resp.(type) {
		case *kmsg.CreateDelegationTokenResponse:
			if resp.ErrorCode != 64 || resp.TokenRequesterPrincipalName != alice || resp.MaxTimestamp != -1 {
				t.Errorf("create: code %d requester %q", resp.ErrorCode, resp.TokenRequesterPrincipalName)
			}
		case *kmsg.DescribeDelegationTokenResponse:
			if resp.ErrorCode != 64 || len(resp.TokenDetails) != 0 {
				t.Errorf("describe: code %d", resp.ErrorCode)
			}
		}
	}
	if r := c.renew(made.HMAC, -1); r.ErrorCode != 64 || r.ExpiryTimestamp != -1 {
		t.Errorf("renew: code %d expiry %d", r.ErrorCode, r.ExpiryTimestamp)
	}
	if r := c.expire(made.HMAC, -1); r.ErrorCode != 64 || r.ExpiryTimestamp != -1 {
		t.Errorf("expire: code %d expiry %d", r.ErrorCode, r.ExpiryTimestamp)
	}
	// Removing the token does not end the session; its expiry at sign-in does.
	if r := a.expire(made.HMAC, -1); r.ErrorCode != 0 {
		t.Fatal(r.ErrorCode)
	}
	clock.Advance(5999 * time.Millisecond)
	do[*kmsg.MetadataResponse](c, kmsg.NewPtrMetadataRequest())
	clock.Advance(time.Millisecond)
	c.closed(kmsg.NewPtrMetadataRequest())
	if _, code, _, _ := ask(made.TokenID, password, ",tokenauth=true"); code != 58 {
		t.Errorf("sign-in with a removed token: code %d", code)
	}
}

func TestExpiredTokenSignIn(t *testing.T) {
	b, clock := bare(t, Cluster{})
	made := as(t, b, alice).create("", 1000)
	clock.Advance(2 * time.Second)
	c := dial(t, b, SASLPlaintext)
	if code, lifetime, _, _ := c.scram(scramSHA256, made.TokenID, hmacText(made.HMAC), ",tokenauth=true"); code != 0 || lifetime != 0 {
		t.Fatalf("code %d lifetime %d, want 0 and 0", code, lifetime)
	}
	c.closed(kmsg.NewPtrMetadataRequest())
}

func TestTokenOfAGroup(t *testing.T) {
	b, _ := bare(t, Cluster{})
	made := as(t, b, admin).create("Group:bob", -1)
	c := dial(t, b, SASLPlaintext)
	if code, _, _, _ := c.scram(scramSHA256, made.TokenID, hmacText(made.HMAC), ",tokenauth=true"); code != 0 {
		t.Fatal(code)
	}
	if r := c.create("", -1); r.ErrorCode != 64 || r.PrincipalType != "User" || r.PrincipalName != bob {
		t.Errorf("the session is %s:%s", r.PrincipalType, r.PrincipalName)
	}
}

func TestSessionLifetimes(t *testing.T) {
	now := epoch.UnixMilli()
	token := identity{tokenAuth: true, expires: now + 5000}
	late := identity{tokenAuth: true, expires: now - 1}
	var password identity
	for _, tc := range []struct {
		name           string
		release        release
		limit          time.Duration
		who            identity
		ends, lifetime int64
	}{
		{"password", kafka44(), 0, password, 0, 0},
		{"password with a limit", kafka44(), time.Second, password, now + 1000, 1000},
		{"token", kafka44(), 0, token, now + 5000, 5000},
		{"token with a lower limit", kafka44(), time.Second, token, now + 1000, 1000},
		{"token with a higher limit", kafka44(), time.Minute, token, now + 5000, 5000},
		{"expired token", kafka44(), 0, late, now, 0},
		{"expired token with a limit", kafka44(), time.Minute, late, now, 0},
		{"2.8: token", kafka28(), 0, token, 0, 0},
		{"2.8: token with a limit", kafka28(), time.Second, token, now + 1000, 1000},
		{"2.8: token with a higher limit", kafka28(), time.Minute, token, now + 5000, 5000},
		{"2.8: expired token", kafka28(), time.Minute, late, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := setup{release: tc.release, Cluster: Cluster{MaxReauth: tc.limit}}
			if ends, lifetime := s.sessionEnd(tc.who, now); ends != tc.ends || lifetime != tc.lifetime {
				t.Errorf("ends %+d lifetime %d, want %+d %d", ends-now, lifetime, tc.ends-now, tc.lifetime)
			}
		})
	}
}
