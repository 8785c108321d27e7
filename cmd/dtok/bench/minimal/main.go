// Command minimal is the least that a franz-go client needs to list the tokens
// of a user, or all users: the yardstick for dtok tokens and dtok users. It
// signs in with SCRAM-SHA-256, asks once and prints a line for each.
//
//	minimal tokens HOST:PORT USER PASSWORD OWNER [CA.pem]
//	minimal users HOST:PORT USER PASSWORD "" [CA.pem]
//
// An empty OWNER is everybody.
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
	if len(args) < 5 {
		return errors.New("usage: minimal tokens|users HOST:PORT USER PASSWORD OWNER [CA.pem]")
	}
	opts := []kgo.Opt{
		kgo.SeedBrokers(args[1]),
		kgo.SASL(scram.Auth{User: args[2], Pass: args[3]}.AsSha256Mechanism()),
	}
	if len(args) > 5 {
		text, err := os.ReadFile(args[5])
		if err != nil {
			return err
		}
		roots := x509.NewCertPool()
		if !roots.AppendCertsFromPEM(text) {
			return errors.New("there is no certificate in " + args[5])
		}
		opts = append(opts, kgo.DialTLSConfig(&tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}))
	}
	client, err := kgo.NewClient(opts...)
	if err != nil {
		return err
	}
	defer client.Close()
	out := bufio.NewWriter(os.Stdout)
	if args[0] == "users" {
		err = users(client, out)
	} else {
		err = tokens(client, out, args[4])
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

func describe(client *kgo.Client, owner string) (*kmsg.DescribeDelegationTokenResponse, error) {
	ask := kmsg.NewDescribeDelegationTokenRequest()
	if owner != "" {
		ask.Owners = []kmsg.DescribeDelegationTokenRequestOwner{{PrincipalType: "User", PrincipalName: owner}}
	}
	answer, err := ask.RequestWith(context.Background(), client)
	if err == nil {
		err = kerr.ErrorForCode(answer.ErrorCode)
	}
	return answer, err
}

func tokens(client *kgo.Client, out *bufio.Writer, owner string) error {
	answer, err := describe(client, owner)
	if err != nil {
		return err
	}
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
	return nil
}

// users joins the four sources that a cluster knows its users from.
func users(client *kgo.Client, out *bufio.Writer) error {
	type user struct{ tokens, rules, quotas, scram int }
	all := map[string]*user{}
	named := func(name string) *user {
		if all[name] == nil {
			all[name] = new(user)
		}
		return all[name]
	}
	owned, err := describe(client, "")
	if err != nil {
		return err
	}
	for i := range owned.TokenDetails {
		t := &owned.TokenDetails[i]
		named(t.PrincipalType+":"+t.PrincipalName).tokens++
	}
	askRules := kmsg.NewDescribeACLsRequest()
	askRules.ResourceType, askRules.ResourcePatternType, askRules.Operation, askRules.PermissionType = 1, 1, 1, 1
	rules, err := askRules.RequestWith(context.Background(), client)
	if err == nil {
		err = kerr.ErrorForCode(rules.ErrorCode)
	}
	if err != nil {
		return err
	}
	for i := range rules.Resources {
		for j := range rules.Resources[i].ACLs {
			named(rules.Resources[i].ACLs[j].Principal).rules++
		}
	}
	askQuotas := kmsg.NewDescribeClientQuotasRequest()
	askQuotas.Components = []kmsg.DescribeClientQuotasRequestComponent{{EntityType: "user", MatchType: 2}}
	quotas, err := askQuotas.RequestWith(context.Background(), client)
	if err == nil {
		err = kerr.ErrorForCode(quotas.ErrorCode)
	}
	if err != nil {
		return err
	}
	for i := range quotas.Entries {
		for _, part := range quotas.Entries[i].Entity {
			if part.Type == "user" && part.Name != nil {
				named("User:"+*part.Name).quotas++
			}
		}
	}
	askScram := kmsg.NewDescribeUserSCRAMCredentialsRequest()
	askScram.Users = []kmsg.DescribeUserSCRAMCredentialsRequestUser{}
	scrams, err := askScram.RequestWith(context.Background(), client)
	if err == nil {
		err = kerr.ErrorForCode(scrams.ErrorCode)
	}
	if err != nil {
		return err
	}
	for i := range scrams.Results {
		named("User:" + scrams.Results[i].User).scram += len(scrams.Results[i].CredentialInfos)
	}
	for name, u := range all {
		fmt.Fprintln(out, name, u.tokens, u.rules, u.quotas, u.scram)
	}
	return nil
}
