package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dtok/config"
	"dtok/kafka"
	"dtok/kafka/kerberos"
)

const oauthModule = "sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required"

// credentialsOf reads a client.properties with more lines than the usual.
func credentialsOf(t *testing.T, lines ...string) *kafka.Credentials {
	t.Helper()
	file := filepath.Join(t.TempDir(), "client.properties")
	text := "security.protocol=SASL_PLAINTEXT\n" + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.ReadProperties(file)
	if err != nil {
		t.Fatal(err)
	}
	return credentials(c)
}

func bearer(t *testing.T, c *kafka.Credentials) (token string) {
	t.Helper()
	s, err := c.OAuth.BearerToken(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.Use(func(b []byte) { token = string(b) })
	return token
}

func TestCredentialsOfATokenFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	put := func(token string) {
		if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("a.b.c")
	c := credentialsOf(t, "sasl.mechanism=OAUTHBEARER", oauthModule+` extension_traceId="7";`,
		"sasl.login.callback.handler.class=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler",
		"sasl.oauthbearer.token.endpoint.url=file://"+file)
	if got := bearer(t, c); got != "a.b.c" || c.Extensions["traceId"] != "7" {
		t.Errorf("token %q, extensions %v", got, c.Extensions)
	}
	// Whoever keeps the token fresh writes the file; each sign-in reads it.
	put("d.e.f")
	if got := bearer(t, c); got != "d.e.f" {
		t.Errorf("token %q", got)
	}
	put("")
	if _, err := c.OAuth.BearerToken(t.Context()); err == nil || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("%v", err)
	}
}

func TestCredentialsOfAnOAuthClient(t *testing.T) {
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, secret, _ := r.BasicAuth()
		fmt.Fprintf(w, `{"access_token":"%s.%s.%s"}`, id, secret, r.FormValue("scope"))
	}))
	defer endpoint.Close()
	c := credentialsOf(t, "sasl.mechanism=OAUTHBEARER", oauthModule+` clientId="me" clientSecret="s3cr3t" scope="kafka";`,
		"sasl.login.callback.handler.class=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler",
		"sasl.oauthbearer.token.endpoint.url="+endpoint.URL)
	if got := bearer(t, c); got != "me.s3cr3t.kafka" {
		t.Errorf("token %q", got)
	}
	if said := fmt.Sprintf("%v %+v %#v", c, *c, c.OAuth); strings.Contains(said, "s3cr3t") {
		t.Error("the credentials show the client's secret")
	}
}

func TestCredentialsOfKerberos(t *testing.T) {
	dir := t.TempDir()
	conf, keytab := filepath.Join(dir, "krb5.conf"), filepath.Join(dir, "ops.keytab")
	for _, file := range []string{conf, keytab} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("KRB5_CONFIG", conf)
	c := credentialsOf(t, "sasl.mechanism=GSSAPI", "sasl.kerberos.service.name=broker",
		`sasl.jaas.config=com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true keyTab="`+keytab+`" principal="ops@EXAMPLE.COM";`)
	want := kerberos.Login{Service: "broker", Principal: "ops@EXAMPLE.COM", Keytab: keytab, Config: conf}
	if c.Kerberos != want {
		t.Errorf("%+v, want %+v", c.Kerberos, want)
	}
}
