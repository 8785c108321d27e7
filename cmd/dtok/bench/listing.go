package main

import "fmt"

// sizes are the numbers of tokens that are listed, and how often the pairs
// with another Go client and with Java are run.
var sizes = []struct{ tokens, pairs, java int }{{1, 301, 7}, {1000, 151, 7}, {10000, 41, 5}}

// listings is dtok tokens -u USER, from its start to its end, against clients
// that list the same.
func (b *bench) listings(embedded bool) error {
	c, err := b.startCluster(embedded)
	if err != nil {
		return err
	}
	defer c.stop()
	have := 0
	for _, size := range sizes {
		if err := b.grow(c, have, size.tokens); err != nil {
			return err
		}
		have = size.tokens
		for _, listener := range listeners {
			b.table.begin("dtok tokens -u %s, %d of them, %s of %s", owner, size.tokens, listener, c.name)
			if err := b.listing(c, listener, size.tokens, size.pairs, size.java); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bench) listing(c *cluster, listener string, tokens, pairs, javaPairs int) error {
	cs, err := b.commands(c, listener, c.address(listener), false)
	if err != nil {
		return err
	}
	p, err := b.compare(pairs, cs.dtok, cs.minimal)
	if err != nil {
		return err
	}
	r := p.ratio(wall)
	b.table.add(row{"start to end", seconds(best(p.ours, wall)), cs.minimal.name, seconds(best(p.theirs, wall)), r, atMost(r, 1.1, "")})
	b.table.add(row{"processor", seconds(best(p.ours, cpu)), cs.minimal.name, seconds(best(p.theirs, cpu)), p.ratio(cpu), nil})
	if b.kcl != "" {
		other, err := b.kclCommand(c, listener)
		if err != nil {
			return err
		}
		if p, err = b.compare(pairs/2, cs.dtok, other); err != nil {
			return err
		}
		r := p.ratio(wall)
		b.table.add(row{"start to end", seconds(best(p.ours, wall)), other.name, seconds(best(p.theirs, wall)), r, atMost(r, 1, "")})
	}
	if c.classPath == "" {
		return nil
	}
	tool, err := c.java(listener, cs.dtok.argv[3])
	if err != nil {
		return err
	}
	if p, err = b.compare(javaPairs, tool, cs.dtok); err != nil {
		return fmt.Errorf("Kafka's own tool: %w", err)
	}
	faster, least := p.ratio(wall), 100.0
	if tokens >= 10000 {
		least = 25
	}
	b.table.add(row{"start to end, so many times faster", seconds(best(p.theirs, wall)), tool.name, seconds(best(p.ours, wall)), faster, atLeast(faster, least, "")})
	b.table.add(row{"processor, so many times less", seconds(best(p.theirs, cpu)), tool.name, seconds(best(p.ours, cpu)), p.ratio(cpu), nil})
	return nil
}
