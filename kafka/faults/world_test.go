package faults

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dtok/audit"
	"dtok/kafka"
	"dtok/kafka/demo"
)

// The people of a run: who uses dtok, and who looks at the cluster beside it.
const (
	user, password         = "ops", "opensesame-of-the-user"
	observer, observerWord = "admin", "opensesame-of-the-observer"
)

var (
	alice, bob, mallory = kafka.UserPrincipal("alice"), kafka.UserPrincipal("bob"), kafka.UserPrincipal("mallory")
	// someDay is the cluster's clock, which does not move.
	someDay = time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
)

// The tokens of the cluster: the one that changes are about, and two others.
const (
	targetID = "AAAAAAAAAAAAAAAAAAAAA1"
	otherID  = "AAAAAAAAAAAAAAAAAAAAA2"
	thirdID  = "AAAAAAAAAAAAAAAAAAAAA3"
)

// world is a cluster, a proxy in front of it, and a client wired as in
// cmd/dtok: changes go through the audit trail.
type world struct {
	run    run
	broker *demo.Broker
	proxy  *proxy
	beside *kafka.Client // the observer's, which does not go through the proxy

	settings kafka.Settings
	client   *kafka.Client
	trail    *audit.Trail
	path     string
	changer  kafka.Changer
	reads    audit.Reader

	// target is the token that changes are about, with its HMAC.
	target kafka.Token
	hmac   *kafka.Secret
	// log is what the client tells.
	log *logText
	// secrets are what must be found nowhere.
	secrets needles
}

// rightOn is a rule that lets bob do something with alice's tokens.
func rightOn(op kafka.Operation) kafka.ACLRule { return kafka.TokenRules(alice, bob, op)[0] }

// quotaOf is a quota of alice's.
func quotaOf(key string, value float64) kafka.QuotaChange {
	return kafka.QuotaChange{Entity: kafka.Entity{User: kafka.NamedPart(alice.Name)}, Key: key, Value: value, Reason: "a test"}
}

// newWorld makes a cluster with three tokens, a rule and a quota.
func newWorld(ctx context.Context, r run, folder string) (*world, error) {
	w := &world{run: r, log: &logText{}, path: filepath.Join(folder, "audit.jsonl")}
	now := demo.NewClock(someDay)
	var err error
	w.broker, err = demo.Start(demo.Options{Bare: true, Record: true, Now: now.Now,
		Passwords: map[string]string{user: password, observer: observerWord},
		Cluster:   demo.Cluster{Lag: -1, SuperUsers: []string{"User:" + user}}})
	if err != nil {
		return nil, err
	}
	listener := demo.SASLPlaintext
	if r.way == tls13 {
		listener = demo.SASLSSL
	}
	if w.proxy, err = newProxy(w.broker.Address(listener), r.fault); err != nil {
		return w, err
	}
	for id, owner := range map[string]kafka.Principal{targetID: alice, otherID: bob, thirdID: kafka.UserPrincipal(user)} {
		if err := w.broker.AddToken(kafka.Token{ID: id, Owner: owner, Renewers: []kafka.Principal{kafka.UserPrincipal(user)},
			Issued: someDay.Add(-time.Hour), Expires: someDay.Add(time.Hour), MaxLifetimeEnds: someDay.Add(48 * time.Hour)}); err != nil {
			return w, err
		}
		if err := w.keep(id); err != nil {
			return w, err
		}
	}
	w.secrets.add([]byte(password))
	w.secrets.add([]byte(observerWord))
	w.beside, err = kafka.Dial(ctx, kafka.Settings{Bootstrap: []string{w.broker.Address(demo.SASLPlaintext)}, Protocol: kafka.SASLPlaintext,
		SASL: &kafka.Credentials{Mechanism: kafka.MechanismPlain, User: observer, Password: kafka.NewSecret([]byte(observerWord))}})
	if err != nil {
		return w, err
	}
	_, err1 := w.beside.AddRules(ctx, kafka.RuleChange{Rules: []kafka.ACLRule{rightOn(kafka.OperationDescribeTokens), rightOn(kafka.OperationAlter)}})
	_, err2 := w.beside.SetQuota(ctx, quotaOf(kafka.QuotaProducerBytes, 1000))
	w.settings = w.settingsFor(listener)
	w.trail = audit.NewTrail(audit.Options{Path: w.path, Who: audit.Who{OSUser: "somebody"}})
	w.target = kafka.Token{ID: targetID, Owner: alice}
	return w, errors.Join(err1, err2)
}

// keep notes the secret of a token.
func (w *world) keep(id string) error {
	hmac, err := w.broker.HMAC(id)
	if err != nil {
		return err
	}
	defer hmac.Destroy()
	hmac.Use(w.secrets.addHMAC)
	if id == targetID {
		w.hmac = hmac.Clone()
	}
	return nil
}

// settingsFor are the settings of the run's way and fault.
func (w *world) settingsFor(l demo.Listener) kafka.Settings {
	s := kafka.Settings{
		Bootstrap: []string{w.proxy.Addr().String()}, Protocol: l.Protocol(),
		SASL:     &kafka.Credentials{Mechanism: kafka.MechanismPlain, User: user, Password: kafka.NewSecret([]byte(password))},
		ClientID: watched, Log: w.log.logger(),
		ConnectTimeout: longWait, ReadTimeout: w.run.kind.wait(), ChangeTimeout: w.run.kind.wait(),
	}
	if w.run.conn > 0 || w.run.operation == opDial {
		s.ConnectTimeout = w.run.kind.wait()
	}
	if w.run.way == scram {
		s.SASL.Mechanism = kafka.MechanismScramSHA256
	}
	if w.run.way == tls13 {
		s.TLS = clientTLS(w.broker.CACert())
	}
	return s
}

// connect dials and wires what cmd/dtok wires.
func (w *world) connect(ctx context.Context) error {
	client, err := kafka.Dial(ctx, w.settings)
	if err == nil {
		w.wire(client)
	}
	return err
}

func (w *world) wire(client *kafka.Client) {
	w.client = client
	w.reads = audit.NewReads(w.trail, client, client.Session, "faults")
	w.changer = audit.NewRecorder(w.trail, client, client.Session, "faults")
}

// close ends everything. What is wrong then is the client's fault: connections
// that it left open, records that it left unwritten.
func (w *world) close() error {
	var errs []error
	if w.client != nil {
		w.client.Close()
	}
	if w.trail != nil {
		ctx, cancel := context.WithTimeout(context.Background(), longWait)
		defer cancel()
		errs = append(errs, w.trail.Close(ctx))
		if trouble := w.trail.Trouble(); trouble != "" {
			errs = append(errs, errors.New(trouble))
		}
	}
	if w.proxy != nil {
		errs = append(errs, w.proxy.end(longWait))
	}
	return errors.Join(errs...)
}

// closeCluster ends what the client has no part in.
func (w *world) closeCluster() {
	if w.beside != nil {
		w.beside.Close()
	}
	if w.broker != nil {
		w.broker.Close()
	}
}

// cluster is all that a cluster holds, as lines that can be compared.
type cluster struct {
	tokens map[string]kafka.Token
	rules  []kafka.ACLRule // on alice
	quotas map[string]float64
}

// look reads the cluster beside the proxy.
func (w *world) look(ctx context.Context) (cluster, error) {
	tokens, err1 := w.beside.Tokens(ctx, kafka.Principal{})
	rules, err2 := w.beside.Rules(ctx, alice)
	quotas, err3 := w.beside.Quotas(ctx, alice)
	c := cluster{tokens: map[string]kafka.Token{}, rules: rules.On, quotas: map[string]float64{}}
	for _, t := range tokens.Tokens {
		c.tokens[t.ID] = t
	}
	for _, q := range quotas.Entities {
		for _, v := range q.Values {
			c.quotas[q.Entity.String()+" "+v.Key] = v.Value
		}
	}
	return c, errors.Join(err1, err2, err3)
}

// lines are the cluster's content in an order of their own.
func (c cluster) lines() []string {
	out := make([]string, 0, len(c.tokens)+len(c.rules)+len(c.quotas))
	for _, t := range c.tokens {
		out = append(out, tokenLine(t))
	}
	for _, r := range c.rules {
		out = append(out, "rule "+r.String())
	}
	for name, value := range c.quotas {
		out = append(out, fmt.Sprintf("quota %s %v", name, value))
	}
	slices.Sort(out)
	return out
}

func tokenLine(t kafka.Token) string {
	return fmt.Sprintf("token %s %s %s %v %d %d %d", t.ID, t.Owner, t.Requester, t.Renewers,
		t.Issued.UnixMilli(), t.Expires.UnixMilli(), t.MaxLifetimeEnds.UnixMilli())
}

// difference is what two states do not have in common, "" for nothing.
func difference(before, after cluster) string {
	var out []string
	a, b := before.lines(), after.lines()
	for _, l := range a {
		if !slices.Contains(b, l) {
			out = append(out, "- "+l)
		}
	}
	for _, l := range b {
		if !slices.Contains(a, l) {
			out = append(out, "+ "+l)
		}
	}
	return strings.Join(out, "\n")
}

// sortedTokens makes lists comparable: brokers give no order.
func sortedTokens(list []kafka.Token) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = tokenLine(t)
	}
	slices.SortFunc(out, cmp.Compare[string])
	return out
}
