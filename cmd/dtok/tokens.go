package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"dtok/kafka"
	"dtok/ui"
)

// tokensFlags are the flags of dtok tokens.
type tokensFlags struct {
	user   string
	within length
}

func tokensCommand(debug *debugLog) *cobra.Command {
	var t tokensFlags
	cmd := &cobra.Command{
		Use:     "tokens",
		Short:   "List delegation tokens, or check whether one expires soon",
		Long:    tokensHelp,
		Example: tokensExample,
		Args:    noArguments,
	}
	b := newBatch(cmd, debug)
	f := cmd.Flags()
	f.StringVarP(&t.user, "user", "u", "", "only the tokens that `NAME` owns; a name or User:name")
	f.Var(&t.within, "expiring-within", "only what expires within this `LENGTH` of time, such as 24h; exit status 4 if there is any")
	complete(cmd, "user")
	complete(cmd, "expiring-within", "24h", "7d")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := b.check(cmd); err != nil {
			return err
		}
		var owner kafka.Principal
		if cmd.Flags().Changed("user") {
			var err error
			if owner, err = userNamed(cmd, "user", t.user); err != nil {
				return err
			}
		}
		return b.read(cmd.Context(), func(ctx context.Context, broker ui.Broker) error {
			list, err := broker.Tokens(ctx, owner)
			if err != nil {
				return err
			}
			return t.print(b, broker.Session(), owner, list)
		})
	}
	return cmd
}

// print writes the list, or what of it expires soon.
func (t *tokensFlags) print(b *batch, session kafka.Session, owner kafka.Principal, list kafka.TokenList) error {
	if len(list.Tokens) == 0 {
		b.note("%s", noTokensText(owner, session.Principal))
	}
	tokens, all := list.Tokens, len(list.Tokens)
	if t.within.Duration > 0 {
		limit := list.Read.Add(t.within.Duration)
		tokens = slices.DeleteFunc(tokens, func(k kafka.Token) bool { return k.Expires.After(limit) && k.MaxLifetimeEnds.After(limit) })
	}
	order := soonestFirst(tokens)
	var err error
	if b.output == asJSON {
		err = writeTokensJSON(b.out, owner, list.Read, t.within.Duration, order)
	} else if len(order) > 0 {
		err = writeTokensTable(b.out, order, list.Read)
	}
	if err != nil {
		return fmt.Errorf("the list cannot be written: %w", cause(err))
	}
	if t.within.Duration > 0 && len(order) > 0 {
		verb := "expire"
		if len(order) == 1 {
			verb = "expires"
		}
		b.note("%d of %s %s within %s", len(order), countOf(all, "token"), verb, lengthText(t.within.Duration))
		return &expiring{len(order)}
	}
	return nil
}

// soonestFirst gives the tokens by expiry, and by ID where that is the same.
func soonestFirst(tokens []kafka.Token) []*kafka.Token {
	type key struct {
		ms    int64
		token *kafka.Token
	}
	keys := make([]key, len(tokens))
	for i := range tokens {
		keys[i] = key{tokens[i].Expires.UnixMilli(), &tokens[i]}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.ms != b.ms {
			return cmp.Compare(a.ms, b.ms)
		}
		return cmp.Compare(a.token.ID, b.token.ID)
	})
	order := make([]*kafka.Token, len(keys))
	for i := range keys {
		order[i] = keys[i].token
	}
	return order
}

// noTokensText is about an empty list. Brokers leave out what a connection may
// not see without a word, so that an empty list proves nothing, except about
// one's own tokens.
func noTokensText(owner, self kafka.Principal) string {
	switch {
	case owner.IsZero():
		return "No delegation tokens. Tokens of others may be hidden: this connection sees those that it owns, requested " +
			"or may renew, and others only with DescribeTokens on the User resource User:<owner>, or Describe on the token."
	case owner == self:
		return "No delegation tokens."
	}
	return "No delegation tokens. Tokens may be hidden: the connection is not this user, and sees them only with " +
		"DescribeTokens on the User resource " + owner.String() + ", or Describe on the token."
}

func writeTokensTable(w io.Writer, tokens []*kafka.Token, now time.Time) error {
	t := newTable("TOKEN ID", "OWNER", "RENEWERS", "ISSUED", "EXPIRES", "LEFT", "MAX LIFETIME ENDS")
	t.grow(len(tokens))
	for _, k := range tokens {
		t.add(k.ID)
		t.add(k.Owner.Label())
		for i, r := range k.Renewers {
			if i > 0 {
				t.text = append(t.text, ',')
			}
			t.text = append(t.text, plain(r.Label())...)
		}
		t.done()
		t.time(k.Issued)
		t.time(k.Expires)
		if k.Expired(now) {
			t.text = append(t.text, "EXPIRED"...)
		} else {
			t.text = appendLeft(t.text, k.Expires.Sub(now))
		}
		t.done()
		t.time(k.MaxLifetimeEnds)
	}
	return t.writeTo(w)
}

// appendLeft appends how much time is left in its two largest units, rounded
// down, so that nothing is promised that is not there.
func appendLeft(to []byte, left time.Duration) []byte {
	const day = 24 * time.Hour
	two := func(big int64, bigUnit string, small int64, smallUnit string) []byte {
		to = append(strconv.AppendInt(to, big, 10), bigUnit...)
		return append(strconv.AppendInt(to, small, 10), smallUnit...)
	}
	switch {
	case left >= day:
		return two(int64(left/day), "d", int64(left%day/time.Hour), "h")
	case left >= time.Hour:
		return two(int64(left/time.Hour), "h", int64(left%time.Hour/time.Minute), "m")
	case left >= time.Minute:
		return append(strconv.AppendInt(to, int64(left/time.Minute), 10), 'm')
	}
	return append(to, "<1m"...)
}

// userNamed reads the name of a user that a flag has.
func userNamed(cmd *cobra.Command, flag, value string) (kafka.Principal, error) {
	if err := noHMAC(cmd, value); err != nil {
		return kafka.Principal{}, err
	}
	p, err := kafka.ParseUser(value)
	if err != nil {
		return kafka.Principal{}, wrongUsage(cmd, fmt.Errorf("--%s: %w", flag, err))
	}
	return p, nil
}
