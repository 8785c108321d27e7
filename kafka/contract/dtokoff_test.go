package contract

import (
	"context"
	"errors"
	"strings"

	"dtok/kafka"
	"dtok/kafka/contract/apache"
)

// dtokOffCases are about the reasons why there are no tokens; those that other
// clusters have are among the cases of their variants.
func dtokOffCases() []contractCase {
	return []contractCase{
		{"dtok: tokens are off on PLAINTEXT and one-way TLS, and for tokens themselves", dtokOffHere, offering(createToken)},
		{"dtok: tokens are off where there is no such request", dtokOffAPI, not(offering(createToken))},
	}
}

func dtokOffHere(e *env) {
	name := e.user()
	owner := e.dtok(name)
	made := e.createToken(owner, kafka.CreateRequest{})
	e.await("the token is listed", arrival, func() bool { return len(e.listTokens(owner, kafka.UserPrincipal(name))) == 1 })
	asToken := &kafka.Credentials{Mechanism: kafka.MechanismScramSHA256, User: made.Token.ID, TokenAuth: true}
	kafka.HMACText(made.HMAC, func(text []byte) { asToken.Password = kafka.NewSecret(text) })
	for _, test := range []struct {
		listener string
		cred     *kafka.Credentials
		want     kafka.OffCause
	}{
		{apache.Plaintext, nil, kafka.OffPlaintext},
		{apache.SSL, nil, kafka.OffOneWayTLS},
		{apache.SASLPlaintext, asToken, kafka.OffTokenSession},
		{apache.SASLSSL, asToken, kafka.OffTokenSession},
	} {
		var c *kafka.Client
		e.await("the connection stands", arrival, func() bool {
			var err error
			c, err = e.dtokOn(test.listener, test.cred)
			if _, refused := errors.AsType[*kafka.SignInError](err); err != nil && !refused {
				e.Fatal(err)
			}
			return err == nil
		})
		_, err := c.Tokens(context.Background(), kafka.Principal{})
		equal(e, "list on "+test.listener, expect[*kafka.OffError](e, err).Cause, test.want)
		_, err = c.CreateToken(context.Background(), kafka.CreateRequest{})
		equal(e, "create on "+test.listener, expect[*kafka.OffError](e, err).Cause, test.want)
	}
}

// off holds everything that dtok does with tokens to one cause.
func (e *env) off(c *kafka.Client, want kafka.OffCause) *kafka.OffError {
	e.Helper()
	_, err := c.Tokens(context.Background(), kafka.Principal{})
	off := expect[*kafka.OffError](e, err)
	equal(e, "list", off.Cause, want)
	_, err = c.CreateToken(context.Background(), kafka.CreateRequest{})
	equal(e, "create", expect[*kafka.OffError](e, err).Cause, want)
	token := kafka.Token{ID: "AAAAAAAAAAAAAAAAAAAAAA", Owner: kafka.UserPrincipal(apache.Admin)}
	_, err = c.RenewToken(context.Background(), kafka.RenewRequest{Token: token, HMAC: kafka.NewSecret(make([]byte, 64))})
	equal(e, "renew", expect[*kafka.OffError](e, err).Cause, want)
	_, err = c.ExpireToken(context.Background(), kafka.ExpireRequest{Token: token, HMAC: kafka.NewSecret(make([]byte, 64))})
	equal(e, "expire", expect[*kafka.OffError](e, err).Cause, want)
	l, err := c.Users(context.Background())
	if err != nil {
		e.Fatal(err)
	}
	equal(e, "users", expect[*kafka.OffError](e, l.Failed[kafka.FromTokens]).Cause, want)
	return off
}

func dtokOffAPI(e *env) {
	c := e.dtok(apache.Admin)
	off := e.off(c, kafka.OffNoAPI)
	equal(e, "version", off.Version, c.Detected())
}

// dtokOffKey: there is no secret key.
func dtokOffKey(e *env) { e.off(e.dtok(apache.Admin), kafka.OffNoSecretKey) }

// dtokOffMetadata: metadata.version is 3.5-IV2.
func dtokOffMetadata(e *env) {
	off := e.off(e.dtok(apache.Admin), kafka.OffOldMetadata)
	equal(e, "level", off.MetadataVersion, 11)
	if !strings.Contains(off.Error(), "3.5-IV2") {
		e.Errorf("%v", off)
	}
}
