package main

import (
	"fmt"
	"time"

	"dtok/kafka/contract/apache"
)

// far is the round trip to a cluster on another continent.
const far = 100 * time.Millisecond

// latency lists one token through a network on which a round trip takes long,
// and counts the round trips. It takes the embedded broker: the network is all
// that matters here.
func (b *bench) latency() error {
	c, err := b.startCluster(true)
	if err != nil {
		return err
	}
	defer c.stop()
	if err := b.grow(c, 0, 1); err != nil {
		return err
	}
	for _, listener := range listeners {
		b.table.begin("dtok tokens -u %s, %v to the broker and back, %s", owner, far, listener)
		d, err := newDelay(c.address(listener), far)
		if err != nil {
			return err
		}
		err = b.farListing(c, listener, d)
		d.close()
		if err != nil {
			return err
		}
	}
	return nil
}

// most is how many round trips the design allows for a listing: to connect, for
// TLS, the API versions, the mechanism, two for SCRAM, and one for the list.
func most(listener string) float64 {
	if listener == apache.SASLSSL {
		return 7
	}
	return 6
}

func (b *bench) farListing(c *cluster, listener string, d *delay) error {
	cs, err := b.commands(c, listener, d.address(), false)
	if err != nil {
		return err
	}
	p, err := b.compare(9, cs.dtok, cs.minimal)
	if err != nil {
		return err
	}
	r := p.ratio(wall)
	b.table.add(row{"start to end", seconds(best(p.ours, wall)), cs.minimal.name, seconds(best(p.theirs, wall)), r, atMost(r, 1.1, "")})
	turns := [2]int64{}
	for i, one := range []command{cs.dtok, cs.minimal} {
		before := d.turns.Load()
		if _, err := b.run(one); err != nil {
			return err
		}
		turns[i] = d.turns.Load() - before
	}
	b.table.add(row{"round trips", fmt.Sprint(turns[0]), cs.minimal.name, fmt.Sprint(turns[1]),
		float64(turns[0]) / float64(turns[1]), atMost(float64(turns[0]), most(listener), " round trips")})
	return nil
}
