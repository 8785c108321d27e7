package contract

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"dtok/kafka/contract/apache"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/scram"
)

// franzGo is the same job done with franz-go, which asks for the cluster's
// metadata, negotiates versions and picks a broker itself.
func franzGo(s *script) {
	user, other := s.userNamed("franz-user"), s.userNamed("franz-other")
	owner, renewer, admin := s.franzAs(user), s.franzAs(other), s.franzAs(apache.Admin)

	created := franzDo(s, owner, "create", createRequest(newToken{renewers: []string{"User:" + other}}))
	id, hmac := created.TokenID, string(created.HMAC)
	s.note("create", fmt.Sprint(refusalOf(created).owner, " ", refusalOf(created).requester, " ", len(id), len(hmac), created.MaxTimestamp-created.IssueTimestamp))
	s.await("the token is described", arrival, func() bool { return s.admin().sees(id) })
	s.note("describe", fmt.Sprint(len(franzDo(s, owner, "describe", describeRequest(3, nil)).TokenDetails)))
	t := token{id: id, hmac: hmac}
	s.as(user).renew(t, -1) // the controller knows the token from here on
	s.note("renew", franzDo(s, renewer, "renew", renewRequest(2, hmac, -1)).ErrorCode)
	s.note("renew by the super user", franzDo(s, admin, "renew", renewRequest(2, hmac, -1)).ErrorCode)
	s.note("create for another", franzDo(s, owner, "create", createRequest(newToken{owner: "User:" + other})).ErrorCode)

	s.session(t)
	worker := s.worker(t)
	s.note("describe with the token", franzDo(s, worker, "describe", describeRequest(3, nil)).ErrorCode)
	s.note("list rules with the token", franzDo(s, worker, "list rules", filter{}.request()).ErrorCode)
	wrong := s.franz(apache.SASLPlaintext, scram.Auth{User: id, Pass: "wrong", IsToken: true}.AsSha256Mechanism())
	s.note("a wrong HMAC", franzErr(s, wrong, describeRequest(3, nil)))

	var infos []any // in no order
	for _, info := range franzDo(s, admin, "list users", scramRequest(user)).Results[0].CredentialInfos {
		infos = append(infos, fmt.Sprint(info.Mechanism, info.Iterations))
	}
	s.note("list SCRAM users", infos...)
	set := franzDo(s, admin, "set quota", alterRequest(false, quota{entity{"user": user}, "producer_byte_rate", 1024, false}))
	s.note("set quota", set.Entries[0].ErrorCode)
	s.await("the quota is read", arrival, func() bool {
		return len(franzDo(s, admin, "quotas", quotasRequest(true, exact("user", user))).Entries) == 1
	})
	rules := kmsg.NewPtrCreateACLsRequest()
	rules.Creations = []kmsg.CreateACLsRequestCreation{userRule("User:"+user, "User:"+other, kmsg.ACLOperationCreateTokens).creation()}
	s.note("add rule", franzDo(s, admin, "add rule", rules).Results[0].ErrorCode)
	s.await("the rule works", arrival, func() bool {
		return franzDo(s, owner, "create", createRequest(newToken{owner: "User:" + other})).ErrorCode == 0
	})

	s.note("expire", franzDo(s, owner, "expire", expireRequest(2, hmac, -1)).ErrorCode)
	s.await("the token is gone", arrival, func() bool { return !s.admin().sees(id) })
	gone := s.franz(apache.SASLSSL, scram.Auth{User: id, Pass: base64.StdEncoding.EncodeToString([]byte(hmac)), IsToken: true}.AsSha256Mechanism())
	s.note("sign-in with a removed token", franzErr(s, gone, describeRequest(3, nil)))
	plaintext := s.franz(apache.Plaintext, nil)
	s.note("describe on PLAINTEXT", franzDo(s, plaintext, "describe", describeRequest(3, nil)).ErrorCode)
	mtls := s.franz(apache.MTLS, nil)
	s.note("describe with a certificate", franzDo(s, mtls, "describe", describeRequest(3, nil)).ErrorCode)
}

// franzAs is a franz-go client that signs in with the user's password.
func (s *script) franzAs(user string) *kgo.Client {
	s.Helper()
	return s.franz(apache.SASLSSL, scram.Auth{User: user, Pass: apache.Password(user)}.AsSha512Mechanism())
}

// franz is a franz-go client on one listener.
func (s *script) franz(listener string, mechanism sasl.Mechanism, more ...kgo.Opt) *kgo.Client {
	s.Helper()
	options := []kgo.Opt{
		kgo.SeedBrokers(s.Address(listener)), kgo.RetryTimeout(2 * time.Second), kgo.RequestRetries(1),
	}
	options = append(options, more...)
	if mechanism != nil {
		options = append(options, kgo.SASL(mechanism))
	}
	if listener == apache.SASLSSL || listener == apache.MTLS {
		config := &tls.Config{RootCAs: x509.NewCertPool(), ServerName: "localhost"}
		config.RootCAs.AppendCertsFromPEM(s.CA())
		if listener == apache.MTLS {
			certificate, err := s.Certificate(apache.Subject{"O=Acme", "CN=franz"})
			if err != nil {
				s.Fatal(err)
			}
			config.Certificates = []tls.Certificate{certificate}
		}
		options = append(options, kgo.DialTLSConfig(config))
	}
	c, err := kgo.NewClient(options...)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(c.Close)
	return c
}

// answered is a kmsg request whose response type is R.
type answered[R any] interface {
	kmsg.Request
	RequestWith(context.Context, kmsg.Requestor) (R, error)
}

func franzDo[R any](s *script, c *kgo.Client, what string, req answered[R]) R {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), arrival)
	defer cancel()
	resp, err := req.RequestWith(ctx, c)
	if err != nil {
		s.Fatalf("%s: %v", what, err)
	}
	return resp
}

// franzErr is how a request fails.
func franzErr[R any](s *script, c *kgo.Client, req answered[R]) string {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), arrival)
	defer cancel()
	_, err := req.RequestWith(ctx, c)
	if err == nil {
		s.Fatal("the request does not fail")
	}
	// What is wrapped around the broker's answer names addresses.
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err.Error()
}
