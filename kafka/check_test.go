package kafka

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// checked is a diagnosis without the network's name server. names are what it
// would know.
func checked(t *testing.T, s Settings, names map[string][]string) Diagnosis {
	t.Helper()
	var reported Diagnosis
	d := checkWith(t.Context(), s, func(s Step) { reported = append(reported, s) }, (&net.Dialer{}).DialContext,
		func(_ context.Context, _, host string) ([]netip.Addr, error) {
			var all []netip.Addr
			for _, a := range names[host] {
				all = append(all, netip.MustParseAddr(a))
			}
			if len(all) == 0 {
				return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
			}
			return all, nil
		}, clock{time.Now, sleep})
	if reported.String() != d.String() {
		t.Errorf("reported\n%s\nreturned\n%s", reported, d)
	}
	noLeak(t, d.String(), "wr0ng")
	return d
}

// verdicts is a diagnosis in short.
func verdicts(d Diagnosis) string {
	var b strings.Builder
	for _, s := range d {
		fmt.Fprintf(&b, "%s %s; ", s.Name, s.Verdict)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// says fails unless the step has the verdict and its text the words.
func says(t *testing.T, d Diagnosis, step string, verdict Verdict, words ...string) {
	t.Helper()
	for _, s := range d {
		if s.Name != step || s.Verdict != verdict {
			continue
		}
		for _, w := range words {
			if !strings.Contains(s.String(), w) {
				t.Errorf("%s does not say %q:\n%s", step, w, s)
			}
		}
		return
	}
	t.Errorf("no step %s that is %s in\n%s", step, verdict, d)
}

// changes are the requests that would change something.
func changes(s *stub) int {
	n := 0
	for _, key := range []int16{19, 20, 30, 31, 33, 38, 39, 40, 44, 49, 51} {
		n += s.count(key)
	}
	return n
}

func TestCheck(t *testing.T) {
	s := opsStub(t, sources)
	d := checked(t, settingsFor(s), nil)
	const want = "look up skipped; connect ok; API versions ok; sign in warn; cluster ok; tokens ok; create tokens ok; ACL rules ok; quotas ok; SCRAM users ok; result ok"
	if got := verdicts(d); got != want || !d.OK() {
		t.Errorf("%s\n%s", got, d)
	}
	says(t, d, "API versions", VerdictOK, s.address(), "level 33", "offers delegation tokens")
	says(t, d, "sign in", VerdictWarn, "signed in as ops with PLAIN", "does not encrypt")
	says(t, d, "cluster", VerdictOK, "cluster-1")
	says(t, d, "tokens", VerdictOK, "sees 2")
	if s.sasl.attempts() != 1 || s.connections() != 1 || changes(s) != 0 {
		t.Errorf("%d attempts, %d connections, %d changes", s.sasl.attempts(), s.connections(), changes(s))
	}
	var back []map[string]any
	text, err := json.Marshal(d)
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || len(back) != len(d) || back[1]["step"] != "connect" || back[1]["verdict"] != "ok" || back[1]["ms"] == nil {
		t.Errorf("%v: %s", err, text)
	}
}

// A refused password is tried once, whatever the number of addresses; the
// network of the others is looked at all the same.
func TestCheckSignsInOnce(t *testing.T) {
	first, second := opsStub(t), opsStub(t)
	settings := settingsFor(first)
	settings.Bootstrap = []string{first.address(), second.address()}
	settings.SASL.Password = NewSecret([]byte("wr0ng-one"))
	d := checked(t, settings, nil)
	const want = "look up skipped; connect ok; API versions ok; look up skipped; connect ok; API versions ok; sign in fail; result fail"
	if got := verdicts(d); got != want || d.OK() {
		t.Errorf("%s\n%s", got, d)
	}
	says(t, d, "sign in", VerdictFail, first.address(), "refuses the sign-in of user ops with PLAIN", "password is wrong")
	if n := first.sasl.attempts() + second.sasl.attempts(); n != 1 {
		t.Errorf("%d attempts", n)
	}
}

// E-cases of the bootstrap list: a dead address first, a name with a dead
// record, a name that nobody knows, a port where something else listens.
func TestCheckAddresses(t *testing.T) {
	t.Parallel()
	s := opsStub(t, sources)
	_, port, _ := net.SplitHostPort(s.address())
	silent := make(chan struct{})
	t.Cleanup(func() { close(silent) })
	halfDead := serveRaw(t, func(net.Conn) { <-silent })
	settings := settingsFor(s)
	settings.ConnectTimeout = 2 * time.Second // of the others as well
	settings.Bootstrap = []string{halfDead, "nowhere.example:9092", "two.example:" + port}
	d := checked(t, settings, map[string][]string{"two.example": {"127.0.0.77", "127.0.0.1"}})
	says(t, d, "API versions", VerdictFail, halfDead, "no complete answer came within 2s")
	says(t, d, "look up", VerdictFail, "nowhere.example:9092", "the host name is not known", "Check the host name")
	says(t, d, "look up", VerdictOK, "127.0.0.77, 127.0.0.1")
	says(t, d, "connect", VerdictWarn, "127.0.0.1 answers; 127.0.0.77: nothing listens")
	says(t, d, "result", VerdictWarn, "over two.example:"+port, "2 of 3 bootstrap addresses")
	if !d.OK() || s.sasl.attempts() != 1 {
		t.Errorf("%d attempts\n%s", s.sasl.attempts(), d)
	}

	settings.Bootstrap = []string{"nowhere.example:9092"}
	if d = checked(t, settings, nil); d.OK() || verdicts(d) != "look up fail; sign in skipped; result fail" {
		t.Error(d)
	}
	settings.Bootstrap = nil
	if d = checked(t, settings, nil); d.OK() || verdicts(d) != "settings fail; result fail" {
		t.Error(d)
	}
}

// A tunnel to one broker: the advertised addresses do not matter.
func TestCheckThroughATunnel(t *testing.T) {
	s := opsStub(t, sources, func(s *stub) {
		s.set(3, func(r kmsg.Request) answer {
			m := r.ResponseKind().(*kmsg.MetadataResponse)
			m.Brokers = []kmsg.MetadataResponseBroker{{NodeID: 1, Host: "unreachable.invalid", Port: 9092}}
			return reply(m)
		})
	})
	d := checked(t, settingsFor(s), nil)
	says(t, d, "cluster", VerdictOK, "unreachable.invalid:9092", "asks none but the address it dialled")
	if !d.OK() || s.connections() != 1 {
		t.Errorf("%d connections\n%s", s.connections(), d)
	}
}

func TestCheckRights(t *testing.T) {
	s := opsStub(t, sources)
	s.set(29, func(r kmsg.Request) answer {
		out := r.ResponseKind().(*kmsg.DescribeACLsResponse)
		out.ErrorCode = 31
		return reply(out)
	})
	s.set(50, func(kmsg.Request) answer { return answer{drop: true} })
	d := checked(t, settingsFor(s), nil)
	says(t, d, "ACL rules", VerdictWarn, "may not list ACL rules", "allow Describe on the Cluster resource")
	says(t, d, "quotas", VerdictOK)
	says(t, d, "SCRAM users", VerdictFail, "closed the connection")
	if !d.OK() || s.sasl.attempts() != 1 {
		t.Errorf("%d attempts\n%s", s.sasl.attempts(), d)
	}
}

func TestCheckSaysWhyTokensAreOff(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*stub)
		want   string
	}{
		"no API":        {func(s *stub) { delete(s.offered, 41) }, "offers no delegation token requests"},
		"old metadata":  {func(s *stub) { s.level = 11 }, "detected 3.5-IV2"},
		"no secret key": {func(s *stub) { s.set(41, describeCode(61)) }, "no delegation.token.secret.key"},
		"refused":       {func(s *stub) { s.set(41, describeCode(64)) }, "refuses token requests"},
	} {
		t.Run(name, func(t *testing.T) {
			s := opsStub(t, sources, test.change)
			d := checked(t, settingsFor(s), nil)
			says(t, d, "tokens", VerdictFail, test.want)
			says(t, d, "create tokens", VerdictSkipped)
			says(t, d, "ACL rules", VerdictOK)
			says(t, d, "result", VerdictFail)
			if d.OK() {
				t.Error(d)
			}
		})
	}
}

func TestCheckTokenSources(t *testing.T) {
	s := bearerStub(t, "t", jwt(`{"sub":"alice","exp":1700000000}`))
	for name, test := range map[string]struct {
		credentials Credentials
		step        string
		verdict     Verdict
		want        string
		ok          bool
	}{
		"opaque":  {Credentials{Mechanism: MechanismOAuth, OAuth: &oneToken{token: "t"}}, "OAuth token", VerdictOK, "cannot be read here", true},
		"expired": {Credentials{Mechanism: MechanismOAuth, OAuth: &oneToken{token: jwt(`{"sub":"alice","exp":1700000000}`)}}, "OAuth token", VerdictWarn, "expired by this machine's clock: subject alice", true},
		"none":    {Credentials{Mechanism: MechanismOAuth, OAuth: &oneToken{err: hintedError{context.Canceled, "Look."}}}, "OAuth token", VerdictFail, "Look.", false},
		"ticket":  {Credentials{Mechanism: MechanismKerberos, Kerberos: &fakeTickets{of: "good"}}, "Kerberos ticket", VerdictOK, "a ticket of good@EXAMPLE.COM for kafka/127.0.0.1", true},
		"no KDC":  {Credentials{Mechanism: MechanismKerberos, Kerberos: &fakeTickets{}}, "Kerberos ticket", VerdictFail, "the KDC cannot be reached", false},
	} {
		t.Run(name, func(t *testing.T) {
			settings := settingsFor(s)
			settings.SASL = &test.credentials
			d := checked(t, settings, nil)
			says(t, d, test.step, test.verdict, test.want)
			if d.OK() != test.ok {
				t.Error(d)
			}
		})
	}
}

func TestCheckCanBeStopped(t *testing.T) {
	s := newStub(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.set(18, func(kmsg.Request) answer { cancel(); return answer{hang: true} })
	d := Check(ctx, settingsFor(s), nil)
	says(t, d, "result", VerdictFail, "stopped")
	if d.OK() || s.count(3) != 0 {
		t.Error(d)
	}
}
