package contract

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"crypto"
	"crypto/sha256"

	"dtok/kafka"
	"dtok/kafka/contract/apache"
	"dtok/kafka/oauth"
)

// issuer signs tokens as an identity provider does, and serves them at a token
// endpoint over TLS.
type issuer struct {
	key    *rsa.PrivateKey
	server *httptest.Server
	asked  atomic.Int32
}

const (
	issuerName   = "https://login.test"
	audience     = "kafka"
	clientID     = "dtok-client"
	clientSecret = "s3cr3t-of-the-client"
)

func newIssuer(t *testing.T) *issuer {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{key: key}
	i.server = httptest.NewTLSServer(http.HandlerFunc(i.serve))
	t.Cleanup(i.server.Close)
	return i
}

// serve is the client credentials grant. The scope is the user's name.
func (i *issuer) serve(w http.ResponseWriter, r *http.Request) {
	i.asked.Add(1)
	w.Header().Set("Content-Type", "application/json")
	id, secret, ok := r.BasicAuth()
	if !ok || id != clientID || secret != clientSecret || r.FormValue("grant_type") != "client_credentials" {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":"invalid_client","error_description":"the secret %s is wrong"}`, secret)
		return
	}
	token := i.sign(claims(r.FormValue("scope"), time.Now().Add(time.Hour)))
	_ = json.NewEncoder(w).Encode(map[string]any{"access_token": token, "token_type": "Bearer", "expires_in": 3600})
}

func (i *issuer) jwks() []byte {
	n := base64.RawURLEncoding.EncodeToString(i.key.N.Bytes())
	e := base64.RawURLEncoding.EncodeToString(big.NewInt(int64(i.key.E)).Bytes())
	return fmt.Appendf(nil, `{"keys":[{"kty":"RSA","use":"sig","alg":"RS256","kid":"k1","n":%q,"e":%q}]}`, n, e)
}

func claims(subject string, expires time.Time) map[string]any {
	return map[string]any{"sub": subject, "iss": issuerName, "aud": audience, "iat": time.Now().Unix(), "exp": expires.Unix()}
}

func part(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

func (i *issuer) sign(claims map[string]any) string {
	signed := part(map[string]string{"alg": "RS256", "kid": "k1", "typ": "JWT"}) + "." + part(claims)
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, i.key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature)
}

func unsigned(claims map[string]any) string {
	return part(map[string]string{"alg": "none"}) + "." + part(claims) + "."
}

// fixedToken is a source of always the same.
type fixedToken string

func (f fixedToken) BearerToken(context.Context) (*kafka.Secret, error) {
	return kafka.NewSecret([]byte(f)), nil
}

func (i *issuer) client(user string) oauth.Client {
	return oauth.Client{
		Endpoint: i.server.URL + "/token", ID: clientID, Secret: kafka.NewSecret([]byte(clientSecret)), Scope: user,
		TLS: i.server.Client().Transport.(*http.Transport).TLSClientConfig,
	}
}

func oauthSettings(address string, source kafka.TokenSource) kafka.Settings {
	return kafka.Settings{
		Bootstrap: []string{address}, Protocol: kafka.SASLPlaintext,
		SASL: &kafka.Credentials{Mechanism: kafka.MechanismOAuth, OAuth: source},
	}
}

func TestOAuthOnKafka(t *testing.T) {
	needTokens(t)
	i := newIssuer(t)
	node := startNode(t, apache.Options{OAuth: &apache.OAuth{JWKS: i.jwks(), Issuer: issuerName, Audience: audience}})
	soon := time.Now().Add(time.Hour)

	t.Run("unsecured", func(t *testing.T) {
		s := oauthSettings(node.Address(apache.OAuthUnsecured), fixedToken(unsigned(claims("alice smith,x=y", soon))))
		s.SASL.Extensions = map[string]string{"traceId": "1", "logicalCluster": "lkc-1"}
		wholeLife(t, s, kafka.UserPrincipal("alice smith,x=y"))
	})
	t.Run("token endpoint", func(t *testing.T) {
		s := oauthSettings(node.Address(apache.OAuthSigned), i.client("alice"))
		before := i.asked.Load()
		wholeLife(t, s, kafka.UserPrincipal("alice"))
		if n := i.asked.Load() - before; n != 1 {
			t.Errorf("the token endpoint was asked %d times for one connection", n)
		}
		diagnosed(t, s, true, "ok       OAuth token", "subject alice, issuer "+issuerName, "the broker ends the session after")
	})
	t.Run("fixed token", func(t *testing.T) {
		s := oauthSettings(node.Address(apache.OAuthSigned), fixedToken(i.sign(claims("bob", soon))))
		wholeLife(t, s, kafka.UserPrincipal("bob"))
	})

	elsewhere := claims("alice", soon)
	elsewhere["aud"] = "other"
	for name, token := range map[string]string{
		"expired":        i.sign(claims("alice", time.Now().Add(-time.Hour))),
		"wrong audience": i.sign(elsewhere),
		"no signature":   unsigned(claims("alice", soon)),
		"another key":    newIssuer(t).sign(claims("alice", soon)),
	} {
		t.Run("refused: "+name, func(t *testing.T) {
			_, err := kafka.Dial(t.Context(), oauthSettings(node.Address(apache.OAuthSigned), fixedToken(token)))
			refused, ok := errors.AsType[*kafka.SignInError](err)
			if !ok || refused.Code != kafka.CodeSASLFailed || refused.Status != "invalid_token" || refused.Claims.Subject != "alice" {
				t.Fatalf("%#v: %v", refused, err)
			}
			for _, secret := range []string{token, token[len(token)-40:], token[:40]} {
				if strings.Contains(err.Error()+refused.Hint(), secret) {
					t.Errorf("%v holds a part of the token", err)
				}
			}
		})
	}

	t.Run("wrong secret", func(t *testing.T) {
		c := i.client("alice")
		c.Secret = kafka.NewSecret([]byte("wr0ng-one"))
		_, err := kafka.Dial(t.Context(), oauthSettings(node.Address(apache.OAuthSigned), c))
		if _, ok := errors.AsType[*kafka.SourceError](err); !ok || !strings.Contains(err.Error(), "invalid_client") || strings.Contains(err.Error(), "wr0ng") {
			t.Errorf("%v", err)
		}
	})
	t.Run("a listener without it says what it offers", func(t *testing.T) {
		_, err := kafka.Dial(t.Context(), oauthSettings(node.Address(apache.SASLPlaintext), i.client("alice")))
		if refused, ok := errors.AsType[*kafka.SignInError](err); !ok || refused.Code != kafka.CodeUnsupportedMech || len(refused.Offered) != 3 {
			t.Errorf("%v", err)
		}
	})
}

// wholeLife lists, creates, renews and expires over a connection with dtok's
// own client. principal is who the broker takes it for, which a session may
// only claim to know with PLAIN and SCRAM.
func wholeLife(t *testing.T, s kafka.Settings, principal kafka.Principal) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*arrival)
	defer cancel()
	c, err := kafka.Dial(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if got := c.Session(); got.Off != nil || !got.Principal.IsZero() && got.Principal != principal {
		t.Fatalf("session %+v", got)
	}
	made, err := c.CreateToken(ctx, kafka.CreateRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if made.Token.Owner != principal || made.Token.Requester != principal {
		t.Errorf("token of %v, asked for by %v, want %v", made.Token.Owner, made.Token.Requester, principal)
	}
	renewed, err := c.RenewToken(ctx, kafka.RenewRequest{Token: made.Token, HMAC: made.HMAC.Clone()})
	if err != nil {
		t.Fatal(err)
	}
	if renewed.Token.Expires.Before(renewed.Before) {
		t.Errorf("renewed from %v to %v", renewed.Before, renewed.Token.Expires)
	}
	list, err := c.Tokens(ctx, principal)
	if err != nil || len(list.Tokens) != 1 || list.Tokens[0].ID != made.Token.ID {
		t.Errorf("listed %+v, %v", list.Tokens, err)
	}
	if _, err := c.ExpireToken(ctx, kafka.ExpireRequest{Token: made.Token, HMAC: made.HMAC}); err != nil {
		t.Error(err)
	}
}
