package contract

import (
	"encoding/base64"
	"errors"

	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/raw"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// changed is the answer to a renewal or an expiry.
type changed struct {
	code    int16
	expires int64
}

func renewRequest(version int16, hmac string, period int64) *kmsg.RenewDelegationTokenRequest {
	req := kmsg.NewPtrRenewDelegationTokenRequest()
	req.Version, req.HMAC, req.RenewTimeMillis = version, []byte(hmac), period
	return req
}

func expireRequest(version int16, hmac string, period int64) *kmsg.ExpireDelegationTokenRequest {
	req := kmsg.NewPtrExpireDelegationTokenRequest()
	req.Version, req.HMAC, req.ExpiryPeriodMillis = version, []byte(hmac), period
	return req
}

// renewOnce and expireOnce send one request.
func (c *client) renewOnce(hmac string, period int64) changed {
	c.Helper()
	r := do[*kmsg.RenewDelegationTokenResponse](c, renewRequest(2, hmac, period))
	return changed{r.ErrorCode, r.ExpiryTimestamp}
}

func (c *client) expireOnce(hmac string, period int64) changed {
	c.Helper()
	r := do[*kmsg.ExpireDelegationTokenResponse](c, expireRequest(2, hmac, period))
	return changed{r.ErrorCode, r.ExpiryTimestamp}
}

// renew and expire ask again as long as the controller does not know the token:
// it learns of a new one later than the broker (62 right after a create).
func (c *client) renew(t token, period int64) changed {
	c.Helper()
	return c.untilKnown(func() changed { c.Helper(); return c.renewOnce(t.hmac, period) })
}

func (c *client) expire(t token, period int64) changed {
	c.Helper()
	return c.untilKnown(func() changed { c.Helper(); return c.expireOnce(t.hmac, period) })
}

func (c *client) untilKnown(change func() changed) (last changed) {
	c.Helper()
	c.await("the controller knows the token", arrival, func() bool {
		last = change()
		return last.code != 62
	})
	return last
}

// withToken are the credentials that a worker holds.
func withToken(t token, mechanism string) raw.Credentials {
	return raw.Credentials{
		Mechanism: mechanism, User: t.id, Token: true,
		Password: base64.StdEncoding.EncodeToString([]byte(t.hmac)),
	}
}

// session signs in with a token; the token may be new, so that the broker is
// asked until it knows it.
func (e *env) session(t token) (*client, raw.Session) {
	e.Helper()
	return e.sessionOn(apache.SASLPlaintext, withToken(t, raw.ScramSHA256))
}

func (e *env) sessionOn(listener string, cred raw.Credentials) (*client, raw.Session) {
	e.Helper()
	var c *client
	var s raw.Session
	e.await("the token signs in", arrival, func() bool {
		var err error
		c, s, err = e.signIn(listener, cred)
		var refused *raw.Refused
		if errors.As(err, &refused) && refused.Code == 58 {
			return false
		}
		if err != nil {
			e.Fatal(err)
		}
		return true
	})
	return c, s
}

// refused is a sign-in that the broker must refuse.
func (e *env) refused(listener string, cred raw.Credentials) *raw.Refused {
	e.Helper()
	c, _, err := e.signIn(listener, cred)
	var refused *raw.Refused
	if !errors.As(err, &refused) {
		e.Fatalf("the sign-in is not refused: %v", err)
	}
	if refused.Step > 0 {
		e.closed(c, anything())
	}
	return refused
}
