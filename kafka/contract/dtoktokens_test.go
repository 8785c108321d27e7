package contract

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"dtok/kafka"
	"dtok/kafka/contract/apache"
)

// dtokTokenCases are about dtok's own client and tokens.
func dtokTokenCases() []contractCase {
	tokens := offering(createToken)
	return []contractCase{
		{"dtok: what it tells of the cluster", dtokSession, always},
		{"dtok: a token is made, listed, renewed, tried and expired", dtokWholeLife, tokens},
		{"dtok: a token for another user", dtokOwner, both(tokens, since("3.3"))},
		{"dtok: no token for another user, and nothing is sent", dtokOldOwner, both(tokens, before("3.3"))},
		{"dtok: a stranger may neither renew nor expire", dtokStranger, tokens},
		{"dtok: an HMAC of another token is not sent", dtokMismatch, tokens},
		{"dtok: users from the sources that there are", dtokUsers, always},
	}
}

// credentials are what a user signs in with as dtok's client.
func (e *env) credentials(user string) *kafka.Credentials {
	cred := &kafka.Credentials{Mechanism: kafka.MechanismScramSHA512, User: user, Password: kafka.NewSecret([]byte(apache.Password(user)))}
	if !e.makesUsers() {
		cred.Mechanism = kafka.MechanismPlain
	}
	return cred
}

// dtokOn is dtok's client on one of the listeners.
func (e *env) dtokOn(listener string, cred *kafka.Credentials) (*kafka.Client, error) {
	s := kafka.Settings{Bootstrap: []string{e.Address(listener)}, Protocol: kafka.Protocol(listener), SASL: cred}
	if s.Protocol.Encrypted() {
		s.TLS = &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
		s.TLS.RootCAs.AppendCertsFromPEM(e.CA())
	}
	c, err := kafka.Dial(context.Background(), s)
	if err == nil {
		e.Cleanup(c.Close)
	}
	return c, err
}

func dtokSession(e *env) {
	c := e.dtok(apache.Admin)
	s := c.Session()
	numbers := strings.SplitN(e.Kafka().Version(), ".", 3)
	equal(e, "version", c.Detected(), "Kafka "+numbers[0]+"."+numbers[1])
	equal(e, "metadata.version", s.MetadataVersion, featuresOf(e.Kafka()).metadata[1])
	equal(e, "may create for others", s.CanCreateForOthers, e.Kafka().Newest(createToken, 3) == 3)
	equal(e, "principal", s.Principal, kafka.UserPrincipal(apache.Admin))
	equal(e, "tokens are off", s.Off != nil, !e.Kafka().Offers(createToken))
}

func (e *env) createToken(c *kafka.Client, req kafka.CreateRequest) kafka.Created {
	e.Helper()
	made, err := c.CreateToken(context.Background(), req)
	if err != nil {
		e.Fatal(err)
	}
	e.Cleanup(func() { made.HMAC.Destroy() })
	return made
}

func (e *env) listTokens(c *kafka.Client, owner kafka.Principal) []kafka.Token {
	e.Helper()
	l, err := c.Tokens(context.Background(), owner)
	if err != nil {
		e.Fatal(err)
	}
	return l.Tokens
}

// timePasses lets the cluster's time pass until the case ends: dtok's client
// waits on its own clock for a change to arrive.
func (e *env) timePasses() {
	stop, stopped := make(chan struct{}), make(chan struct{})
	e.Cleanup(func() { close(stop); <-stopped })
	go func() {
		defer close(stopped)
		every := time.NewTicker(5 * time.Millisecond)
		defer every.Stop()
		for {
			select {
			case <-stop:
				return
			case <-every.C:
				e.Pass(5 * time.Millisecond)
			}
		}
	}()
}

// expect fails the case unless err is an E, and returns it.
func expect[E error](e *env, err error) E {
	e.Helper()
	found, ok := errors.AsType[E](err)
	if !ok {
		e.Fatalf("%T: %v", err, err)
	}
	return found
}

func dtokWholeLife(e *env) {
	e.timePasses()
	ctx, name := context.Background(), e.user()
	c, self := e.dtok(name), kafka.UserPrincipal(name)
	renewers := []kafka.Principal{kafka.UserPrincipal("x"), kafka.UserPrincipal("CN=a,OU=b:c")}
	made := e.createToken(c, kafka.CreateRequest{Owner: self, Renewers: renewers, MaxLifetime: kafka.PeriodOf(2 * time.Hour)})
	equal(e, "owner", made.Token.Owner, self)
	equal(e, "lifetime", made.Token.MaxLifetimeEnds.Sub(made.Token.Issued), 2*time.Hour)
	equal(e, "requester", made.Token.Requester.IsZero(), e.requester("x") == "")

	// The list may be behind the creation, the changes wait for it.
	renewed, err := c.RenewToken(ctx, kafka.RenewRequest{Token: made.Token, HMAC: made.HMAC.Clone(), Period: kafka.PeriodOf(time.Hour)})
	if err != nil {
		e.Fatal(err)
	}
	equal(e, "expiry before", renewed.Before, made.Token.Expires)
	within(e, "new expiry", renewed.Token.Expires.UnixMilli(), made.Token.Issued.UnixMilli()+time.Hour.Milliseconds(), e.millis()+time.Hour.Milliseconds())
	e.await("the renewal is listed", arrival, func() bool {
		l := e.listTokens(c, self)
		return len(l) == 1 && l[0].Expires.Equal(renewed.Token.Expires)
	})
	equal(e, "token as it is listed", e.listTokens(c, self)[0].Renewers, renewers)

	tried, err := c.TestSignIn(ctx, renewed.Token, made.HMAC.Clone())
	if err != nil {
		e.Fatal(err)
	}
	limit := time.Duration(0)
	if endsSessions(e.Kafka()) {
		limit = time.Hour
	}
	within(e, "session lifetime", tried.Lifetime.Milliseconds(), (limit - min(limit, time.Minute)).Milliseconds(), limit.Milliseconds())

	gone, err := c.ExpireToken(ctx, kafka.ExpireRequest{Token: renewed.Token, HMAC: made.HMAC.Clone()})
	if err != nil {
		e.Fatal(err)
	}
	within(e, "moment of the end", gone.At.UnixMilli(), made.Token.Issued.UnixMilli(), e.millis())
	e.await("the token is gone", arrival, func() bool { return len(e.listTokens(c, self)) == 0 })
	_, err = c.ExpireToken(ctx, kafka.ExpireRequest{Token: renewed.Token, HMAC: made.HMAC.Clone()})
	equal(e, "gone token", expect[*kafka.GoneError](e, err).TokenID, made.Token.ID)
	_, err = c.TestSignIn(ctx, renewed.Token, made.HMAC.Clone())
	equal(e, "sign-in with a token that is gone", expect[*kafka.SignInError](e, err).Code, kafka.CodeSASLFailed)
}

func dtokOwner(e *env) {
	admin, name := e.dtok(apache.Admin), e.user()
	owner := kafka.UserPrincipal(name)
	made := e.createToken(admin, kafka.CreateRequest{Owner: owner})
	equal(e, "owner and requester", [2]kafka.Principal{made.Token.Owner, made.Token.Requester}, [2]kafka.Principal{owner, kafka.UserPrincipal(apache.Admin)})
	e.await("the token is listed", arrival, func() bool { return len(e.listTokens(admin, owner)) == 1 })
	equal(e, "token as the owner sees it", e.listTokens(e.dtok(name), owner)[0].ID, made.Token.ID)
}

func dtokOldOwner(e *env) {
	name, other := e.user(), kafka.UserPrincipal(e.fresh("other"))
	c := e.dtok(name)
	_, err := c.CreateToken(context.Background(), kafka.CreateRequest{Owner: other})
	old := expect[*kafka.OldBrokerError](e, err)
	equal(e, "owner", old.Owner, other)
	equal(e, "version", old.Version, c.Detected())
	// A token of the connection's own is what such a broker would have made.
	equal(e, "tokens", len(e.listTokens(c, kafka.Principal{})), 0)
}

func dtokStranger(e *env) {
	owner, stranger := e.user(), e.user()
	c := e.dtok(owner)
	made := e.createToken(c, kafka.CreateRequest{})
	e.await("the token is listed", arrival, func() bool { return len(e.listTokens(c, kafka.UserPrincipal(owner))) == 1 })
	asStranger, admin := e.dtok(stranger), e.dtok(apache.Admin)
	// Who does not see the token sends nothing; the super user sees it.
	_, err := asStranger.RenewToken(context.Background(), kafka.RenewRequest{Token: made.Token, HMAC: made.HMAC.Clone()})
	expect[*kafka.GoneError](e, err)
	e.await("the token can be changed", arrival, func() bool {
		_, err := c.RenewToken(context.Background(), kafka.RenewRequest{Token: made.Token, HMAC: made.HMAC.Clone()})
		return err == nil
	})
	_, err = admin.RenewToken(context.Background(), kafka.RenewRequest{Token: made.Token, HMAC: made.HMAC.Clone()})
	equal(e, "renew", code(e, err), kafka.CodeTokenOwnerMismatch)
	_, err = admin.ExpireToken(context.Background(), kafka.ExpireRequest{Token: made.Token, HMAC: made.HMAC.Clone()})
	equal(e, "expire", code(e, err), kafka.CodeTokenOwnerMismatch)
	equal(e, "tokens", len(e.listTokens(c, kafka.UserPrincipal(owner))), 1)
}

func dtokMismatch(e *env) {
	e.timePasses()
	name := e.user()
	c := e.dtok(name)
	one, two := e.createToken(c, kafka.CreateRequest{}), e.createToken(c, kafka.CreateRequest{})
	_, err := c.ExpireToken(context.Background(), kafka.ExpireRequest{Token: one.Token, HMAC: two.HMAC.Clone()})
	equal(e, "token", expect[*kafka.MismatchError](e, err).TokenID, one.Token.ID)
	e.await("both are listed", arrival, func() bool { return len(e.listTokens(c, kafka.UserPrincipal(name))) == 2 })
}

// dtokUsers: what a release does not have costs only its own source.
func dtokUsers(e *env) {
	name := e.user()
	self := kafka.UserPrincipal(name)
	e.admin().addRules(topicRule(self.String(), e.fresh("t"), 3))
	has := map[kafka.Source]bool{kafka.FromACLs: true}
	if e.Kafka().Offers(createToken) {
		has[kafka.FromTokens] = true
		e.as(name).newToken(newToken{})
	}
	if e.Kafka().Offers(clientQuotas) {
		has[kafka.FromQuotas] = true
		e.admin().setQuota(quota{entity{"user": name}, "request_percentage", 1000, false})
	}
	has[kafka.FromSCRAM] = e.makesUsers()
	admin := e.dtok(apache.Admin)
	var l kafka.UserList
	e.await("all sources know the user", arrival, func() bool {
		var err error
		if l, err = admin.Users(context.Background()); err != nil {
			e.Fatal(err)
		}
		i := slices.IndexFunc(l.Users, func(u kafka.User) bool { return u.Principal == self })
		if i < 0 {
			return false
		}
		for _, s := range []kafka.Source{kafka.FromTokens, kafka.FromACLs, kafka.FromQuotas, kafka.FromSCRAM} {
			if l.Users[i].From.Has(s) != has[s] {
				return false
			}
		}
		return true
	})
	for s, needs := range map[kafka.Source]string{kafka.FromQuotas: "2.6", kafka.FromSCRAM: "2.7"} {
		if has[s] {
			equal(e, fmt.Sprintf("failure of %v", s), l.Failed[s], nil)
			continue
		}
		equal(e, fmt.Sprintf("what %v need", s), expect[*kafka.UnsupportedError](e, l.Failed[s]).Needs, needs)
	}
	if !has[kafka.FromTokens] {
		equal(e, "why there are no tokens", expect[*kafka.OffError](e, l.Failed[kafka.FromTokens]).Cause, kafka.OffNoAPI)
	}
}
