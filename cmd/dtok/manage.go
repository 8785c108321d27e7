package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dtok/kafka"
	"dtok/ui"
)

// oneToken is a command that changes a token that is there: it takes the
// token's ID on the command line and its HMAC from elsewhere.
type oneToken struct {
	*batch
	hmac hmacInput
}

func newOneToken(cmd *cobra.Command, debug *debugLog) *oneToken {
	o := &oneToken{batch: newChange(cmd, debug)}
	o.hmac.flags(cmd)
	cmd.Args = oneTokenID
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	return o
}

// oneTokenID refuses everything but one token ID, and repeats none of it: what
// stands there by mistake may be an HMAC.
func oneTokenID(cmd *cobra.Command, args []string) error {
	if err := noHMAC(cmd, args...); err != nil {
		return err
	}
	switch {
	case len(args) == 0:
		return wrongUsage(cmd, errors.New("the token's ID is missing"))
	case len(args) > 1:
		return wrongUsage(cmd, errors.New(cmd.CommandPath()+" takes one token ID and nothing else"))
	case strings.TrimSpace(args[0]) == "":
		return wrongUsage(cmd, errors.New("the token ID is empty"))
	}
	return nil
}

// run reads the HMAC, connects, finds the token and changes it.
func (o *oneToken) run(id string, change func(context.Context, ui.Broker, kafka.Token, *kafka.Secret) error) error {
	return o.change(func(ctx context.Context, connect connecting) error {
		hmac, err := o.hmac.read(ctx, o.batch)
		if err != nil {
			return err
		}
		defer hmac.Destroy()
		broker, err := connect()
		if err != nil {
			return err
		}
		o.warnInClear(broker.Session())
		token, found, err := findToken(ctx, broker, id)
		if err != nil {
			return fmt.Errorf("%w; nothing was sent", err)
		}
		err = change(ctx, broker, token, hmac)
		if _, gone := errors.AsType[*kafka.GoneError](err); gone && !found {
			return &hinted{
				fmt.Errorf("there is no token %s among those that this connection may see; nothing was sent", id),
				"dtok tokens lists them",
			}
		}
		return err
	})
}

// findToken reads what the audit trail tells of the token before a change. One
// that is not listed goes on with nothing but its ID: the client looks once more
// before it sends anything, and the trail records the attempt.
func findToken(ctx context.Context, broker ui.Broker, id string) (kafka.Token, bool, error) {
	list, err := broker.Tokens(ctx, kafka.Principal{})
	if err != nil {
		return kafka.Token{}, false, err
	}
	i := slices.IndexFunc(list.Tokens, func(t kafka.Token) bool { return t.ID == id })
	if i < 0 {
		return kafka.Token{ID: id}, false, nil
	}
	return list.Tokens[i], true, nil
}

func renewCommand(debug *debugLog) *cobra.Command {
	var period length
	cmd := &cobra.Command{
		Use:     "renew TOKEN-ID",
		Short:   "Renew a delegation token",
		Long:    renewHelp,
		Example: renewExample,
	}
	o := newOneToken(cmd, debug)
	cmd.Flags().Var(&period, "for", "the `LENGTH` of time from now, such as 12h, after which it expires (default the cluster's, which also caps it)")
	complete(cmd, "for", "12h", "24h")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(cmd); err != nil {
			return err
		}
		return o.run(args[0], func(ctx context.Context, broker ui.Broker, token kafka.Token, hmac *kafka.Secret) error {
			done, err := broker.RenewToken(ctx, kafka.RenewRequest{Token: token, HMAC: hmac, Period: period.period()})
			if err != nil {
				return err
			}
			if done.Token.Expires.Before(done.Before) {
				o.warn("the token now expires earlier than before: a renewal counts from now")
			}
			if done.Capped {
				o.note("the cluster gives less than was asked for: the token expires at %s", stamp(done.Token.Expires))
			}
			facts := append(tokenFacts(done.Token), [2]string{"Expiry before", stamp(done.Before)})
			return o.told(kafka.OpRenewToken, o.out, facts, changeJSON{
				Token: tokenAsJSON(&done.Token, time.Time{}), ExpiresBefore: new(moment(done.Before)), Capped: &done.Capped,
			})
		})
	}
	return cmd
}

func expireCommand(debug *debugLog) *cobra.Command {
	var reason string
	cmd := &cobra.Command{
		Use:     "expire TOKEN-ID",
		Short:   "Expire a delegation token at once",
		Long:    expireHelp,
		Example: expireExample,
	}
	o := newOneToken(cmd, debug)
	cmd.Flags().StringVar(&reason, "reason", "", "why, for the audit trail: a `TEXT` that must not be empty")
	complete(cmd, "reason")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(cmd); err != nil {
			return err
		}
		if strings.TrimSpace(reason) == "" {
			return wrongUsage(cmd, errors.New("--reason TEXT is missing: why the token is expired, for the audit trail"))
		}
		if err := noHMAC(cmd, reason); err != nil {
			return err
		}
		return o.run(args[0], func(ctx context.Context, broker ui.Broker, token kafka.Token, hmac *kafka.Secret) error {
			done, err := broker.ExpireToken(ctx, kafka.ExpireRequest{Token: token, HMAC: hmac, Reason: reason})
			if err != nil {
				return err
			}
			facts := [][2]string{
				{"Token ID", done.Token.ID},
				{"Owner", done.Token.Owner.Label()},
				{"Expired at", stamp(done.At)},
				{"Would have expired", stamp(done.Before)},
			}
			return o.told(kafka.OpExpireToken, o.out, facts, changeJSON{
				Token: tokenAsJSON(&done.Token, done.At.Add(time.Millisecond)), ExpiresBefore: new(moment(done.Before)),
			})
		})
	}
	return cmd
}

// stamp is a moment in UTC to the second.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02T15:04:05Z")
}
