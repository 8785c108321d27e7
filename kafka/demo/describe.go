package demo

import (
	"math/rand/v2"
	"slices"

	"github.com/twmb/franz-go/pkg/kbin"
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

// tokenList is a DescribeDelegationToken response that encodes tokens straight
// into the frame: with 100 000 tokens a second copy of everything would be the
// larger part of the broker's memory.
type tokenList struct {
	kmsg.DescribeDelegationTokenResponse
	tokens []*token
}

// AppendTo encodes the answer. throttle_time_ms is last, in every version.
func (l *tokenList) AppendTo(dst []byte) []byte {
	flexible := l.Version >= 2
	appendString := kbin.AppendString
	appendBytes := kbin.AppendBytes
	appendLen := kbin.AppendArrayLen
	if flexible {
		appendString, appendBytes, appendLen = kbin.AppendCompactString, kbin.AppendCompactBytes, kbin.AppendCompactArrayLen
	}
	tags := func() {
		if flexible {
			dst = append(dst, 0)
		}
	}
	principal := func(p kafka.Principal) {
		dst = appendString(dst, p.Type)
		dst = appendString(dst, p.Name)
	}
	dst = slices.Grow(dst, l.size())
	dst = kbin.AppendInt16(dst, l.ErrorCode)
	dst = appendLen(dst, len(l.tokens))
	for _, t := range l.tokens {
		principal(t.owner)
		if l.Version >= 3 {
			principal(t.requester)
		}
		dst = kbin.AppendInt64(dst, t.issued)
		dst = kbin.AppendInt64(dst, t.expires)
		dst = kbin.AppendInt64(dst, t.maxEnds)
		dst = appendString(dst, t.id)
		dst = appendBytes(dst, t.hmac[:])
		dst = appendLen(dst, len(t.renewers))
		for _, r := range t.renewers {
			principal(r)
			tags()
		}
		tags()
	}
	dst = kbin.AppendInt32(dst, l.ThrottleMillis)
	tags()
	return dst
}

// size is at least the encoded length, so that the buffer grows once.
func (l *tokenList) size() int {
	const lengths = 5 // of the longest length prefix
	n := 16
	for _, t := range l.tokens {
		n += 3*8 + len(t.hmac) + len(t.id) + 3*lengths + 1
		n += len(t.owner.Type) + len(t.owner.Name) + len(t.requester.Type) + len(t.requester.Name) + 4*lengths
		for _, r := range t.renewers {
			n += len(r.Type) + len(r.Name) + 2*lengths + 1
		}
	}
	return n
}

// message is the answer as kmsg has it, for faults that edit answers.
func (l *tokenList) message() *kmsg.DescribeDelegationTokenResponse {
	m := kmsg.NewPtrDescribeDelegationTokenResponse()
	m.Version = l.Version
	_ = m.ReadFrom(l.AppendTo(nil)) // what was encoded just now decodes
	return m
}
