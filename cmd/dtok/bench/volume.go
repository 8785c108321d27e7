package main

import (
	"fmt"
	"path/filepath"

	"dtok/cmd/dtok/bench/crowd"
	"dtok/kafka/contract/apache"
)

// What a large cluster has.
const (
	manyTokens = 100_000
	manyUsers  = 10_000
	manyRules  = 50_000
)

// volume reads everything that a large cluster has, and shows how the cost
// grows with the number of tokens.
func (b *bench) volume() error {
	var before pair
	for _, n := range []int{1000, 10_000, manyTokens} {
		c, err := b.startCrowd(n)
		if err != nil {
			return err
		}
		before, err = b.allTokens(c, n, before)
		if err == nil && n == manyTokens {
			err = b.allUsers(c)
		}
		c.stop()
		if err != nil {
			return err
		}
	}
	return nil
}

// allUsers lists the users of a cluster that gets many of them.
func (b *bench) allUsers(c *cluster) error {
	b.say("making %d users and %d ACL rules", manyUsers, manyRules)
	conn, err := c.dial(b.ctx, lister)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := crowd.Users(conn, manyUsers); err != nil {
		return err
	}
	if err := crowd.Rules(conn, owner, manyRules); err != nil {
		return err
	}
	b.table.begin("dtok users: %d users, %d ACL rules, %d tokens, %s", manyUsers, manyRules, manyTokens, apache.SASLSSL)
	file, err := c.file(apache.SASLSSL, c.address(apache.SASLSSL))
	if err != nil {
		return err
	}
	minimal := command{"franz-go client", []string{b.minimal, "users", c.address(apache.SASLSSL), lister, lister + "-secret", "", filepath.Join(c.dir, "ca.pem")}, 0, 1}
	ours := command{"dtok users", []string{b.dtok, "users", "--command-config", file}, 1, 1}
	p, err := b.compare(21, ours, minimal)
	if err != nil {
		return err
	}
	return b.spentRows(p, ours, minimal)
}

// allTokens lists all tokens of a broker, after one that had a tenth of them.
func (b *bench) allTokens(c *cluster, n int, before pair) (pair, error) {
	cs, err := b.commands(c, apache.SASLSSL, c.address(apache.SASLSSL), true)
	if err != nil {
		return pair{}, err
	}
	p, err := b.compare(31, cs.dtok, cs.minimal)
	if err != nil {
		return p, err
	}
	b.table.begin("dtok tokens: all %d tokens of everybody, %s", n, apache.SASLSSL)
	if err := b.spentRows(p, cs.dtok, cs.minimal); err != nil {
		return p, err
	}
	if before.ours != nil {
		// What it costs to start is in both, so that ten times the tokens take
		// less than ten times as long.
		grown := best(p.ours, cpu) / best(before.ours, cpu)
		b.table.add(row{"processor for ten times the tokens", fmt.Sprintf("x%.1f", grown), cs.minimal.name,
			fmt.Sprintf("x%.1f", best(p.theirs, cpu)/best(before.theirs, cpu)), 0, atMost(grown, 12, " times")})
	}
	return p, nil
}

// spentRows are what a listing of many things costs.
func (b *bench) spentRows(p pair, ours, theirs command) error {
	r := p.ratio(wall)
	b.table.add(row{"start to end", seconds(best(p.ours, wall)), theirs.name, seconds(best(p.theirs, wall)), r, atMost(r, 1.1, "")})
	b.table.add(row{"processor", seconds(best(p.ours, cpu)), theirs.name, seconds(best(p.theirs, cpu)), p.ratio(cpu), nil})
	most, err := b.peak(ours)
	if err != nil {
		return err
	}
	least, err := b.peak(theirs)
	if err != nil {
		return err
	}
	b.table.add(row{"memory", megabytes(most), theirs.name, megabytes(least), most / least, atMost(most/1e6, 120, " MB")})
	return nil
}
