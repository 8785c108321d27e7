package demo

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"time"

	"dtok/kafka"
)

// The numbers of the scenario big: all users and all tokens.
const (
	bigUsers  = 2_000
	bigTokens = 100_000
)

// crowd fills up the story to the numbers of the scenario big. The same
// crowd comes every time. Storage is taken in a few pieces and principals are
// shared, so that it costs little memory and no time to speak of; SCRAM
// credentials are not made before somebody signs in.
func (b *Broker) crowd(start time.Time) {
	dice := rand.New(rand.NewPCG(1, 2))
	users := make([]kafka.Principal, 0, bigUsers)
	for i := 0; len(b.passwords) < bigUsers; i++ {
		name := fmt.Sprintf("%s-%04d", trades[i%len(trades)], i)
		b.passwords[name] = name + "-secret"
		users = append(users, kafka.UserPrincipal(name))
		b.addScramUser(name, name+"-secret")
	}
	renewers := [][]kafka.Principal{
		nil,
		{kafka.UserPrincipal(ops)},
		{kafka.UserPrincipal(ops), kafka.UserPrincipal(airflow)},
	}
	requesters := []kafka.Principal{{}, {}, kafka.UserPrincipal(ops), kafka.UserPrincipal(airflow)}
	b.cluster.view(func(s *state, _ int64) {
		count := bigTokens - len(s.tokens)
		roomy := make(map[string]*token, bigTokens)
		maps.Copy(roomy, s.tokens)
		s.tokens = roomy
		tokens, macs := make([]token, count), make([]hmacBytes, count)
		for i := range tokens {
			t := &tokens[i]
			owner := users[min(dice.IntN(len(users)), dice.IntN(len(users)))] // some have many
			age := time.Duration(dice.Int64N(int64(day)))
			issued := start.Add(-age)
			*t = token{
				id: crowdID(dice), owner: owner, requester: requesters[dice.IntN(len(requesters))],
				renewers: renewers[dice.IntN(len(renewers))], hmac: &macs[i],
				issued: issued.UnixMilli(), expires: issued.Add(day + 5*minute).UnixMilli(), maxEnds: issued.Add(week).UnixMilli(),
			}
			if t.requester.IsZero() {
				t.requester = owner
			}
			b.cluster.keys.hmacOf(t.id, t.hmac)
			b.cluster.publish(b.cluster.storing(t))
		}
	})
}

var trades = []string{"etl", "stream", "report", "sync", "import", "export", "metrics", "audit"}

func crowdID(dice *rand.Rand) string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], dice.Uint64())
	binary.BigEndian.PutUint64(id[8:], dice.Uint64())
	id[0] &= 0x7f
	return base64.RawURLEncoding.EncodeToString(id[:])
}
