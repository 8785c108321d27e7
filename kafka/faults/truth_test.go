package faults

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dtok/kafka"
)

// What the cluster holds after a change, and what a result says of it.

func newTokens(before, after cluster) []kafka.Token {
	var out []kafka.Token
	for id, t := range after.tokens {
		if _, old := before.tokens[id]; !old {
			out = append(out, t)
		}
	}
	return out
}

// oneMore is a creation.
func oneMore(before, after cluster) error {
	made := newTokens(before, after)
	if len(made) != 1 || made[0].Owner != alice || made[0].MaxLifetimeEnds.Sub(made[0].Issued) != hours.Duration() {
		return fmt.Errorf("new tokens: %v", sortedTokens(made))
	}
	after.tokens = maps.Clone(after.tokens)
	delete(after.tokens, made[0].ID)
	return unchanged(before, after)
}

func unchanged(before, after cluster) error {
	if d := difference(before, after); d != "" {
		return errors.New("the cluster has changed:\n" + d)
	}
	return nil
}

// renewed is a renewal of the token with that ID, "" for the one that a run
// made for itself.
func renewed(id string) func(before, after cluster) error {
	return func(before, after cluster) error {
		id := orNewest(id, before)
		t, was := after.tokens[id], before.tokens[id]
		if t.Expires == was.Expires || !t.Expires.Equal(someDay.Add(hours.Duration())) {
			return fmt.Errorf("the token's expiry is %v and was %v", t.Expires, was.Expires)
		}
		after.tokens = maps.Clone(after.tokens)
		after.tokens[id] = was
		return unchanged(before, after)
	}
}

// gone is the end of a token.
func gone(id string) func(before, after cluster) error {
	return func(before, after cluster) error {
		id := orNewest(id, before)
		if _, there := after.tokens[id]; there {
			return errors.New("the token is still there")
		}
		before.tokens = maps.Clone(before.tokens)
		delete(before.tokens, id)
		return unchanged(before, after)
	}
}

func orNewest(id string, c cluster) string {
	for known := range c.tokens {
		if id == "" && known != targetID && known != otherID && known != thirdID {
			return known
		}
	}
	return id
}

func rulesAre(ops ...kafka.Operation) func(before, after cluster) error {
	return func(before, after cluster) error {
		if len(after.rules) != len(ops) {
			return fmt.Errorf("the rules are %v", after.rules)
		}
		for _, op := range ops {
			if !slices.Contains(after.rules, rightOn(op)) {
				return fmt.Errorf("%s is not among %v", rightOn(op), after.rules)
			}
		}
		after.rules = before.rules
		return unchanged(before, after)
	}
}

func quotasAre(want map[string]float64) func(before, after cluster) error {
	return func(before, after cluster) error {
		if !maps.Equal(after.quotas, want) {
			return fmt.Errorf("the quotas are %v", after.quotas)
		}
		after.quotas = before.quotas
		return unchanged(before, after)
	}
}

func createdAgrees(w *world, now cluster, result any) error {
	made := result.(kafka.Created)
	defer made.HMAC.Destroy()
	there, ok := now.tokens[made.Token.ID]
	if !ok || tokenLine(made.Token) != tokenLine(there) {
		return fmt.Errorf("it made %s, and the cluster has %s", tokenLine(made.Token), tokenLine(there))
	}
	real, err := w.broker.HMAC(made.Token.ID)
	if err != nil {
		return err
	}
	same := false
	real.Use(func(a []byte) { made.HMAC.Use(func(b []byte) { same = len(a) == kafka.HMACSize && bytes.Equal(a, b) }) })
	if !same {
		return errors.New("the HMAC is not the token's")
	}
	return nil
}

func renewedAgrees(_ *world, now cluster, result any) error {
	done := result.(kafka.Renewed)
	if there := now.tokens[done.Token.ID]; tokenLine(done.Token) != tokenLine(there) {
		return fmt.Errorf("it renewed %s, and the cluster has %s", tokenLine(done.Token), tokenLine(there))
	}
	if done.Before.Equal(done.Token.Expires) {
		return fmt.Errorf("the expiry before was %v too", done.Before)
	}
	return nil
}

func expiredAgrees(_ *world, now cluster, result any) error {
	done := result.(kafka.Expired)
	if _, there := now.tokens[done.Token.ID]; there || done.Token.ID == "" || !done.At.Equal(someDay) {
		return fmt.Errorf("token %q stopped at %v", done.Token.ID, done.At)
	}
	return nil
}

// rulesAgree compares whether the rules existed, as far as that was read, with
// what was there.
func rulesAgree(existed, there bool) func(*world, cluster, any) error {
	return func(_ *world, now cluster, result any) error {
		for _, r := range result.(kafka.RulesChanged).Results {
			if r.Err != nil || r.ExistedErr == nil && r.Existed != existed || slices.Contains(now.rules, r.Rule) != there {
				return fmt.Errorf("%+v", r)
			}
		}
		return nil
	}
}

func quotaAgrees(_ *world, now cluster, result any) error {
	done := result.(kafka.QuotaChanged)
	if done.BeforeErr == nil && (done.Before == nil || *done.Before != 1000) {
		return fmt.Errorf("the value before was %v", done.Before)
	}
	value, there := now.quotas[done.Entity.String()+" "+done.Key]
	if there != (done.After != nil) || there && value != *done.After {
		return fmt.Errorf("the value is %v", value)
	}
	return nil
}

// usersAgree looks at the sources that were read.
func usersAgree(_ *world, now cluster, result any) error {
	l := result.(kafka.UserList)
	if l.Failed[kafka.FromTokens] == nil {
		if err := sameTokens(l.Tokens, now); err != nil {
			return err
		}
	}
	for _, want := range []struct {
		source kafka.Source
		who    kafka.Principal
		right  func(kafka.User) bool
	}{
		{kafka.FromTokens, alice, func(u kafka.User) bool { return u.Tokens == 1 }},
		{kafka.FromACLs, bob, func(u kafka.User) bool { return u.ACLRules == 2 }},
		{kafka.FromQuotas, alice, func(u kafka.User) bool { return u.Quotas == 1 }},
		{kafka.FromSCRAM, kafka.UserPrincipal(user), func(u kafka.User) bool { return len(u.SCRAM) == 2 }},
	} {
		i := slices.IndexFunc(l.Users, func(u kafka.User) bool { return u.Principal == want.who })
		known := i >= 0 && l.Users[i].From.Has(want.source)
		if read := l.Failed[want.source] == nil; read != known || read && !want.right(l.Users[i]) {
			return fmt.Errorf("%s of %s: %+v, failed %v", want.source, want.who, l.Users, l.Failed)
		}
	}
	return nil
}

func sameTokens(got []kafka.Token, now cluster) error {
	if a, b := sortedTokens(got), sortedTokens(slices.Collect(maps.Values(now.tokens))); !slices.Equal(a, b) {
		return errors.New("the tokens are\n" + strings.Join(a, "\n"))
	}
	return nil
}
