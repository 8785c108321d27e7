package kafka

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"strings"
	"time"
)

// Verdict is how a step of a diagnosis came out.
type Verdict string

// The verdicts.
const (
	VerdictOK Verdict = "ok"
	// VerdictWarn is for what works and should be known.
	VerdictWarn    Verdict = "warn"
	VerdictFail    Verdict = "fail"
	VerdictSkipped Verdict = "skipped"
)

// Step is one line of a diagnosis. It holds no secret, and may be pasted into a
// ticket.
type Step struct {
	// Name is what was looked at, such as "connect" or "ACL rules".
	Name string `json:"step"`
	// Address is the bootstrap address that it is about, "" for the whole.
	Address string  `json:"address,omitempty"`
	Verdict Verdict `json:"verdict"`
	// Took is how long it took, 0 for what asked nobody.
	Took time.Duration `json:"-"`
	// Detail is what was found, in a phrase.
	Detail string `json:"detail"`
	// Hint is what to do about it, "" when there is nothing.
	Hint string `json:"hint,omitempty"`
}

// Diagnosis is all steps in their order. The last one is the result.
type Diagnosis []Step

// OK reports whether dtok can be used with these settings: it may still have
// something to tell.
func (d Diagnosis) OK() bool {
	return len(d) > 0 && d[len(d)-1].Verdict != VerdictFail && d[len(d)-1].Name == stepResult
}

// The names of the steps.
const (
	stepSettings = "settings"
	stepLookUp   = "look up"
	stepConnect  = "connect"
	stepTLS      = "TLS"
	stepVersions = "API versions"
	stepToken    = "OAuth token" //nolint:gosec // a name
	stepTicket   = "Kerberos ticket"
	stepSignIn   = "sign in"
	stepCluster  = "cluster"
	stepTokens   = "tokens"
	stepCreate   = "create tokens"
	stepResult   = "result"
)

// Check walks the way of a connection step by step and says of each how it came
// out: for every bootstrap address the name, TCP, TLS and the API versions; then
// one sign-in, at the first address that got so far; then what the connection
// may do, by asking and never by changing. report is called with each step as
// it ends; nil is allowed. Settings that cannot work are a step of their own.
func Check(ctx context.Context, s Settings, report func(Step)) Diagnosis {
	network := net.Dialer{}
	return checkWith(ctx, s, report, network.DialContext, net.DefaultResolver.LookupNetIP, s.clock())
}

// resolver looks all addresses of a name up.
type resolver func(ctx context.Context, network, host string) ([]netip.Addr, error)

// checker is a diagnosis in the making.
type checker struct {
	settings Settings
	dial     dialer
	resolve  resolver
	clock    clock
	report   func(Step)
	steps    Diagnosis
	// lost are the addresses that cannot be used.
	lost int
}

func checkWith(ctx context.Context, s Settings, report func(Step), dial dialer, resolve resolver, clk clock) Diagnosis {
	k := &checker{dial: dial, resolve: resolve, clock: clk, report: report}
	var err error
	if k.settings, err = s.check(); err != nil {
		k.add(Step{Name: stepSettings, Verdict: VerdictFail, Detail: err.Error()})
		k.add(Step{Name: stepResult, Verdict: VerdictFail, Detail: "nothing was dialled"})
		return k.steps
	}
	if k.settings.SASL != nil {
		defer k.settings.SASL.Password.Destroy()
	}
	k.walk(ctx)
	return k.steps
}

// walk goes all the way. The first connection that got as far as the API
// versions is kept for the sign-in.
func (k *checker) walk(ctx context.Context) {
	var kept *reached
	at := 0
	for i, address := range k.settings.Bootstrap {
		cn := k.reach(ctx, address)
		switch {
		case cn == nil:
			k.lost++
		case kept == nil:
			kept, at = cn, i
			defer cn.conn.close()
		default:
			cn.conn.close()
		}
		if ctx.Err() != nil {
			k.stopped(ctx)
			return
		}
	}
	if kept == nil {
		k.add(Step{Name: stepSignIn, Verdict: VerdictSkipped, Detail: "there is no connection to sign in over"})
		k.add(Step{Name: stepResult, Verdict: VerdictFail, Detail: "no bootstrap address can be used"})
		return
	}
	if !k.enter(ctx, kept, k.settings.Bootstrap[at]) {
		k.stopped(ctx)
		return
	}
	k.rights(ctx, kept.conn, at)
}

// stopped ends a diagnosis in which no connection came to stand.
func (k *checker) stopped(ctx context.Context) {
	detail := "dtok cannot sign in to this cluster"
	if ctx.Err() != nil {
		detail = "the check was stopped: " + context.Cause(ctx).Error()
	}
	k.add(Step{Name: stepResult, Verdict: VerdictFail, Detail: detail})
}

// add reports a step. What it names may come from a broker, and has no business
// to begin a line of its own.
func (k *checker) add(s Step) {
	s.Detail = strings.Join(strings.FieldsFunc(s.Detail, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	k.steps = append(k.steps, s)
	observer{k.settings.Log}.step(s)
	if k.report != nil {
		k.report(s)
	}
}

// finding is how a step came out.
type finding struct {
	verdict      Verdict
	detail, hint string
}

func good(detail string) finding { return finding{verdict: VerdictOK, detail: detail} }

// bad is what an error says, and its hint.
func bad(err error) finding {
	f := finding{verdict: VerdictFail, detail: err.Error()}
	if h, ok := err.(interface{ Hint() string }); ok {
		f.hint = h.Hint()
	}
	return f
}

// time runs a step and adds it.
func (k *checker) time(name, address string, run func() finding) finding {
	start := k.clock.now()
	f := run()
	k.add(Step{Name: name, Address: address, Verdict: f.verdict, Took: k.clock.now().Sub(start), Detail: f.detail, Hint: f.hint})
	return f
}

// reached is a connection that got as far as the API versions.
type reached struct {
	conn *conn
	// look is what was seen of TLS, nothing without it.
	look handshakeLook
}

// reach goes to one address up to the API versions; nil where it does not get
// there.
func (k *checker) reach(ctx context.Context, address string) *reached {
	host, port, _ := net.SplitHostPort(address)
	all, ok := k.lookUp(ctx, address, host)
	if !ok {
		return nil
	}
	below := k.connect(ctx, address, port, all)
	if below == nil {
		return nil
	}
	cn := &conn{net: below, below: below, host: host, clientID: k.settings.ClientID, log: observer{k.settings.Log}.of(below)}
	r := &reached{conn: cn}
	passed := false
	if k.settings.Protocol.Encrypted() {
		passed = k.secure(ctx, r, address)
	} else {
		start := k.clock.now()
		passed = k.versions(address, start, cn.introduce(ctx, k.settings.ConnectTimeout), cn)
	}
	if !passed {
		cn.close()
		return nil
	}
	return r
}

// introduce asks for the API versions, within wait.
func (cn *conn) introduce(ctx context.Context, wait time.Duration) error {
	cn.limit = time.Now().Add(wait)
	defer func() { cn.limit = time.Time{} }()
	return cn.apiVersions(ctx, wait)
}

// versions adds the step for what the broker offers.
func (k *checker) versions(address string, start time.Time, err error, cn *conn) bool {
	s := Step{Name: stepVersions, Address: address, Verdict: VerdictOK, Took: k.clock.now().Sub(start)}
	if err != nil {
		f := bad(err)
		s.Verdict, s.Detail, s.Hint = f.verdict, f.detail, cmp.Or(f.hint, (&ConnectError{Stage: stepVersions}).Hint())
	} else {
		s.Detail = cn.offers.describe()
	}
	k.add(s)
	return err == nil
}

// secure does TLS and the API versions. With TLS 1.3 a broker that wants a
// client certificate says so only in place of its first answer, so the verdict
// on TLS waits for that.
func (k *checker) secure(ctx context.Context, r *reached, address string) bool {
	cn, look := r.conn, &r.look
	start := k.clock.now()
	err := cn.encrypt(ctx, look.watch(k.settings.TLS), k.settings.ConnectTimeout)
	s := Step{Name: stepTLS, Address: address, Took: k.clock.now().Sub(start)}
	var f finding
	if err != nil {
		f = look.failed(err, cn.host)
	}
	start = k.clock.now()
	if err == nil {
		err = cn.introduce(ctx, k.settings.ConnectTimeout)
		f = look.found(cn.net.(*tls.Conn).ConnectionState(), k.settings.TLS, k.clock.now())
		if look.late(err) {
			f = finding{VerdictFail, err.Error(), certificateHint}
		}
	}
	s.Verdict, s.Detail, s.Hint = f.verdict, f.detail, f.hint
	k.add(s)
	return f.verdict != VerdictFail && k.versions(address, start, err, cn)
}
