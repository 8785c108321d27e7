package oauth

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dtok/kafka"
)

const secret = "s3cr3t+of/the=client"

// endpoint is a token endpoint over TLS that counts what it is asked.
type endpoint struct {
	*httptest.Server
	asked atomic.Int32
	last  atomic.Pointer[http.Request]
}

func serve(t *testing.T, answer http.HandlerFunc) *endpoint {
	e := &endpoint{}
	e.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.asked.Add(1)
		_ = r.ParseForm()
		e.last.Store(r)
		answer(w, r)
	}))
	e.Config.ErrorLog = nil
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) client() Client {
	return Client{Endpoint: e.URL + "/token?tenant=1", ID: "dtok", Secret: kafka.NewSecret([]byte(secret)),
		TLS: e.Client().Transport.(*http.Transport).TLSClientConfig}
}

func text(s *kafka.Secret) (text string) {
	s.Use(func(b []byte) { text = string(b) })
	return text
}

func TestTokenEndpoint(t *testing.T) {
	e := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"access_token":"a.b\/c.d","token_type":"Bearer","expires_in":60,"scope":"x"}`)
	})
	for name, test := range map[string]struct {
		change func(*Client)
		header string
		scope  []string
	}{
		"plain":   {func(*Client) {}, "dtok:" + secret, nil},
		"scope":   {func(c *Client) { c.Scope = "kafka read" }, "dtok:" + secret, []string{"kafka read"}},
		"encoded": {func(c *Client) { c.EncodeHeader = true }, "dtok:s3cr3t%2Bof%2Fthe%3Dclient", nil},
	} {
		c := e.client()
		test.change(&c)
		token, err := c.BearerToken(t.Context())
		if err != nil {
			t.Fatal(name, err)
		}
		if got := text(token); got != "a.b/c.d" {
			t.Errorf("%s: token %q", name, got)
		}
		r := e.last.Load()
		want := "Basic " + base64.StdEncoding.EncodeToString([]byte(test.header))
		if r.Method != http.MethodPost || r.Header.Get("Authorization") != want || r.PostForm.Get("grant_type") != "client_credentials" ||
			fmt.Sprint(r.PostForm["scope"]) != fmt.Sprint(test.scope) || r.URL.RawQuery != "tenant=1" {
			t.Errorf("%s: %s %v %v", name, r.Method, r.Header, r.PostForm)
		}
	}
}

// Whatever an endpoint answers, it is asked once, the sentence says what is
// wrong, and nothing of the secret or of what was answered is in it.
func TestTokenEndpointRefuses(t *testing.T) {
	answer := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Location", "/elsewhere?leak")
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	const isJSON = "application/json"
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"invalid client":     {answer(401, isJSON, `{"error":"invalid_client","error_description":"`+secret+`"}`), "refuses the client (HTTP 401, invalid_client)"},
		"scope":              {answer(400, isJSON, `{"error":"invalid_scope"}`), "refuses the client (HTTP 400, invalid_scope)"},
		"an error with 200":  {answer(200, isJSON, `{"error":"unauthorized_client"}`), "unauthorized_client"},
		"an odd error":       {answer(400, isJSON, `{"error":"`+secret+`"}`), "gives no token (HTTP 400)"},
		"401":                {answer(401, "text/plain", secret), "refuses the client (HTTP 401)"},
		"403":                {answer(403, "text/html", "<html>"), "refuses the client (HTTP 403)"},
		"404":                {answer(404, "text/html", "<html>"), "has nothing at that path"},
		"500":                {answer(503, "text/plain", secret), "fails (HTTP 503)"},
		"redirect":           {answer(302, "text/plain", ""), "sends dtok elsewhere (HTTP 302)"},
		"redirect with body": {answer(307, "text/plain", ""), "sends dtok elsewhere (HTTP 307)"},
		"a web page":         {answer(200, "text/html; charset=utf-8", "<html><form>"+secret), "answers with a web page"},
		"a page, unnamed":    {answer(200, isJSON, " <!doctype html>"), "answers with a web page"},
		"not JSON":           {answer(200, "text/plain", secret), "something else than JSON"},
		"nothing":            {answer(200, isJSON, ``), "something else than JSON"},
		"no token":           {answer(200, isJSON, `{"id_token":"`+secret+`"}`), "without an access_token"},
		"null":               {answer(200, isJSON, `{"access_token":null}`), "without an access_token"},
		"a number":           {answer(200, isJSON, `{"access_token":12}`), "without an access_token"},
		"empty":              {answer(200, isJSON, `{"access_token":""}`), "without an access_token"},
		"endless":            {answer(200, isJSON, strings.Repeat("[", maxAnswer+1)), "more than a token"},
		"cut": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"access_token":`)
		}, "without a complete answer"},
		"closed": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "without a complete answer"},
	} {
		t.Run(name, func(t *testing.T) {
			e := serve(t, test.answer)
			_, err := e.client().BearerToken(t.Context())
			told(t, err, test.want)
			if err != nil && !strings.Contains(err.Error(), strings.TrimPrefix(e.URL, "https://")) {
				t.Errorf("%v does not name the endpoint", err)
			}
			if n := e.asked.Load(); n != 1 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

// told fails unless err is an *Error with want in it and no secret.
func told(t *testing.T, err error, want string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), want) {
		t.Errorf("%T %v, want %q", err, err, want)
		return
	}
	for _, leak := range []string{secret, "s3cr3t", "leak", base64.StdEncoding.EncodeToString([]byte("dtok:" + secret))} {
		if said := fmt.Sprintf("%v %+v %s", err, err, e.Hint()); strings.Contains(said, leak) {
			t.Errorf("%q holds %q", said, leak)
		}
	}
}

func TestTokenEndpointIsNotThere(t *testing.T) {
	e := serve(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	slow, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := e.client().BearerToken(slow)
	told(t, err, "gave no complete answer in time")

	c := e.client()
	c.ReadTimeout = 50 * time.Millisecond
	_, err = c.BearerToken(t.Context())
	told(t, err, "gave no complete answer in time")

	c = e.client()
	c.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	_, err = c.BearerToken(t.Context())
	told(t, err, "certificate that is not accepted")

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c = e.client()
	c.Endpoint = "https://" + l.Addr().String()
	_ = l.Close()
	_, err = c.BearerToken(t.Context())
	told(t, err, "cannot be reached: connection refused")

	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	c.Endpoint = strings.Replace(plain.URL, "http:", "https:", 1)
	_, err = c.BearerToken(t.Context())
	told(t, err, "does not speak TLS")
}

func TestClientIsChecked(t *testing.T) {
	good := Client{Endpoint: "https://login.example/token", ID: "dtok", Secret: kafka.NewSecret([]byte(secret))}
	for want, change := range map[string]func(*Client){
		"URL of the token endpoint is missing": func(c *Client) { c.Endpoint = "" },
		"not an https URL":                     func(c *Client) { c.Endpoint = "ftp://x/" + secret },
		"holds a user name or password":        func(c *Client) { c.Endpoint = "https://dtok:s3cr3t@x/" },
		"client's id is missing":               func(c *Client) { c.ID = "" },
		"secret of the OAuth client dtok":      func(c *Client) { c.Secret = nil },
	} {
		c := good
		change(&c)
		_, err := c.BearerToken(t.Context())
		told(t, err, want)
	}
	c := good
	c.Endpoint = "https://x/%zz" + secret
	_, err := c.BearerToken(t.Context())
	told(t, err, "not an https URL")
}
