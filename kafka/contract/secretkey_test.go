package contract

import (
	"context"
	"testing"

	"dtok/kafka"
	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/raw"
)

const secretKey = "delegation.token.secret.key"

// TestSecretKeyChangedOnKafka: HMACs are made from the secret key, so with another one
// all tokens are listed with other HMACs, and those that were given out are
// worth nothing until the old key is back.
func TestSecretKeyChangedOnKafka(t *testing.T) {
	if !needKafka(t).Offers(createToken) {
		t.Skip("this release has no tokens")
	}
	node := startNode(t, apache.Options{})
	e := on(t, node)
	c := e.dtok("alice")
	made := e.createToken(c, kafka.CreateRequest{})
	renew := func() error {
		_, err := c.RenewToken(context.Background(), kafka.RenewRequest{Token: made.Token, HMAC: made.HMAC.Clone()})
		return err
	}
	if err := renew(); err != nil {
		t.Fatal(err)
	}
	old := e.as("alice").shown(made.Token.ID)

	if err := node.Restart(t.Context(), map[string]string{secretKey: "another-secret-key"}); err != nil {
		t.Fatal(err)
	}
	// The client's connection went with the node; it dials again by itself.
	e.await("the token is listed", arrival, func() bool { return len(e.listTokens(c, kafka.UserPrincipal("alice"))) == 1 })
	equal(e, "token", expect[*kafka.MismatchError](e, renew()).TokenID, made.Token.ID)
	fresh := e.as("alice").shown(made.Token.ID)
	equal(e, "the HMAC is the same", fresh.hmac == old.hmac, false)
	equal(e, "renew with the old HMAC", e.as("alice").renewOnce(old.hmac, -1), changed{62, e.noTime()})
	equal(e, "refusal of the old HMAC", e.refused(apache.SASLPlaintext, withToken(old, raw.ScramSHA256)).Step, 2)
	e.session(fresh)

	if err := node.Restart(t.Context(), map[string]string{secretKey: usual().SecretKey}); err != nil {
		t.Fatal(err)
	}
	e.await("the old HMAC is back", arrival, func() bool { return renew() == nil })
	e.session(old)
}

// TestSecretKeyOnOneSideOnKafka: on KRaft the controllers change tokens and the
// brokers list them, and each needs the key.
func TestSecretKeyOnOneSideOnKafka(t *testing.T) {
	needNewest(t, "all releases on KRaft share it out like that")
	without := map[string]string{secretKey: ""}
	controller, broker := apache.Member{Roles: "controller"}, apache.Member{Roles: "broker"}
	t.Run("controllers", func(t *testing.T) {
		broker.Set = without
		e := on(t, startNodes(t, apache.Options{}, controller, broker)[1])
		c := e.dtok("alice")
		made := e.createToken(c, kafka.CreateRequest{})
		_, err := c.Tokens(context.Background(), kafka.Principal{})
		equal(e, "list", expect[*kafka.OffError](e, err).Cause, kafka.OffNoSecretKey)
		// dtok reads a token before it changes it, so it changes none here.
		_, err = c.RenewToken(context.Background(), kafka.RenewRequest{Token: made.Token, HMAC: made.HMAC.Clone()})
		equal(e, "renew", expect[*kafka.OffError](e, err).Cause, kafka.OffNoSecretKey)
		_, err = c.TestSignIn(context.Background(), made.Token, made.HMAC.Clone())
		equal(e, "sign-in", expect[*kafka.SignInError](e, err).Code, kafka.CodeSASLFailed)
		var hmac string
		made.HMAC.Use(func(raw []byte) { hmac = string(raw) })
		equal(e, "renewal as the controller takes it", e.as("alice").renew(token{hmac: hmac}, -1).code, 0)
	})
	t.Run("brokers", func(t *testing.T) {
		controller.Set, broker.Set = without, nil
		e := on(t, startNodes(t, apache.Options{}, controller, broker)[1])
		c := e.dtok("alice")
		_, err := c.CreateToken(context.Background(), kafka.CreateRequest{})
		equal(e, "create", expect[*kafka.OffError](e, err).Cause, kafka.OffNoSecretKey)
		equal(e, "tokens", len(e.listTokens(c, kafka.Principal{})), 0)
		// Once the brokers have listed, it is the controllers that lack it.
		_, err = c.CreateToken(context.Background(), kafka.CreateRequest{})
		equal(e, "create after a list", code(e, err), kafka.CodeTokenAuthDisabled)
	})
}
