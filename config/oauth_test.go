package config

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	oauthHead  = "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=OAUTHBEARER\n" + loginHandler + "=" + oauthPackage + "OAuthBearerLoginCallbackHandler\n"
	oauthLogin = "sasl.jaas.config=" + oauthModule + ` required clientId="ops" clientSecret="client-secret";` + "\n"
	endpoint   = tokenEndpoint + "=https://login.example/token\n"
	someToken  = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9."
)

// The files that Kafka 4.4's client was given on JDK 17, with a server in the
// place of ENDPOINT and a JWT in TOKENFILE, and what it then sent: the header
// of basic authentication, decoded, and the body.
func TestOAuthAsKafkaReadsIt(t *testing.T) {
	data, err := os.ReadFile("../testdata/properties/oauth/answers.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Name, File, Authorization, Body, Extensions string
		Accepted                                    bool
	}
	if err := json.Unmarshal(data, &vectors); err != nil || len(vectors) < 30 {
		t.Fatalf("%d vectors: %v", len(vectors), err)
	}
	token := filepath.Join(t.TempDir(), "token.jwt")
	if err := os.WriteFile(token, []byte(" "+someToken+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			file := strings.NewReplacer("ENDPOINT", "http://localhost:8/t", "TOKENFILE", token).Replace(v.File)
			c, err := ReadProperties(writeFile(t, file))
			switch v.Name {
			case "two modules":
				v.Accepted, v.Authorization, v.Body, v.Extensions = true, "id:s", "grant_type=client_credentials", "{}" // the first, with a note
			case "unsecured":
				v.Accepted = false // not with dtok
			}
			if (err == nil) != v.Accepted {
				t.Fatalf("accepted by Kafka %v, here %v", v.Accepted, err)
			}
			if err != nil {
				return
			}
			o := c.OAuth
			if c.Mechanism != "OAUTHBEARER" || o == nil || (o.TokenFile == "") != (v.Body != "") {
				t.Fatalf("%+v", o)
			}
			if o.TokenFile != "" {
				got, err := o.ReadToken()
				if err != nil || reveal(got) != someToken {
					t.Errorf("token %q, %v", reveal(got), err)
				}
				return
			}
			id, secret := o.ClientID, reveal(o.ClientSecret)
			if o.URLEncode {
				id, secret = url.QueryEscape(id), url.QueryEscape(secret)
			}
			body := "grant_type=client_credentials"
			if o.Scope != "" {
				body += "&scope=" + o.Scope
			}
			extensions := strings.NewReplacer("map[", "{", "]", "}", ":", "=", " i", ", i", " l", ", l").Replace(fmt.Sprint(o.Extensions))
			if got := id + ":" + secret; got != v.Authorization || body != v.Body || extensions != v.Extensions {
				t.Errorf("%q %q %q, Kafka has %q %q %q", got, body, extensions, v.Authorization, v.Body, v.Extensions)
			}
			if o.TokenEndpoint != "http://localhost:8/t" {
				t.Errorf("endpoint %s", o.TokenEndpoint)
			}
		})
	}
}

func TestOAuthRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return tokenEndpoint + "=file://" + path + "\n"
	}
	for _, tt := range []struct{ name, file, want string }{
		{"no endpoint", oauthHead + oauthLogin, "sasl.oauthbearer.token.endpoint.url is missing"},
		{"no handler", strings.SplitN(oauthHead, loginHandler, 2)[0] + oauthLogin + endpoint,
			"sasl.login.callback.handler.class is missing, and Kafka's default makes a token without a signature: set sasl.login.callback.handler.class=org.apache.kafka"},
		{"unsecured", strings.SplitN(oauthHead, loginHandler, 2)[0] + "sasl.jaas.config=" + oauthModule + " required unsecuredLoginStringClaim_sub=\"alice\";\n",
			":3: sasl.jaas.config asks for a token without a signature"},
		{"another handler", strings.Replace(oauthHead, oauthPackage, "io.strimzi.", 1) + oauthLogin + endpoint, ":3: sasl.login.callback.handler.class names a Java class, which dtok cannot run: with a token endpoint"},
		{"another retriever", oauthHead + oauthLogin + endpoint + "sasl.oauthbearer.jwt.retriever.class=a.B\n", ":6: sasl.oauthbearer.jwt.retriever.class names a Java class"},
		{"another validator", oauthHead + oauthLogin + endpoint + "sasl.oauthbearer.jwt.validator.class=a.B\n", ":6: sasl.oauthbearer.jwt.validator.class names a Java class"},
		{"assertion for a token", oauthHead + oauthLogin + endpoint + "sasl.oauthbearer.jwt.retriever.class=" + oauthPackage + "JwtBearerJwtRetriever\n", "gets a token for a signed assertion, which dtok does not do"},
		{"assertion for the client", oauthHead + oauthLogin + endpoint + "sasl.oauthbearer.assertion.file=/x\n", ":6: sasl.oauthbearer.assertion.file asks for a client assertion"},
		{"user in the endpoint", oauthHead + oauthLogin + strings.Replace(endpoint, "login", "ops:s3cr3t@login", 1), ":5: sasl.oauthbearer.token.endpoint.url holds a user or a password"},
		{"endpoint without host", oauthHead + oauthLogin + tokenEndpoint + "=https:///x\n", "must begin with https://HOST"},
		{"module of another mechanism", oauthHead + scramLogin + endpoint, ":4: sasl.jaas.config names ScramLoginModule, but sasl.mechanism is OAUTHBEARER, which needs OAuthBearerLoginModule"},
		{"trust store of the endpoint", oauthHead + strings.Replace(oauthLogin, ";", ` ssl.truststore.location="/no/such.jks";`, 1) + endpoint, ":4: ssl.truststore.location /no/such.jks: no such file"},
		{"class for the endpoint", oauthHead + strings.Replace(oauthLogin, ";", ` ssl.engine.factory.class="a.B";`, 1) + endpoint, ":4: sasl.jaas.config has the option ssl.engine.factory.class, which names a Java class"},
		{"token file missing", oauthHead + oauthLogin + tokenEndpoint + "=file:///no/such/token\n", ":5: sasl.oauthbearer.token.endpoint.url names the token file /no/such/token: no such file or directory"},
		{"token file empty", oauthHead + oauthLogin + write("empty", " \n"), "empty: is empty where a token should be"},
		{"token file with something else", oauthHead + oauthLogin + write("words", "s3cr3t is no token"), "words: holds no JWT"},
		{"librdkafka, unsecured", "security.protocol=SASL_SSL\nsasl.mechanism=OAUTHBEARER\nsasl.oauthbearer.method=default\n", ":3: sasl.oauthbearer.method must be oidc"},
		{"librdkafka beside JAAS", oauthHead + oauthLogin + endpoint + "sasl.oauthbearer.method=oidc\n", ":6: sasl.oauthbearer.method stands beside sasl.jaas.config"},
		{"time", oauthHead + oauthLogin + endpoint + "sasl.login.read.timeout.ms=0\n", ":6: sasl.login.read.timeout.ms must be a whole number"},
	} {
		_, err := ReadProperties(writeFile(t, tt.file))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s\ngot  %v\nwant …%s", tt.name, err, tt.want)
			continue
		}
		if strings.Contains(err.Error(), "client-secret") || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// The ssl options of the login module are for the endpoint, those of the file
// for the brokers.
func TestOAuthEndpointTrust(t *testing.T) {
	root := (*authority)(nil).issue(t, "root", true)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.cert.Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	login := strings.Replace(oauthLogin, ";", ` ssl.truststore.type=PEM ssl.truststore.location="`+ca+`" ssl.endpoint.identification.algorithm="";`, 1)
	c := mustRead(t, strings.Replace(oauthHead, "SASL_PLAINTEXT", "SASL_SSL", 1)+login+endpoint+"sasl.login.connect.timeout.ms=1500\nsasl.login.read.timeout.ms=2500\n")
	if c.OAuth.TLS == nil || c.OAuth.TLS.RootCAs == nil || c.OAuth.TLS.InsecureSkipVerify {
		t.Errorf("endpoint: %v", c.OAuth.TLS != nil)
	}
	if c.TLS == nil || c.TLS.RootCAs != nil {
		t.Error("the endpoint's CA must not be one for brokers")
	}
	if c.OAuth.ConnectTimeout != 1500*time.Millisecond || c.OAuth.ReadTimeout != 2500*time.Millisecond || len(c.Notes) > 0 {
		t.Errorf("%v %v %q", c.OAuth.ConnectTimeout, c.OAuth.ReadTimeout, c.Notes)
	}
	c = mustRead(t, oauthHead+oauthLogin+strings.Replace(endpoint, "https", "http", 1))
	if c.OAuth.TLS != nil || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "unencrypted") {
		t.Errorf("endpoint with http: %v %q", c.OAuth.TLS != nil, c.Notes)
	}
}

// librdkafka's file for OIDC.
func TestOIDC(t *testing.T) {
	c := mustRead(t, "security.protocol=SASL_SSL\nsasl.mechanisms=OAUTHBEARER\nsasl.oauthbearer.method=oidc\n"+
		"sasl.oauthbearer.client.id=ops\nsasl.oauthbearer.client.secret=client-secret\nsasl.oauthbearer.scope=kafka\n"+
		"sasl.oauthbearer.extensions=logicalCluster=lkc-1,pool=p=1\n"+endpoint)
	o := c.OAuth
	if o.ClientID != "ops" || reveal(o.ClientSecret) != "client-secret" || o.Scope != "kafka" || o.TLS == nil ||
		fmt.Sprint(o.Extensions) != "map[logicalCluster:lkc-1 pool:p=1]" {
		t.Errorf("%+v", o)
	}
	if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, "sasl.oauthbearer.method is librdkafka's and is accepted") || strings.Contains(notes, "ops") {
		t.Errorf("notes %q", c.Notes)
	}
}
