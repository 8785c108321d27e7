package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dtok/kafka"
	"dtok/ui"
)

// createFlags are the flags of dtok create.
type createFlags struct {
	user     string
	renewers []string
	lifetime length
	hmac     hmacOutput
}

func createCommand(debug *debugLog) *cobra.Command {
	var c createFlags
	cmd := &cobra.Command{
		Use:     "create",
		Short:   "Create a delegation token",
		Long:    createHelp,
		Example: createExample,
		Args:    noArguments,
	}
	b := newChange(cmd, debug)
	f := cmd.Flags()
	f.StringVarP(&c.user, "user", "u", "", "the token's owner, whom a worker that signs in with it acts as; a `NAME` or User:name")
	f.StringArrayVar(&c.renewers, "renewer", nil, "who may renew and expire it besides the owner, a `NAME` or User:name; may be repeated")
	f.Var(&c.lifetime, "max-lifetime", "the `LENGTH` of time, such as 24h, that no renewal passes (default the cluster's, which also caps it)")
	c.hmac.flags(cmd)
	complete(cmd, "user")
	complete(cmd, "renewer")
	complete(cmd, "max-lifetime", "24h", "7d")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		req, err := c.request(cmd, b)
		if err != nil {
			return err
		}
		b.gate.identify = kafka.IdentifyAtOnce // nothing is read before
		return b.change(func(ctx context.Context, connect connecting) error {
			broker, err := connect()
			if err != nil {
				return err
			}
			return c.create(ctx, b, broker, req)
		})
	}
	return cmd
}

// request reads the command line.
func (c *createFlags) request(cmd *cobra.Command, b *batch) (req kafka.CreateRequest, err error) {
	if err := noHMAC(cmd); err != nil {
		return req, err
	}
	if err := b.check(cmd); err != nil {
		return req, err
	}
	if !cmd.Flags().Changed("user") {
		return req, wrongUsage(cmd, errors.New("--user NAME is missing: the token's owner"))
	}
	if req.Owner, err = userNamed(cmd, "user", c.user); err != nil {
		return req, err
	}
	for _, typed := range c.renewers {
		p, err := userNamed(cmd, "renewer", typed)
		if err != nil {
			return req, err
		}
		if !slices.Contains(req.Renewers, p) {
			req.Renewers = append(req.Renewers, p)
		}
	}
	req.MaxLifetime = c.lifetime.period()
	return req, c.hmac.check(cmd, b.output)
}

// create makes the token and puts its HMAC away. A token whose HMAC nobody has
// is of no use and ends only at its expiry, so it is expired at once.
func (c *createFlags) create(ctx context.Context, b *batch, broker ui.Broker, req kafka.CreateRequest) error {
	session := broker.Session()
	if self, add := ownRenewer(session, req.Owner); add && !slices.Contains(req.Renewers, self) {
		req.Renewers = append(req.Renewers, self)
		b.note("%s is added to the renewers, so that this connection can renew and expire the token", self.Label())
	} else if self.IsZero() {
		b.note("the brokers derive this connection's principal themselves, so it is not added to the renewers; name it if dtok is to renew or expire the token")
	}
	b.warnInClear(session)
	if err := c.hmac.reserve(); err != nil {
		return err
	}
	defer c.hmac.discard() // not after keep
	made, err := broker.CreateToken(ctx, req)
	if err != nil {
		return err
	}
	defer made.HMAC.Destroy()
	if err := c.hmac.keep(made.HMAC, b.out); err != nil {
		return c.undo(ctx, broker, made, err)
	}
	if !awaitListed(ctx, broker, made.Token) {
		b.note("the brokers do not list the token yet; for a moment it can neither be used nor renewed")
	}
	if made.Capped {
		b.note("the cluster has capped the maximum lifetime: it ends at %s", stamp(made.Token.MaxLifetimeEnds))
	}
	out := b.out
	if c.hmac.print {
		out = b.notes
	}
	return b.told(kafka.OpCreateToken, out, c.facts(made), changeJSON{
		Token: tokenAsJSON(&made.Token, made.Token.Issued), Capped: &made.Capped, HMACFile: c.hmac.file,
	})
}

// ownRenewer says whether the connection's own user joins the renewers, as in
// the screens: where dtok knows it, and not for a token that it owns itself.
func ownRenewer(session kafka.Session, owner kafka.Principal) (kafka.Principal, bool) {
	self := session.Principal
	return self, !self.IsZero() && self != owner
}

// The cluster needs a moment until all its brokers know a new token: up to 3.1 s
// were seen. A script's next command comes sooner.
const (
	learning     = 5 * time.Second
	learningPoll = 100 * time.Millisecond
)

// awaitListed waits until the broker lists the token, or for learning.
func awaitListed(ctx context.Context, broker ui.Broker, made kafka.Token) bool {
	ctx, cancel := context.WithTimeout(ctx, learning)
	defer cancel()
	poll := time.NewTicker(learningPoll)
	defer poll.Stop()
	for {
		list, err := broker.Tokens(ctx, made.Owner)
		if err != nil {
			return false
		}
		if slices.ContainsFunc(list.Tokens, func(t kafka.Token) bool { return t.ID == made.ID }) {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-poll.C:
		}
	}
}

// undo expires a token whose HMAC could not be kept. The signal that may have
// come meanwhile does not stop it.
func (c *createFlags) undo(ctx context.Context, broker ui.Broker, made kafka.Created, why error) error {
	lost := fmt.Errorf("token %s was created, but its HMAC could not be written to %s: %w", made.Token.ID, c.hmac.where(), cause(why))
	_, err := broker.ExpireToken(context.WithoutCancel(ctx), kafka.ExpireRequest{
		Token: made.Token, HMAC: made.HMAC.Clone(), Reason: "its HMAC could not be written to " + c.hmac.where(),
	})
	if err != nil {
		return together(fmt.Errorf("%w; expiring it again failed as well, so it exists until %s with an HMAC that nobody has",
			lost, stamp(made.Token.Expires)), err)
	}
	return fmt.Errorf("%w; it was expired again, so no token is left", lost)
}

func (c *createFlags) facts(made kafka.Created) [][2]string {
	facts := tokenFacts(made.Token)
	if c.hmac.print {
		return facts
	}
	return append(facts, [2]string{"HMAC in", c.hmac.file})
}

// tokenFacts are what people want to know of a token that was changed.
func tokenFacts(t kafka.Token) [][2]string {
	renewers := make([]string, len(t.Renewers))
	for i, r := range t.Renewers {
		renewers[i] = r.Label()
	}
	return [][2]string{
		{"Token ID", t.ID},
		{"Owner", t.Owner.Label()},
		{"Renewers", strings.Join(renewers, ", ")},
		{"Expires", stamp(t.Expires)},
		{"Max lifetime ends", stamp(t.MaxLifetimeEnds)},
	}
}

// told prints a change that was done. When that fails the change is done all
// the same, and so is its status; only a word on standard error is left to say.
func (b *batch) told(op kafka.Op, out io.Writer, facts [][2]string, j changeJSON) error {
	var err error
	if b.output == asJSON {
		j.Version, j.Change = jsonVersion, op
		err = writeJSON(out, j)
	} else {
		var text strings.Builder
		for _, f := range facts {
			if f[1] == "" {
				f[1] = "-"
			}
			fmt.Fprintf(&text, "%-18s %s\n", f[0], oneLine(f[1]))
		}
		_, err = io.WriteString(out, text.String())
	}
	if err != nil {
		b.warn("%q is done, but could not be printed: %v", string(op), cause(err))
	}
	return nil
}

// warnInClear is for the one protocol that serves token requests unencrypted.
func (b *batch) warnInClear(s kafka.Session) {
	if s.Protocol == kafka.SASLPlaintext {
		b.warn("this connection is not encrypted (SASL_PLAINTEXT): the HMAC crosses the network in clear")
	}
}
