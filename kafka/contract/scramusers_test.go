package contract

import (
	"cmp"
	"crypto/rand"
	"errors"
	"os"
	"slices"
	"time"

	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/raw"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func scramUserCases() []contractCase {
	return only(offering(scramUsers), []contractCase{
		{"SCRAM users: made, listed, sign in, changed, deleted", scramLifecycle, always},
		{"SCRAM users: what is refused, with Kafka's words", scramInvalid, always},
		{"SCRAM users: unknown and doubled names in a list", scramListed, always},
		{"SCRAM users: rights to list and to change", scramRights, always},
		{"SCRAM users: tokens are not among them", scramNoTokens, offering(createToken)},
		{"SCRAM users: null asks for all, and hangs without the right", scramNull, since("3.5")},
		{"SCRAM users: null asks for all, and is refused without the right", scramNullRefused, before("3.5")},
		{"SCRAM users: a name beyond ASCII can be stored and cannot sign in", scramNotASCII, always},
	})
}

func mechanismCode(mechanism string) int8 {
	return map[string]int8{raw.ScramSHA256: 1, raw.ScramSHA512: 2}[mechanism]
}

func upsertion(name, mechanism, password string, iterations int32) kmsg.AlterUserSCRAMCredentialsRequestUpsertion {
	u := kmsg.NewAlterUserSCRAMCredentialsRequestUpsertion()
	u.Name, u.Mechanism, u.Iterations = name, mechanismCode(mechanism), iterations
	u.Salt = []byte(rand.Text())
	u.SaltedPassword, _ = raw.SaltedPassword(mechanism, password, u.Salt, int(max(iterations, 1)))
	return u
}

func deletion(name string, mechanism int8) kmsg.AlterUserSCRAMCredentialsRequestDeletion {
	d := kmsg.NewAlterUserSCRAMCredentialsRequestDeletion()
	d.Name, d.Mechanism = name, mechanism
	return d
}

// userOutcome is the outcome for a user.
type userOutcome struct {
	user string
	outcome
}

// alterScram sends upsertions and deletions; the outcomes are sorted by user.
func (c *client) alterScram(changes ...any) (outcomes []userOutcome) {
	c.Helper()
	req := kmsg.NewPtrAlterUserSCRAMCredentialsRequest()
	for _, change := range changes {
		switch change := change.(type) {
		case kmsg.AlterUserSCRAMCredentialsRequestUpsertion:
			req.Upsertions = append(req.Upsertions, change)
		case kmsg.AlterUserSCRAMCredentialsRequestDeletion:
			req.Deletions = append(req.Deletions, change)
		}
	}
	for _, r := range do[*kmsg.AlterUserSCRAMCredentialsResponse](c, req).Results {
		outcomes = append(outcomes, userOutcome{r.User, outcomeOf(r.ErrorCode, r.ErrorMessage)})
	}
	slices.SortFunc(outcomes, func(a, b userOutcome) int { return cmp.Compare(a.user, b.user) })
	return outcomes
}

func (c *client) setPassword(name, mechanism, password string) {
	c.Helper()
	equal(c.env, "outcome of AlterUserScramCredentials", c.alterScram(upsertion(name, mechanism, password, 4096)),
		[]userOutcome{{name, c.altered()}})
}

func scramRequest(users ...string) *kmsg.DescribeUserSCRAMCredentialsRequest {
	req := kmsg.NewPtrDescribeUserSCRAMCredentialsRequest()
	// Never null: with null and without the right, Kafka gives no answer.
	req.Users = []kmsg.DescribeUserSCRAMCredentialsRequestUser{}
	for _, name := range users {
		user := kmsg.NewDescribeUserSCRAMCredentialsRequestUser()
		user.Name = name
		req.Users = append(req.Users, user)
	}
	return req
}

func (c *client) scramUsers(users ...string) *kmsg.DescribeUserSCRAMCredentialsResponse {
	c.Helper()
	return do[*kmsg.DescribeUserSCRAMCredentialsResponse](c, scramRequest(users...))
}

// iterations are those of a user's credentials by mechanism, empty where the
// user has none.
func (c *client) iterations(name string) map[int8]int32 {
	c.Helper()
	found := map[int8]int32{}
	for _, r := range c.scramUsers(name).Results {
		for _, info := range r.CredentialInfos {
			found[info.Mechanism] = info.Iterations
		}
	}
	return found
}

func (c *client) hasScram(name, mechanism string) bool {
	c.Helper()
	_, ok := c.iterations(name)[mechanismCode(mechanism)]
	return ok
}

func scramLifecycle(e *env) {
	admin := e.admin()
	for _, name := range []string{e.fresh("u"), e.fresh("user with = and ,"), "CN=" + e.fresh("x") + ",OU=a"} {
		none := userOutcome{name, e.altered()}
		equal(e, "two mechanisms", admin.alterScram(upsertion(name, raw.ScramSHA256, "one", 4096)), []userOutcome{none})
		equal(e, "two mechanisms", admin.alterScram(upsertion(name, raw.ScramSHA512, "one", 16384)), []userOutcome{none})
		e.await("both are listed", arrival, func() bool { return len(admin.iterations(name)) == 2 })
		equal(e, "iterations", admin.iterations(name), map[int8]int32{1: 4096, 2: 16384})
		cred := raw.Credentials{Mechanism: raw.ScramSHA512, User: name, Password: "one"}
		e.sessionOn(apache.SASLPlaintext, cred)

		equal(e, "another password", admin.alterScram(upsertion(name, raw.ScramSHA512, "two", 5000)), []userOutcome{none})
		e.await("the new one is listed", arrival, func() bool { return admin.iterations(name)[2] == 5000 })
		e.await("the old password is refused", arrival, func() bool {
			_, _, err := e.signIn(apache.SASLPlaintext, cred)
			var refused *raw.Refused
			return errors.As(err, &refused)
		})
		cred.Password = "two"
		e.sessionOn(apache.SASLPlaintext, cred)

		equal(e, "one deleted", admin.alterScram(deletion(name, 2)), []userOutcome{none})
		e.await("one is listed", arrival, func() bool { return len(admin.iterations(name)) == 1 })
		equal(e, "the other deleted", admin.alterScram(deletion(name, 1)), []userOutcome{none})
		e.await("none is listed", arrival, func() bool { return len(admin.iterations(name)) == 0 })
	}
}

func scramInvalid(e *env) {
	admin := e.admin()
	name := e.fresh("u")
	unknown := upsertion(name, raw.ScramSHA256, "x", 4096)
	unknown.Mechanism = 3
	for _, test := range []struct {
		change any
		user   string
		want   outcome
	}{
		{upsertion("", raw.ScramSHA256, "x", 4096), "", outcome{93, "Username must not be empty"}},
		{deletion("", 1), "", outcome{93, "Username must not be empty"}},
		{upsertion(name, raw.ScramSHA256, "x", 4095), name, outcome{93, "Too few iterations"}},
		{upsertion(name, raw.ScramSHA512, "x", 4095), name, outcome{93, "Too few iterations"}},
		{upsertion(name, raw.ScramSHA256, "x", 16385), name, outcome{93, "Too many iterations"}},
		{upsertion(name, raw.ScramSHA256, "x", 0), name, outcome{93, "Too few iterations"}},
		{unknown, name, outcome{33, "Unknown SCRAM mechanism"}},
		{deletion(name, 3), name, outcome{33, "Unknown SCRAM mechanism"}},
		{deletion(name, 1), name, outcome{91, "Attempt to delete a user credential that does not exist"}},
	} {
		equal(e, "outcome", admin.alterScram(test.change), []userOutcome{{test.user, test.want}})
	}
	twice := outcome{92, "A user credential cannot be altered twice in the same request"}
	equal(e, "the same credential set twice", admin.alterScram(upsertion(name, raw.ScramSHA256, "x", 4096), upsertion(name, raw.ScramSHA256, "y", 4096)),
		[]userOutcome{{name, twice}})
	// With ZooKeeper two mechanisms of one user are two credentials.
	two := twice
	if e.Kafka().ZooKeeper() {
		two = e.altered()
	}
	equal(e, "both credentials of a user", admin.alterScram(upsertion(name, raw.ScramSHA256, "x", 4096), upsertion(name, raw.ScramSHA512, "y", 4096)),
		[]userOutcome{{name, two}})
	if two == e.altered() {
		equal(e, "and deleted", admin.alterScram(deletion(name, 1), deletion(name, 2)), []userOutcome{{name, two}})
	}
	there := e.user()
	equal(e, "set and deleted", admin.alterScram(upsertion(there, raw.ScramSHA256, "x", 4096), deletion(there, 1)),
		[]userOutcome{{there, twice}})
	absent := outcome{91, "Attempt to delete a user credential that does not exist"}
	if e.Kafka().ZooKeeper() {
		absent = twice // there it is seen first
	}
	equal(e, "set and deleted where there is none", admin.alterScram(upsertion(name, raw.ScramSHA256, "x", 4096), deletion(name, 1)),
		[]userOutcome{{name, absent}})
	other := e.fresh("v")
	equal(e, "a bad and a good one", admin.alterScram(upsertion(name, raw.ScramSHA256, "x", 1), upsertion(other, raw.ScramSHA256, "x", 4096)),
		[]userOutcome{{name, outcome{93, "Too few iterations"}}, {other, e.altered()}})
	e.await("the good one is listed", arrival, func() bool { return len(admin.iterations(other)) == 1 })
	equal(e, "the bad one", admin.iterations(name), map[int8]int32{})
}

func scramListed(e *env) {
	admin := e.admin()
	name, nobody := e.user(), e.fresh("nobody")
	all := admin.scramUsers()
	equal(e, "outcome", outcomeOf(all.ErrorCode, all.ErrorMessage), outcome{0, ""})
	for _, want := range append([]string{name}, apache.Users...) {
		if !slices.ContainsFunc(all.Results, func(r kmsg.DescribeUserSCRAMCredentialsResponseResult) bool {
			return r.User == want && r.ErrorCode == 0 && len(r.CredentialInfos) == 2
		}) {
			e.Fatalf("%s is not listed with two mechanisms", want)
		}
	}
	some := admin.scramUsers(name, nobody)
	equal(e, "outcome", outcomeOf(some.ErrorCode, some.ErrorMessage), outcome{0, ""})
	var got []userOutcome
	for _, r := range some.Results {
		got = append(got, userOutcome{r.User, outcomeOf(r.ErrorCode, r.ErrorMessage)})
	}
	slices.SortFunc(got, func(a, b userOutcome) int { return int(a.code) - int(b.code) })
	equal(e, "a known and an unknown user", got, []userOutcome{
		{name, outcome{0, ""}},
		{nobody, outcome{91, "Attempt to describe a user credential that does not exist: " + nobody}},
	})
	twice := admin.scramUsers(name, name).Results
	equal(e, "results for a name given twice", len(twice), 1)
	equal(e, "outcome", outcomeOf(twice[0].ErrorCode, twice[0].ErrorMessage),
		outcome{92, "Cannot describe SCRAM credentials for the same user twice in a single request: " + name})
}

func scramRights(e *env) {
	user := e.user()
	c := e.as(user)
	list := func() int16 {
		r := c.scramUsers()
		if r.ErrorCode != 0 {
			equal(e, "refusal to list", outcomeOf(r.ErrorCode, r.ErrorMessage), outcome{31, "null"})
		}
		return r.ErrorCode
	}
	name := e.fresh("u")
	change := func() int16 {
		got := c.alterScram(upsertion(name, raw.ScramSHA256, "x", 4096))
		equal(e, "entries", len(got), 1)
		return got[0].code
	}
	equal(e, "list without a right", list(), 31)
	equal(e, "change without a right", change(), 31)
	e.allow(user, kmsg.ACLResourceTypeCluster, "kafka-cluster", kmsg.ACLOperationDescribe, func() bool { return list() == 0 })
	equal(e, "change with Describe", change(), 31)
	e.allow(user, kmsg.ACLResourceTypeCluster, "kafka-cluster", kmsg.ACLOperationAlter, func() bool { return change() == 0 })
}

func scramNoTokens(e *env) {
	t := e.as(e.user()).newToken(newToken{})
	e.session(t)
	equal(e, "credentials of the token's id", e.admin().iterations(t.id), map[int8]int32{})
}

// scramNull: without the right, Kafka fails while it builds the refusal and
// gives no answer, neither to this request nor to any later one of the
// connection.
func scramNull(e *env) {
	req := scramRequest()
	req.Users = nil
	r := do[*kmsg.DescribeUserSCRAMCredentialsResponse](e.admin(), req)
	equal(e, "code", r.ErrorCode, 0)
	equal(e, "users are listed", len(r.Results) >= len(apache.Users), true)

	c := e.as(e.user())
	for range 2 {
		id, err := c.conn.Send(req)
		if err != nil {
			e.Fatal(err)
		}
		if r, err := c.conn.Receive(req, id, time.Second/2); !errors.Is(err, os.ErrDeadlineExceeded) {
			e.Fatalf("want no answer and an open connection, got %v and %v", r, err)
		}
	}
}

func scramNullRefused(e *env) {
	req := scramRequest()
	req.Users = nil
	r := do[*kmsg.DescribeUserSCRAMCredentialsResponse](e.admin(), req)
	equal(e, "code", r.ErrorCode, 0)
	equal(e, "users are listed", len(r.Results) >= len(apache.Users), true)
	r = do[*kmsg.DescribeUserSCRAMCredentialsResponse](e.as(e.user()), req)
	equal(e, "refusal", outcomeOf(r.ErrorCode, r.ErrorMessage), outcome{31, "null"})
}

// scramNotASCII: Kafka's SCRAM messages allow ASCII only.
func scramNotASCII(e *env) {
	admin := e.admin()
	name := e.fresh("ünal")
	admin.setPassword(name, raw.ScramSHA256, "x")
	e.await("the user is listed", arrival, func() bool { return admin.hasScram(name, raw.ScramSHA256) })
	equal(e, "refusal", *e.refused(apache.SASLPlaintext, raw.Credentials{Mechanism: raw.ScramSHA256, User: name, Password: "x"}),
		raw.Refused{Step: 1, Code: 58, Text: e.wrongSCRAM(raw.ScramSHA256)})
}
