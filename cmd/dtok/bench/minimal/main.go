// Command minimal is the least that a franz-go client needs to list the tokens
// of a user: the yardstick that the speed of dtok tokens is measured with. It
// signs in with SCRAM-SHA-256, asks once and prints a line a token.
//
//	minimal HOST:PORT USER PASSWORD OWNER [CA.pem]
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "minimal:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 4 {
		return errors.New("usage: minimal HOST:PORT USER PASSWORD OWNER [CA.pem]")
	}
	opts := []kgo.Opt{
		kgo.SeedBrokers(args[0]),
		kgo.SASL(scram.Auth{User: args[1], Pass: args[2]}.AsSha256Mechanism()),
	}
	if len(args) > 4 {
		text, err := os.ReadFile(args[4])
		if err != nil {
			return err
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(text) {
			return errors.New("there is no certificate in " + args[4])
		}
		opts = append(opts, kgo.DialTLSConfig(&tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}))
	}
	client, err := kgo.NewClient(opts...)
	if err != nil {
		return err
	}
	defer client.Close()
	ask := kmsg.NewDescribeDelegationTokenRequest()
	ask.Owners = []kmsg.DescribeDelegationTokenRequestOwner{{PrincipalType: "User", PrincipalName: args[3]}}
	answer, err := ask.RequestWith(context.Background(), client)
	if err == nil {
		err = kerr.ErrorForCode(answer.ErrorCode)
	}
	if err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	for i := range answer.TokenDetails {
		t := &answer.TokenDetails[i]
		fmt.Fprintf(out, "%s %s:%s", t.TokenID, t.PrincipalType, t.PrincipalName)
		for j := range t.Renewers {
			fmt.Fprintf(out, " %s:%s", t.Renewers[j].PrincipalType, t.Renewers[j].PrincipalName)
		}
		for _, ms := range []int64{t.IssueTimestamp, t.ExpiryTimestamp, t.MaxTimestamp} {
			fmt.Fprintf(out, " %s", time.UnixMilli(ms).UTC().Format(time.RFC3339))
		}
		fmt.Fprintln(out)
	}
	return out.Flush()
}
