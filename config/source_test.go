package config

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// signIn is an environment that signs in with PLAIN as alice and gets its
// password by the lines.
func signIn(lines string) string {
	return "environments:\n  - name: one\n    bootstrap: a:1\n    settings: {security.protocol: SASL_PLAINTEXT, sasl.mechanism: PLAIN}\n    user: alice\n" + lines
}

func TestPasswordSources(t *testing.T) {
	for _, tt := range []struct{ name, lines, content, want string }{
		{"inline", "    password: ' in line '\n", "", " in line "},
		{"inline block", "    password: |-\n      a: b # c\n", "", "a: b # c"},
		{"inline block with its line end", "    password: |\n      a: b # c\n", "", "a: b # c"},
		{"file", "    password_file: pw\n", "from file", "from file"},
		{"line end", "    password_file: pw\n", " a b \n", " a b "},
		{"line end of Windows", "    password_file: pw\n", "ab\r\n", "ab"},
		{"blank at the end", "    password_file: pw\n", "ab \t\n", "ab \t"},
		{"command", "    password_command: [cat, pw]\n", "x y\n", "x y"},
		{"command without a shell", "    password_command: [printf, '%s', '$HOME;|']\n", "", "$HOME;|"},
		{"UTF-8", "    password_file: pw\n", "pässwört", "pässwört"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := mustLoad(t, signIn(tt.lines), "pw", tt.content)
			t.Chdir(filepath.Dir(f.Path))
			c, err := f.Environments[0].Connection(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if c.User != "alice" || reveal(c.Password) != tt.want || c.Prompt != "" || len(c.Notes) > 0 {
				t.Errorf("%q %q %q %q", c.User, reveal(c.Password), c.Prompt, c.Notes)
			}
		})
	}
}

func TestPasswordSourcesFail(t *testing.T) {
	script := "#!/bin/sh\nprintf s3cr3t-part\nprintf rest-part >&2\nexit 3\n"
	for _, tt := range []struct{ name, lines, content, want string }{
		{"file missing", "    password_file: gone\n", "", ":6: password_file: DIR/gone: no such file or directory"},
		{"byte order mark", "    password_file: pw\n", "\ufeffs3cr3t\n", ":6: password_file: the file gives a byte order mark before the password"},
		{"no password", "", "", ":5: user has no password: password_prompt, password_file or password_command say"},
		{"file empty", "    password_file: pw\n", "", ":6: password_file: the file gives no password"},
		{"line end alone", "    password_file: pw\n", "\n", ":6: password_file: the file gives no password"},
		{"two lines", "    password_file: pw\n", "s3cr3t\nrest-part\n", ":6: password_file: the file gives more than one line"},
		{"two line ends", "    password_file: pw\n", "s3cr3t\n\n", ":6: password_file: the file gives more than one line"},
		{"bytes", "    password_file: pw\n", "s3cr3t\xff", ":6: password_file: the file gives no text in UTF-8"},
		{"command missing", "    password_command: [no-such-command-s3cr3t]\n", "", ":6: password_command: the command is not found in PATH"},
		{"command by path missing", "    password_command: [/no/such/s3cr3t]\n", "", ":6: password_command: the command cannot be run: no such file or directory"},
		{"command fails", "    password_command: [sh, pw]\n", script, ":6: password_command: the command failed with status 3 (what it printed is not shown)"},
		{"command prints nothing", "    password_command: ['true']\n", "", ":6: password_command: the command gives no password"},
		{"command prints lines", "    password_command: [cat, pw]\n", "s3cr3t\nrest-part\n", ":6: password_command: the command gives more than one line"},
		{"command prints much", "    password_command: [cat, pw]\n", strings.Repeat("s3cr3t", 20000), ":6: password_command: the command prints far more than a password"},
		{"command ends itself", "    password_command: [sh, pw]\n", "printf s3cr3t; kill -9 $$\n", ":6: password_command: the command was ended by a signal"},
		{"command hangs", "    password_command: [sleep, '60']\n    timeouts: {password: 20ms}\n", "", ":6: password_command: the command took longer than 20ms and was ended"},
		{"NUL for PLAIN", "    password_file: pw\n", "s3cr3t\x00", ":6: password_file holds a NUL character"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := mustLoad(t, signIn(tt.lines), "pw", tt.content)
			dir := filepath.Dir(f.Path)
			t.Chdir(dir)
			c, err := f.Environments[0].Connection(context.Background())
			if err == nil {
				t.Fatalf("got %+v", c)
			}
			if want := f.Path + strings.ReplaceAll(tt.want, "DIR", dir); !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got  %v\nwant %s", err, want)
			}
			assertNoMark(t, "error", err.Error())
		})
	}
}

func TestPrompt(t *testing.T) {
	f := mustLoad(t, signIn("    password_prompt: true\n"))
	c, err := f.Environments[0].Connection(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if c.Prompt != "password of alice at one" || reveal(c.Password) != "" {
		t.Errorf("%q %q", c.Prompt, reveal(c.Password))
	}
	for _, bad := range []string{"", "s3cr3t\x00"} {
		if err := c.SetPassword([]byte(bad)); err == nil || c.Prompt == "" || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := c.SetPassword([]byte(" typed ")); err != nil || c.Prompt != "" || reveal(c.Password) != " typed " {
		t.Errorf("%v %q %q", err, c.Prompt, reveal(c.Password))
	}

	oauth := strings.NewReplacer("PLAIN}", "OAUTHBEARER, "+loginHandler+": "+oauthPackage+"OAuthBearerLoginCallbackHandler, sasl.jaas.config: '"+oauthModule+" required;', "+
		tokenEndpoint+": 'https://login.example/token'}").Replace(signIn("    password_prompt: true\n"))
	f = mustLoad(t, oauth)
	if c, err = f.Environments[0].Connection(context.Background()); err != nil {
		t.Fatal(err)
	}
	if c.Prompt != "client secret of alice at one" || c.OAuth.ClientID != "alice" {
		t.Errorf("%q %+v", c.Prompt, c.OAuth)
	}
	if err := c.SetPassword([]byte("typed")); err != nil || reveal(c.OAuth.ClientSecret) != "typed" || c.Password != nil || c.Prompt != "" {
		t.Errorf("%v %q", err, reveal(c.OAuth.ClientSecret))
	}

	f = mustLoad(t, signIn("    password_prompt: false\n    password: x\n"))
	if c, err = f.Environments[0].Connection(context.Background()); err != nil || c.Prompt != "" || reveal(c.Password) != "x" {
		t.Errorf("no prompt: %v %+v", err, c)
	}
}

// Where the properties file names the user, or the token, an environment gives
// the password.
func TestPasswordForALogin(t *testing.T) {
	const head = "environments:\n  - name: one\n    bootstrap: a:1\n    properties: client.properties\n    password: mine\n"
	for _, tt := range []struct{ name, file, user string }{
		{"user without password", scramHead + strings.Replace(scramLogin, ` password="alice-secret"`, "", 1), "alice"},
		{"password beaten", scramHead + scramLogin, "alice"},
		{"placeholder beaten", scramHead + strings.Replace(scramLogin, "alice-secret", "${KAFKA_PW}", 1), "alice"},
		{"token", scramHead + strings.Replace(scramLogin, `password="alice-secret"`, "tokenauth=true", 1), "alice"},
		{"librdkafka", scramHead + "sasl.username=bob\n", "bob"},
	} {
		f := mustLoad(t, head, "client.properties", tt.file)
		c, err := f.Environments[0].Connection(context.Background())
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if c.User != tt.user || reveal(c.Password) != "mine" || c.TokenAuth != (tt.name == "token") {
			t.Errorf("%s: %q %q %v", tt.name, c.User, reveal(c.Password), c.TokenAuth)
		}
	}
	// A command that is not needed does not run.
	f := mustLoad(t, strings.Replace(head, "password: mine", "password_command: [touch, ran]", 1), "client.properties", "security.protocol=SSL\n")
	t.Chdir(filepath.Dir(f.Path))
	c, err := f.Environments[0].Connection(context.Background())
	if err != nil || len(c.Notes) != 1 || !strings.Contains(c.Notes[0], ":5: one signs in without user and password") {
		t.Errorf("%v %+v", err, c)
	}
	if _, err := os.Stat("ran"); err == nil {
		t.Error("the command ran")
	}
}

// The password of a store from a file.
func TestStorePasswordFromFile(t *testing.T) {
	store, err := filepath.Abs(storesDir + "/trust.jks")
	if err != nil {
		t.Fatal(err)
	}
	for password, want := range map[string]string{"store-secret\n": "", "s3cr3t": "does not open with ssl.truststore.password"} {
		f := mustLoad(t, "environments:\n  - name: one\n    bootstrap: a:1\n    settings:\n      security.protocol: SSL\n      ssl.truststore.location: "+store+
			"\n      ssl.truststore.password: {file: pw}\n", "pw", password)
		c, err := f.Environments[0].Connection(context.Background())
		if want == "" {
			if err != nil || c.TLS.RootCAs == nil {
				t.Errorf("%v", err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%v", err)
		}
	}
}
