package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"dtok/kafka"
	"dtok/kafka/demo"
)

// serveCrowd is a broker of its own process: making its tokens and answering is
// then nobody else's memory. It tells its addresses and its CA.
func serveCrowd(tokens int, in io.Reader, out io.Writer) error {
	d, err := demo.Start(demo.Options{Bare: true})
	if err != nil {
		return err
	}
	defer d.Close()
	if err := addTokens(d, tokens); err != nil {
		return err
	}
	told := crowdTold{Addresses: map[string]string{}, CA: d.CACert()}
	for _, l := range listeners {
		told.Addresses[l] = d.Address(demo.Listener(l))
	}
	if err := json.NewEncoder(out).Encode(told); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, in)
	return err
}

type crowdTold struct {
	Addresses map[string]string
	CA        []byte
}

// startCrowd starts this program as such a broker. It ends when stop closes its
// input, or when this process ends.
func (b *bench) startCrowd(tokens int) (*cluster, error) {
	b.say("making %d tokens of many users", tokens)
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(b.ctx, self, "-crowd", fmt.Sprint(tokens))
	cmd.Stderr = b.progress
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := func() {
		_ = in.Close()
		_ = cmd.Wait()
	}
	var told crowdTold
	if err := json.NewDecoder(out).Decode(&told); err != nil {
		stop()
		return nil, fmt.Errorf("the broker with %d tokens did not start: %w", tokens, err)
	}
	return &cluster{name: "the embedded broker", dir: b.dir, address: func(l string) string { return told.Addresses[l] }, ca: told.CA, stop: stop}, nil
}

// addTokens adds tokens of many owners.
func addTokens(d *demo.Broker, n int) error {
	now := time.Now()
	for i := range n {
		err := d.AddToken(kafka.Token{
			ID: fmt.Sprintf("token%017d", i), Owner: kafka.UserPrincipal(fmt.Sprintf("job-%05d", i%2000)), Requester: kafka.UserPrincipal(lister),
			Renewers: []kafka.Principal{kafka.UserPrincipal("bob")}, Issued: now,
			Expires: now.Add(time.Duration(i*7919%n)*time.Second + 24*time.Hour), MaxLifetimeEnds: now.Add(700 * 24 * time.Hour),
		})
		if err != nil {
			return err
		}
	}
	return nil
}
