package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	plainLogin = `sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="alice" password="alice-secret";` + "\n"
	scramLogin = `sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="alice" password="alice-secret";` + "\n"
	plainHead  = "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\n"
	scramHead  = "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=SCRAM-SHA-512\n"
)

// writeFile puts a properties file into a folder of its own, mode 0600.
func writeFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "client.properties")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func mustRead(t *testing.T, content string) *Connection {
	t.Helper()
	c, err := ReadProperties(writeFile(t, content))
	if err != nil {
		t.Fatalf("%v\n%s", err, content)
	}
	return c
}

func reveal(s *Secret) string {
	out := ""
	s.Use(func(b []byte) { out = string(b) })
	return out
}

func TestReadProperties(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		want       Connection // without TLS, Password and Settings
		password   string
		tls        bool
	}{
		{"empty file", "", Connection{Protocol: "PLAINTEXT"}, "", false},
		{"comments only", "# a\n! b\n", Connection{Protocol: "PLAINTEXT"}, "", false},
		{"plain", plainHead + plainLogin,
			Connection{Protocol: "SASL_PLAINTEXT", Mechanism: "PLAIN", User: "alice"}, "alice-secret", false},
		{"protocol in any case, values trimmed", "security.protocol= sasl_Ssl \t\nsasl.mechanism=SCRAM-SHA-256 \nbootstrap.servers= a:1 , b:2 \n" + scramLogin,
			Connection{Protocol: "SASL_SSL", Mechanism: "SCRAM-SHA-256", User: "alice", Bootstrap: "a:1 , b:2"}, "alice-secret", true},
		{"ssl without a key store", "security.protocol=SSL\n", Connection{Protocol: "SSL"}, "", true},
		{"times and client id", "client.id=ops\nrequest.timeout.ms=5000\nsocket.connection.setup.timeout.ms=1500\n",
			Connection{Protocol: "PLAINTEXT", ClientID: "ops", RequestTimeout: 5 * time.Second, ConnectTimeout: 1500 * time.Millisecond}, "", false},
		{"delegation token", scramHead + strings.Replace(scramLogin, `";`, `" tokenauth="True";`, 1),
			Connection{Protocol: "SASL_PLAINTEXT", Mechanism: "SCRAM-SHA-512", User: "alice", TokenAuth: true}, "alice-secret", false},
		{"tokenauth false", scramHead + strings.Replace(scramLogin, `";`, `" tokenauth=false;`, 1),
			Connection{Protocol: "SASL_PLAINTEXT", Mechanism: "SCRAM-SHA-512", User: "alice"}, "alice-secret", false},
		{"settings of no matter", plainHead + plainLogin + "retries=5\ndefault.api.timeout.ms=1\nacks=all\nsasl.oauthbearer.scope=\nconfluent.x=1\n",
			Connection{Protocol: "SASL_PLAINTEXT", Mechanism: "PLAIN", User: "alice"}, "alice-secret", false},
		{"dollar sign is text", plainHead + strings.Replace(plainLogin, "alice-secret", "$ConnectionString${x", 1),
			Connection{Protocol: "SASL_PLAINTEXT", Mechanism: "PLAIN", User: "alice"}, "$ConnectionString${x", false},
		{"NUL in a SCRAM password", scramHead + strings.Replace(scramLogin, "alice-secret", `a\\0b`, 1),
			Connection{Protocol: "SASL_PLAINTEXT", Mechanism: "SCRAM-SHA-512", User: "alice"}, "a\x00b", false},
		{"refused key without a value", "sasl.login.class=\nssl.provider=\n", Connection{Protocol: "PLAINTEXT"}, "", false},
		{"password of every kind, escaped as for Kafka", plainHead + strings.Replace(plainLogin, "alice-secret", `a\\"b\\\\c,d;e=f#g`, 1),
			Connection{Protocol: "SASL_PLAINTEXT", Mechanism: "PLAIN", User: "alice"}, `a"b\c,d;e=f#g`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := mustRead(t, tt.file)
			if len(got.Notes) > 0 {
				t.Errorf("notes: %q", got.Notes)
			}
			if p := reveal(got.Password); p != tt.password {
				t.Errorf("password %q, want %q", p, tt.password)
			}
			if (got.TLS != nil) != tt.tls {
				t.Errorf("TLS settings: %v", got.TLS != nil)
			}
			got.Password, got.TLS, got.Settings, got.Notes = nil, nil, nil, nil
			if fmt.Sprintf("%#v", *got) != fmt.Sprintf("%#v", tt.want) {
				t.Errorf("got  %+v\nwant %+v", *got, tt.want)
			}
		})
	}
}

func TestReadPropertiesRefuses(t *testing.T) {
	for _, tt := range []struct{ name, file, want string }{
		{"protocol", "security.protocol=TLS\n", ":1: security.protocol must be PLAINTEXT"},
		{"protocol empty", "security.protocol=\n", ":1: security.protocol must be PLAINTEXT"},
		{"default mechanism", "security.protocol=SASL_SSL\n" + plainLogin,
			":2: sasl.mechanism is missing, and Kafka's default is GSSAPI (Kerberos): set it to PLAIN"},
		{"default mechanism, SCRAM", "security.protocol=SASL_SSL\n" + scramLogin, "set it to SCRAM-SHA-256 or SCRAM-SHA-512"},
		{"default mechanism, no login", "security.protocol=SASL_SSL\n", "set it to PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512"},
		{"empty mechanism", "security.protocol=SASL_SSL\nsasl.mechanism=\n" + plainLogin, ":2: sasl.mechanism is empty"},
		{"misspelt mechanism key", "sasl.mechanisim=PLAIN\nsecurity.protocol=SASL_SSL\n" + plainLogin,
			"(line 1: unknown key sasl.mechanisim, did you mean sasl.mechanism?)"},
		{"mechanism in small letters", "security.protocol=SASL_SSL\nsasl.mechanism=plain\n" + plainLogin, "in capitals: PLAIN"},
		{"mechanism unknown", "security.protocol=SASL_SSL\nsasl.mechanism=DIGEST-MD5\n" + plainLogin, ":2: sasl.mechanism must be PLAIN"},
		{"login missing", scramHead, "sasl.jaas.config is missing"},
		{"module for another mechanism", scramHead + plainLogin,
			":3: sasl.jaas.config names PlainLoginModule, but sasl.mechanism is SCRAM-SHA-512, which needs ScramLoginModule"},
		{"module for another mechanism, reverse", plainHead + scramLogin, "names ScramLoginModule, but sasl.mechanism is PLAIN"},
		{"module unknown", plainHead + "sasl.jaas.config=org.example.Login required;\n", "names a login module that dtok does not know"},
		{"tokenauth with PLAIN", plainHead + strings.Replace(plainLogin, `";`, `" tokenauth="true";`, 1), "tokenauth, which only SCRAM"},
		{"empty password", plainHead + strings.Replace(plainLogin, "alice-secret", "", 1), "gives no password"},
		{"no password", plainHead + strings.Replace(plainLogin, ` password="alice-secret"`, "", 1), "gives no password"},
		{"no user", plainHead + strings.Replace(plainLogin, `"alice"`, `""`, 1), "gives no user name"},
		{"NUL in a PLAIN password", plainHead + strings.Replace(plainLogin, "alice-secret", `a\\0b`, 1), "holds a NUL character"},
		{"NUL in a PLAIN user", plainHead + strings.Replace(plainLogin, `"alice"`, `"a\\0"`, 1), "holds a NUL character"},
		{"no semicolon", plainHead + strings.Replace(plainLogin, ";", "", 1), ":3: sasl.jaas.config must end with a semicolon"},
		{"unquoted value", plainHead + strings.Replace(plainLogin, `"alice-secret"`, "1secret", 1), "in quotes"},
		{"malformed escape", "client.id=a\nssl.truststore.location=C:\\users\n", ":2: a backslash followed by u"},
		{"placeholder", plainHead + strings.Replace(plainLogin, "alice-secret", "${env:KAFKA_PW}", 1), "config providers are not resolved by dtok"},
		{"placeholder with a path", plainHead + strings.Replace(plainLogin, "alice-secret", "x${file:/x:key}y", 1), "config providers are not resolved by dtok"},
		{"placeholder unquoted", plainHead + strings.Replace(plainLogin, `"alice-secret"`, "${file:/x:key}", 1), "config providers are not resolved by dtok"},
		{"placeholder of a template", plainHead + strings.Replace(plainLogin, "alice-secret", "${KAFKA_PW}", 1), "config providers are not resolved by dtok"},
		{"placeholder elsewhere", "bootstrap.servers=${env:B}\n", ":1: bootstrap.servers holds a placeholder"},
		{"config providers", "config.providers=file\n", ":1: config.providers is resolved by Kafka Connect"},
		{"config provider class", "config.providers.file.class=x\n", ":1: config.providers.file.class is resolved by Kafka Connect"},
		{"MSK IAM", "sasl.mechanism=AWS_MSK_IAM\nsasl.client.callback.handler.class=software.amazon.msk.auth.iam.IAMClientCallbackHandler\n", ":1: sasl.mechanism is AWS_MSK_IAM, which dtok does not speak"},
		{"MSK IAM by its module", "sasl.jaas.config=software.amazon.msk.auth.iam.IAMLoginModule required;\n", "names IAMLoginModule"},
		{"callback handler", plainHead + plainLogin + "sasl.client.callback.handler.class=a.B\n", ":4: sasl.client.callback.handler.class names a Java class"},
		{"SSL engine", "ssl.engine.factory.class=a.B\n", ":1: ssl.engine.factory.class names a Java class"},
		{"controllers", "bootstrap.controllers=a:1\n", ":1: bootstrap.controllers names controllers"},
		{"listener of a broker", "listener.name.sasl_ssl.plain.sasl.jaas.config=x\n", ":1: listener.name.sasl_ssl.plain.sasl.jaas.config belongs to a broker's own file"},
		{"inter-broker mechanism", "\nsasl.mechanism.inter.broker.protocol=PLAIN\n", ":2: sasl.mechanism.inter.broker.protocol belongs to a broker's own file"},
		{"secret key of a broker", "delegation.token.secret.key=x\n", "belongs to a broker's own file"},
		{"two spellings that differ", "sasl.mechanism=PLAIN\nsasl.mechanisms=SCRAM-SHA-256\n", ":2: sasl.mechanisms and sasl.mechanism (line 1) say different things"},
		{"two ways to sign in", plainHead + plainLogin + "sasl.username=a\nsasl.password=b\n", ":4: sasl.username or sasl.password stands beside sasl.jaas.config"},
		{"user without password", plainHead + "sasl.username=a\n", ":3: sasl.username gives no password"},
		{"password without user", plainHead + "sasl.password=a\n", ":3: sasl.password gives no user name"},
		{"certificate check off", "security.protocol=SSL\nenable.ssl.certificate.verification=false\n", ":2: enable.ssl.certificate.verification switches off"},
		{"librdkafka's engine", "ssl.engine.location=/x\n", ":1: ssl.engine.location is librdkafka's"},
		{"time not a number", "request.timeout.ms=5s\n", ":1: request.timeout.ms must be a whole number of milliseconds"},
		{"time zero", "request.timeout.ms=0\n", ":1: request.timeout.ms must be a whole number"},
		{"time too long", "request.timeout.ms=2147483648\n", ":1: request.timeout.ms must be a whole number"},
		{"time negative", "socket.connection.setup.timeout.ms=-1\n", ":1: socket.connection.setup.timeout.ms must be a whole number"},
		{"byte order mark", "\xef\xbb\xbfsecurity.protocol=SASL_SSL\n", ":1: the file begins with a byte order mark, so Kafka's tools do not see security.protocol"},
		{"UTF-16", "\xff\xfes\x00e\x00", "is not a text file"},
		{"binary", "\xfe\xed\xfe\xed\x00\x00", "is not a text file"},
		{"host name check", "security.protocol=SSL\nssl.endpoint.identification.algorithm=LDAPS\n", ":2: ssl.endpoint.identification.algorithm must be https, or empty"},
		{"TLS version", "security.protocol=SSL\nssl.enabled.protocols=TLSv1.2,SSLv3\n", ":2: ssl.enabled.protocols may list"},
		{"TLS version in small letters", "security.protocol=SSL\nssl.enabled.protocols=tlsv1.2\n", ":2: ssl.enabled.protocols may list"},
		{"TLS versions with a gap", "security.protocol=SSL\nssl.enabled.protocols=TLSv1.3,TLSv1.1\n", "list them without a gap"},
		{"TLS ceiling unknown", "security.protocol=SSL\nssl.protocol=TLSv9\n", ":2: ssl.protocol must be"},
		{"TLS ceiling too low", "security.protocol=SSL\nssl.protocol=TLSv1.1\n", ":2: ssl.protocol is older than every version"},
		{"cipher suites unknown", "security.protocol=SSL\nssl.cipher.suites=ECDHE-RSA-AES256-SHA:AES\n", ":2: ssl.cipher.suites lists no cipher suite that dtok has"},
		{"cipher suites for another version", "security.protocol=SSL\nssl.enabled.protocols=TLSv1.2\nssl.cipher.suites=TLS_AES_256_GCM_SHA384\n", ":3: ssl.cipher.suites lists no cipher suite for the TLS versions"},
		{"trust manager", "security.protocol=SSL\nssl.trustmanager.algorithm=Mine\n", ":2: ssl.trustmanager.algorithm names an algorithm"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := writeFile(t, tt.file)
			c, err := ReadProperties(path)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %+v and error %v, want an *Error", c, err)
			}
			if text := err.Error(); !strings.HasPrefix(text, path) || !strings.Contains(text, tt.want) || strings.Contains(text, "\n") {
				t.Errorf("got  %s\nwant …%s", text, tt.want)
			}
		})
	}
}

func TestNotes(t *testing.T) {
	for _, tt := range []struct{ name, file, want string }{
		{"misspelt", "sasl.mechanisim=PLAIN\n", ":1: unknown key sasl.mechanisim, did you mean sasl.mechanism?"},
		{"unknown in a known family", "ssl.something.else.entirely=1\n", ":1: unknown key ssl.something.else.entirely"},
		{"with a prefix", "producer.sasl.mechanism=PLAIN\n", "did you mean sasl.mechanism?"},
		{"another family is not shown", "hunter2.x=1\n", ":1: what stands where a key should be is none that dtok knows"},
		{"twice", "client.id=a\n\nclient.id=b\n", ":3: client.id stands on line 1 as well; the last one counts"},
		{"librdkafka mechanism", "sasl.mechanisms=PLAIN\nsecurity.protocol=SASL_PLAINTEXT\n" + plainLogin, ":1: sasl.mechanisms is librdkafka's spelling and is read as sasl.mechanism"},
		{"librdkafka sign-in", plainHead + "sasl.username=a\nsasl.password=b\n", ":3: sasl.username is librdkafka's way to sign in"},
		{"librdkafka none", "security.protocol=SSL\nssl.endpoint.identification.algorithm=none\n", ":2: ssl.endpoint.identification.algorithm is none, librdkafka's word"},
		{"librdkafka verification", "security.protocol=SSL\nenable.ssl.certificate.verification=true\n", ":2: enable.ssl.certificate.verification is librdkafka's"},
		{"two modules", plainHead + strings.TrimSpace(plainLogin) + " x.Other required;\n", ":3: sasl.jaas.config holds 2 login modules; the first is used"},
		{"other options", plainHead + strings.Replace(plainLogin, `";`, `" user_bob="x" debug=true;`, 1), ":3: sasl.jaas.config has 2 options that PlainLoginModule does not use"},
		{"sasl without SASL", plainLogin, "security.protocol is PLAINTEXT, so the sasl settings are not used"},
		{"ssl without TLS", "security.protocol=PLAINTEXT\nssl.truststore.type=PEM\n", ":1: security.protocol is PLAINTEXT, so the ssl settings are not used"},
		{"UTF-8", plainHead + strings.Replace(plainLogin, "alice-secret", "caf\u00e9", 1), ":3: sasl.jaas.config holds characters outside ASCII in UTF-8"},
		{"cipher suites missing", "security.protocol=SSL\nssl.cipher.suites=TLS_AES_128_GCM_SHA256,TLS_DHE_RSA_WITH_AES_256_GCM_SHA384\n", ":2: ssl.cipher.suites lists one cipher suite that dtok does not have"},
		{"key password without a key", "security.protocol=SSL\nssl.key.password=x\n", ":2: ssl.key.password is not used"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := mustRead(t, tt.file)
			if len(c.Notes) != 1 || !strings.Contains(c.Notes[0], tt.want) {
				t.Errorf("got  %q\nwant …%s", c.Notes, tt.want)
			}
		})
	}
}

func TestByteOrderMarkBeforeComment(t *testing.T) {
	if c := mustRead(t, "\xef\xbb\xbf# comment\nclient.id=a\n"); c.ClientID != "a" || len(c.Notes) > 0 {
		t.Errorf("got %+v", c)
	}
}

// Every vector, read as a whole file: where Java refuses, so do we.
func TestVectorsAsFiles(t *testing.T) {
	for _, v := range readVectors(t) {
		_, err := ReadProperties(writeFile(t, string(v.bytes(t))))
		if (v.PropertiesError != "" || v.JAASError != "") && err == nil {
			t.Errorf("%s: Java refuses this, we do not", v.Name)
		}
	}
}

func TestMissingFile(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOME", dir)
	for path, shown := range map[string]string{
		"no such.properties":   filepath.Join(dir, "no such.properties"),
		"~/client.properties":  filepath.Join(dir, "client.properties"),
		"sub/../x.properties":  filepath.Join(dir, "x.properties"),
		"/no/such/file at all": "/no/such/file at all",
	} {
		_, err := ReadProperties(path)
		if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), shown+": ") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := ReadProperties(dir); err == nil || !strings.HasSuffix(err.Error(), "is a directory") {
		t.Errorf("folder: %v", err)
	}
	if _, err := ReadProperties(""); err == nil {
		t.Error("no path: no error")
	}
	big := filepath.Join(dir, "big")
	if err := os.WriteFile(big, make([]byte, maxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadProperties(big); err == nil || !strings.HasSuffix(err.Error(), "is larger than 4 MiB") {
		t.Errorf("big file: %v", err)
	}
}

func TestReadableByOthers(t *testing.T) {
	for _, tt := range []struct {
		file string
		mode os.FileMode
		warn bool
	}{
		{plainHead + plainLogin, 0o600, false},
		{plainHead + plainLogin, 0o640, false},
		{plainHead + plainLogin, 0o644, true},
		{"client.id=a\n", 0o644, false},
		{plainHead + "sasl.username=a\nsasl.password=b\n", 0o604, true},
	} {
		path := writeFile(t, tt.file)
		if err := os.Chmod(path, tt.mode); err != nil {
			t.Fatal(err)
		}
		c, err := ReadProperties(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(c.Notes, "\n"), "can be read by others"); got != tt.warn {
			t.Errorf("mode %o: %q", tt.mode, c.Notes)
		}
	}
}
