package contract

import (
	"crypto/hmac"
	"crypto/sha512"
	"regexp"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func createCases() []contractCase {
	return only(offering(createToken), []contractCase{
		{"create: described as it was created", createDescribed, always},
		{"create: the HMAC is HmacSHA512 of the id", createHMAC, always},
		{"create: a lifetime of nothing or less is the cluster's, a long one is capped", createLifetimes, always},
		{"create: renewers are kept as given", createRenewers, always},
		{"create: renewers of another type are refused", createRenewerTypes, always},
		{"create: by the super user, for itself", createBySuper, always},
	})
}

func createDescribed(e *env) {
	owner := e.user()
	c := e.as(owner)
	before := e.millis()
	first := c.newToken(newToken{renewers: []string{"User:renewer1"}})
	equal(e, "owner", first.owner, "User:"+owner)
	equal(e, "requester", first.requester, e.requester("User:"+owner))
	within(e, "issue time", first.issued, before, e.millis())
	equal(e, "lifetime", first.ends-first.issued, e.Settings().MaxLifetime.Milliseconds())
	equal(e, "time to expiry", first.expires-first.issued, e.Settings().ExpiryTime.Milliseconds())
	equal(e, "tokens", c.describe(nil), []token{first})

	second := c.newToken(newToken{renewers: []string{"User:renewer2"}})
	equal(e, "both tokens", c.ids(nil), idsOf(first, second))
	equal(e, "tokens of renewer2", c.describe(ownerFilter{"User:renewer2"}), []token{second})
}

func createHMAC(e *env) {
	t := e.as(e.user()).newToken(newToken{})
	if !regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_-]{21}$`).MatchString(t.id) {
		e.Fatalf("token id %q", t.id)
	}
	mac := hmac.New(sha512.New, []byte(e.Settings().SecretKey))
	mac.Write([]byte(t.id))
	// Not compared with equal: it would print the HMAC.
	if t.hmac != string(mac.Sum(nil)) {
		e.Fatalf("the HMAC of %d bytes is not HmacSHA512(secret key, id)", len(t.hmac))
	}
}

func createLifetimes(e *env) {
	most, expiry := e.Settings().MaxLifetime.Milliseconds(), e.Settings().ExpiryTime.Milliseconds()
	hour := time.Hour.Milliseconds()
	req := createRequest(newToken{})
	c := e.as(e.user())
	for _, test := range []struct{ asked, life, expiry int64 }{
		{-1, most, expiry},
		{0, most, expiry},
		{-5, most, expiry},
		{-1 << 63, most, expiry},
		{hour, hour, hour},
		{2 * expiry, 2 * expiry, expiry},
		{most, most, expiry},
		{most + 1, most, expiry},
		{9999999999999, most, expiry},
		{1<<63 - 1, most, expiry},
		{1, 1, 1},
	} {
		req.MaxLifetimeMillis = test.asked
		r := do[*kmsg.CreateDelegationTokenResponse](c, req)
		equal(e, "code", r.ErrorCode, 0)
		got := [3]int64{test.asked, r.MaxTimestamp - r.IssueTimestamp, r.ExpiryTimestamp - r.IssueTimestamp}
		equal(e, "lifetime asked for, given, time to expiry", got, [3]int64{test.asked, test.life, test.expiry})
	}
}

func createRenewers(e *env) {
	owner := e.user()
	c := e.as(owner)
	for _, renewers := range [][]string{
		nil,
		{"User:b", "User:a", "User:c"},
		{"User:a", "User:a"},
		{"User:" + owner},
		{"User:"},
		{"User:CN=alice,OU=a:b c"},
	} {
		t := c.newToken(newToken{renewers: renewers})
		equal(e, "renewers", c.shown(t.id).renewers, renewers)
	}
}

func createRenewerTypes(e *env) {
	owner := e.user()
	c := e.as(owner)
	for _, renewers := range [][]string{{"Group:a"}, {"user:a"}, {"USER:a"}, {":a"}, {"User:a", "Group:b"}} {
		r := c.create(newToken{renewers: renewers})
		equal(e, "answer", refusalOf(r), e.refusal(67, "User:"+owner, "User:"+owner, -1))
	}
	equal(e, "tokens", c.ids(nil), []string{})
}

// refusal is what a refused create carries besides an empty id and HMAC.
type refusal struct {
	code             int16
	owner, requester string
	// times are the three timestamps: -1 from the broker, 0 from a controller
	// of KRaft.
	times int64
}

// refusal is one as the release words it: below version 3 without a requester.
func (e *env) refusal(code int16, owner, requester string, times int64) refusal {
	return refusal{code, owner, e.requester(requester), times}
}

func refusalOf(r *kmsg.CreateDelegationTokenResponse) refusal {
	times := r.IssueTimestamp
	if r.ExpiryTimestamp != times || r.MaxTimestamp != times || r.TokenID != "" || len(r.HMAC) > 0 {
		times = -2 // part of a token in a refusal, or times that differ
	}
	return refusal{
		r.ErrorCode, principal(r.PrincipalType, r.PrincipalName),
		principal(r.TokenRequesterPrincipalType, r.TokenRequesterPrincipalName), times,
	}
}

func createBySuper(e *env) {
	t := e.admin().newToken(newToken{})
	equal(e, "owner and requester", [2]string{t.owner, t.requester}, [2]string{"User:admin", e.requester("User:admin")})
}
