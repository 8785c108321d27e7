package contract

import (
	"slices"
	"time"

	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/raw"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func signInCases() []contractCase {
	return []contractCase{
		{"sign-in: users with each mechanism, without a limit", signInUsers, always},
		{"sign-in: wrong users and passwords, with Kafka's words", signInWrong, always},
		{"sign-in: a mechanism that is not enabled, with the list of those that are", signInMechanism, always},
		{"sign-in: a token with both SCRAM mechanisms, for as long as it lives", signInToken, both(offering(createToken), endsSessions)},
		{"sign-in: a token with both SCRAM mechanisms, without a limit", signInTokenUnlimited, both(offering(createToken), not(endsSessions))},
		{"sign-in: a wrong HMAC is refused at the second step, a wrong id at the first", signInWrongToken, offering(createToken)},
		{"sign-in: with tokenauth there is no user", signInTokenAuth, not(offering(createToken))},
		{"sign-in: an expired token that is not swept passes and is cut at once", signInExpired, both(offering(createToken), endsSessions)},
		{"sign-in: an expired token that is not swept passes and works", signInExpiredWorks, both(offering(createToken), not(endsSessions))},
		{"sign-in: a removed token is refused", signInRemoved, offering(createToken)},
		{"sign-in: a token of an owner that cannot sign in itself", signInOtherOwners, both(offering(createToken), since("3.3"))},
	}
}

// endsSessions are the releases that end the session of a token with the token
// also where connections.max.reauth.ms is not set (seen from 3.6 on, and in the
// classes of 3.3.2 but not of 3.2.3).
func endsSessions(r apache.Release) bool { return r.Since("3.3") }

const wrongPlain = "Authentication failed: Invalid username or password"

// wrongSCRAM is the text of a refused sign-in.
func (e *env) wrongSCRAM(mechanism string) string {
	if !e.Kafka().Since("2.0") {
		return "Authentication failed due to invalid credentials with SASL mechanism " + mechanism
	}
	return "Authentication failed during authentication due to invalid credentials with SASL mechanism " + mechanism
}

func signInUsers(e *env) {
	for _, listener := range []string{apache.SASLPlaintext, apache.SASLSSL} {
		for _, mechanism := range []string{raw.Plain, raw.ScramSHA256, raw.ScramSHA512} {
			for _, user := range apache.Users {
				c, s, err := e.signIn(listener, raw.Credentials{Mechanism: mechanism, User: user, Password: apache.Password(user)})
				if err != nil {
					e.Fatalf("%s with %s on %s: %v", user, mechanism, listener, err)
				}
				equal(e, "session lifetime", s.LifetimeMillis, 0)
				do[*kmsg.ApiVersionsResponse](c, anything())
				c.conn.Close()
			}
		}
	}
}

func signInWrong(e *env) {
	for _, mechanism := range []string{raw.Plain, raw.ScramSHA256, raw.ScramSHA512} {
		for user, step := range map[string]int{"alice": 2, e.fresh("nobody"): 1} {
			want := raw.Refused{Step: step, Code: 58, Text: e.wrongSCRAM(mechanism)}
			if mechanism == raw.Plain {
				want.Step, want.Text = 1, wrongPlain
			}
			got := e.refused(apache.SASLPlaintext, raw.Credentials{Mechanism: mechanism, User: user, Password: "wrong"})
			equal(e, "refusal of "+mechanism, *got, want)
		}
	}
}

func signInMechanism(e *env) {
	for _, mechanism := range []string{"GSSAPI", "OAUTHBEARER", "scram-sha-256", ""} {
		got := e.refused(apache.SASLPlaintext, raw.Credentials{Mechanism: mechanism})
		slices.Sort(got.Mechanisms)
		equal(e, "refusal of "+mechanism, *got,
			raw.Refused{Code: 33, Mechanisms: []string{raw.Plain, raw.ScramSHA256, raw.ScramSHA512}})
	}
}

func signInToken(e *env) {
	t := e.as(e.user()).newToken(newToken{life: time.Hour.Milliseconds()})
	for _, listener := range []string{apache.SASLPlaintext, apache.SASLSSL} {
		for _, mechanism := range []string{raw.ScramSHA256, raw.ScramSHA512} {
			before := e.millis()
			_, s := e.sessionOn(listener, withToken(t, mechanism))
			within(e, "session lifetime", s.LifetimeMillis, t.expires-e.millis(), t.expires-before)
		}
	}
}

func signInTokenUnlimited(e *env) {
	t := e.as(e.user()).newToken(newToken{life: time.Hour.Milliseconds()})
	for _, listener := range []string{apache.SASLPlaintext, apache.SASLSSL} {
		for _, mechanism := range []string{raw.ScramSHA256, raw.ScramSHA512} {
			_, s := e.sessionOn(listener, withToken(t, mechanism))
			equal(e, "session lifetime", s.LifetimeMillis, 0)
		}
	}
}

// signInTokenAuth: before 1.1 the extension is not known, but the proof is of a
// message that has it; later, the user is looked for among the tokens.
func signInTokenAuth(e *env) {
	step := 1
	if !e.Kafka().Since("1.1") {
		step = 2
	}
	got := e.refused(apache.SASLPlaintext, raw.Credentials{
		Mechanism: raw.ScramSHA256, User: "alice", Password: apache.Password("alice"), Token: true,
	})
	equal(e, "refusal", *got, raw.Refused{Step: step, Code: 58, Text: e.wrongSCRAM(raw.ScramSHA256)})
}

func signInWrongToken(e *env) {
	user := e.user()
	c := e.as(user)
	t, other := c.newToken(newToken{}), c.newToken(newToken{})
	e.session(t)
	e.session(other)
	right := withToken(t, raw.ScramSHA256)
	with := func(change func(*raw.Credentials)) raw.Credentials { cred := right; change(&cred); return cred }
	for _, test := range []struct {
		name string
		cred raw.Credentials
		step int
	}{
		{"HMAC of another token", with(func(c *raw.Credentials) { c.Password = withToken(other, "").Password }), 2},
		{"HMAC without padding", with(func(c *raw.Credentials) { c.Password = c.Password[:86] }), 2},
		{"HMAC with a line break", with(func(c *raw.Credentials) { c.Password += "\n" }), 2},
		{"HMAC as bytes", with(func(c *raw.Credentials) { c.Password = t.hmac }), 2},
		{"unknown id", with(func(c *raw.Credentials) { c.User = "AAAAAAAAAAAAAAAAAAAAAA" }), 1},
		{"id in other letters", with(func(c *raw.Credentials) { c.User = otherFirst(c.User) }), 1},
		{"without tokenauth", with(func(c *raw.Credentials) { c.Token = false }), 1},
		{"a user's name with tokenauth", with(func(c *raw.Credentials) { c.User, c.Password = user, apache.Password(user) }), 1},
	} {
		equal(e, test.name, *e.refused(apache.SASLPlaintext, test.cred),
			raw.Refused{Step: test.step, Code: 58, Text: e.wrongSCRAM(raw.ScramSHA256)})
	}
	plain := raw.Credentials{Mechanism: raw.Plain, User: t.id, Password: right.Password}
	equal(e, "PLAIN", *e.refused(apache.SASLPlaintext, plain), raw.Refused{Step: 1, Code: 58, Text: wrongPlain})
}

// otherFirst is id with another first letter.
func otherFirst(id string) string {
	if id[0] == 'x' {
		return "y" + id[1:]
	}
	return "x" + id[1:]
}

func signInExpired(e *env) {
	e.expiredSession(func(c *client) { e.closed(c, describeRequest(3, nil)) })
}

func signInExpiredWorks(e *env) {
	e.expiredSession(func(c *client) { do[kmsg.Response](c, anything()) })
}

// expiredSession signs in with a token that has expired and is not swept yet.
func (e *env) expiredSession(use func(*client)) {
	e.unswept(func() bool {
		owner := e.as(e.user())
		t := owner.newToken(newToken{life: 1500})
		e.session(t)
		e.over(t.expires)
		c, s, err := e.signIn(apache.SASLPlaintext, withToken(t, raw.ScramSHA256))
		if err != nil && !owner.sees(t.id) {
			return true
		}
		if err != nil {
			e.Fatalf("sign-in with an expired token that is still listed: %v", err)
		}
		equal(e, "session lifetime", s.LifetimeMillis, 0)
		use(c)
		return false
	})
}

func signInRemoved(e *env) {
	c := e.as(e.user())
	t := c.newToken(newToken{})
	e.session(t)
	equal(e, "expire", c.expire(t, -1).code, 0)
	e.await("the token is gone", arrival, func() bool { return !c.sees(t.id) })
	equal(e, "refusal", *e.refused(apache.SASLPlaintext, withToken(t, raw.ScramSHA512)),
		raw.Refused{Step: 1, Code: 58, Text: e.wrongSCRAM(raw.ScramSHA512)})
}

func signInOtherOwners(e *env) {
	for _, owner := range []string{"User:" + e.fresh("nobody"), "Group:" + e.fresh("team"), "User:CN=" + e.fresh("x") + ",OU=a:b c"} {
		t := e.admin().newToken(newToken{owner: owner})
		c, _ := e.session(t)
		// A session is always of type User, whatever the owner's type.
		_, name := split(owner)
		equal(e, "principal of the session", refusalOf(c.create(newToken{})), e.refusal(64, "User:"+name, "User:"+name, -1))
	}
}
