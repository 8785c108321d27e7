package demo

import (
	"math/rand/v2"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"

	"dtok/kafka"
)

// describeTokens answers DescribeDelegationToken: the broker by itself from
// what it was told so far. It never refuses for a missing right: what the
// caller may not see is left out.
func (c *connection) describeTokens(req *kmsg.DescribeDelegationTokenRequest) kmsg.Response {
	resp := &tokenList{}
	resp.Version = req.Version
	switch {
	case !c.session.mayUseTokens():
		resp.ErrorCode = int16(kafka.CodeTokenNotAllowed)
		return resp
	case !c.cluster.setup.brokerKey:
		resp.ErrorCode = int16(kafka.CodeTokenAuthDisabled)
		return resp
	case req.Owners != nil && len(req.Owners) == 0: // an empty list asks for nothing, null for everything
		return resp
	}
	var asked map[kafka.Principal]bool
	if req.Owners != nil {
		asked = make(map[kafka.Principal]bool, len(req.Owners))
		for _, o := range req.Owners {
			asked[kafka.Principal{Type: o.PrincipalType, Name: o.PrincipalName}] = true
		}
	}
	c.cluster.view(func(s *state, _ int64) {
		seen := c.tokenFilter(s)
		if asked == nil {
			resp.tokens = make([]*token, 0, len(s.tokens))
		}
		for _, t := range s.tokens {
			if (asked == nil || t.matches(asked)) && seen(t) {
				resp.tokens = append(resp.tokens, t)
			}
		}
	})
	// Kafka keeps them in a ConcurrentHashMap: no order means anything.
	rand.Shuffle(len(resp.tokens), func(i, j int) {
		resp.tokens[i], resp.tokens[j] = resp.tokens[j], resp.tokens[i]
	})
	return resp
}

// matches is the filter by owner, which also takes requesters and renewers.
func (t *token) matches(asked map[kafka.Principal]bool) bool {
	return asked[t.owner] || asked[t.requester] ||
		slices.ContainsFunc(t.renewers, func(p kafka.Principal) bool { return asked[p] })
}

// tokenFilter returns who may see what (DelegationTokenManager.filterToken):
// those it concerns, who holds DescribeTokens on the User resource of the
// owner, and who holds Describe on the token. The answer for an owner is kept,
// because owners have many tokens.
func (c *connection) tokenFilter(s *state) func(*token) bool {
	me := c.session.principal
	owners := map[kafka.Principal]bool{}
	return func(t *token) bool {
		if t.concerns(me) {
			return true
		}
		may, known := owners[t.owner]
		if !known {
			may = c.may(s, describeTokens, userResource, t.owner.String())
			owners[t.owner] = may
		}
		return may || c.may(s, describe, tokenResource, t.id)
	}
}
