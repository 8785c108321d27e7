package main

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"dtok/kafka"
	"dtok/kafka/demo"
)

// The commands that the scripts in testdata/cli have besides testscript's own.
//
//	broker SCENARIO USER        starts a broker; writes SCENARIO.properties for USER
//	bare USER                   the same without any story, as bare.properties
//	token ID OWNER LEFT [RENEWER...]   puts a token into it that expires in LEFT
//	hmac ID FILE                writes a token's HMAC to FILE, mode 0600
//	status N dtok ...           runs dtok, which must end with status N
//	mode 600 FILE               FILE has this mode
//	requests KEY N              the broker has had N requests with that key
//	counted FILE                the debug log FILE has all requests that the broker has had
//	newest VAR                  sets VAR to the token ID that the last command printed
//	onlyhere FILE...            no other file here, nor any output so far, holds an HMAC
func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"broker": func(ts *testscript.TestScript, _ bool, args []string) {
			startBroker(ts, args[0], args[1], demo.Options{Scenario: args[0]})
		},
		"bare": func(ts *testscript.TestScript, _ bool, args []string) {
			startBroker(ts, "bare", args[0], demo.Options{Bare: true})
		},
		"token": addScriptToken,
		"hmac": func(ts *testscript.TestScript, _ bool, args []string) {
			hmac, err := scriptBroker(ts).HMAC(args[0])
			ts.Check(err)
			kafka.HMACText(hmac, func(text []byte) {
				ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o600))
			})
		},
		"status": wantStatus,
		"requests": func(ts *testscript.TestScript, _ bool, args []string) {
			key, err := strconv.Atoi(args[0])
			ts.Check(err)
			if got := scriptBroker(ts).Count(int16(key)); strconv.Itoa(got) != args[1] {
				ts.Fatalf("%d requests with key %d, want %s", got, key, args[1])
			}
		},
		"mode": func(ts *testscript.TestScript, _ bool, args []string) {
			info, err := os.Stat(ts.MkAbs(args[1]))
			ts.Check(err)
			if got := strconv.FormatUint(uint64(info.Mode().Perm()), 8); got != args[0] {
				ts.Fatalf("%s has mode %s, want %s", args[1], got, args[0])
			}
		},
		"newest": func(ts *testscript.TestScript, _ bool, args []string) {
			_, rest, ok := strings.Cut(ts.ReadFile("stdout"), "Token ID")
			fields := strings.Fields(rest)
			if !ok || len(fields) == 0 {
				ts.Fatalf("the last command printed no token ID")
			}
			ts.Setenv(args[0], fields[0])
		},
		"counted":  countedRequests,
		"onlyhere": onlyHere,
	}
}

// scriptState is what a script's commands share.
type scriptState struct {
	broker *demo.Broker
	// ids are the tokens that the script named; printed is all output so far.
	ids     []string
	printed strings.Builder
}

type scriptKey struct{}

func scriptSetup(env *testscript.Env) error {
	env.Values[scriptKey{}] = &scriptState{}
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
	return nil
}

func stateOf(ts *testscript.TestScript) *scriptState { return ts.Value(scriptKey{}).(*scriptState) }

func scriptBroker(ts *testscript.TestScript) *demo.Broker {
	if b := stateOf(ts).broker; b != nil {
		return b
	}
	ts.Fatalf("no broker was started")
	return nil
}

func startBroker(ts *testscript.TestScript, name, user string, o demo.Options) {
	b, err := demo.Start(o)
	ts.Check(err)
	ts.Defer(b.Close)
	stateOf(ts).broker = b
	l := demo.SASLSSL
	for _, other := range []demo.Listener{demo.SASLPlaintext, demo.Plaintext, demo.SSL} {
		if b.Address(l) == "" {
			l = other
		}
	}
	text := b.ClientProperties(user, l)
	if text == "" {
		ts.Fatalf("%s has no properties for %s", name, user)
	}
	ts.Check(os.WriteFile(ts.MkAbs(name+".properties"), []byte(text), 0o600))
	for _, l := range []demo.Listener{demo.SASLPlaintext, demo.MTLS} {
		ts.Check(os.WriteFile(ts.MkAbs(string(l)+".properties"), []byte(b.ClientProperties(user, l)), 0o600))
	}
}

func addScriptToken(ts *testscript.TestScript, _ bool, args []string) {
	left, err := time.ParseDuration(args[2])
	ts.Check(err)
	issued := time.Now().Add(-time.Hour)
	token := kafka.Token{ID: args[0], Owner: kafka.UserPrincipal(args[1]), Issued: issued,
		Expires: time.Now().Add(left), MaxLifetimeEnds: issued.Add(7 * 24 * time.Hour)}
	for _, r := range args[3:] {
		token.Renewers = append(token.Renewers, kafka.UserPrincipal(r))
	}
	ts.Check(scriptBroker(ts).AddToken(token))
	stateOf(ts).ids = append(stateOf(ts).ids, args[0])
}

func wantStatus(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	got := 0
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	s := stateOf(ts)
	s.printed.WriteString(ts.ReadFile("stdout") + ts.ReadFile("stderr"))
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("status %d, want %s", got, args[0])
	}
}

// onlyHere looks for the HMACs of all tokens that the script named.
func onlyHere(ts *testscript.TestScript, _ bool, files []string) {
	s := stateOf(ts)
	texts := map[string]string{"the output": s.printed.String()}
	root := ts.MkAbs(".")
	ts.Check(filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		for _, f := range files {
			if path == ts.MkAbs(f) {
				return nil
			}
		}
		text, err := os.ReadFile(path)
		texts[path] = string(text)
		return err
	}))
	seen := 0
	for _, id := range s.ids {
		hmac, err := scriptBroker(ts).HMAC(id)
		if err != nil {
			continue // it was expired; its HMAC is in a file of the script
		}
		hmac.Use(func(raw []byte) { seen += findIn(ts, texts, id, raw) })
	}
	for _, f := range files {
		hmac, err := kafka.ParseHMAC([]byte(ts.ReadFile(f)))
		ts.Check(err)
		hmac.Use(func(raw []byte) { seen += findIn(ts, texts, f, raw) })
	}
	if seen == 0 {
		ts.Fatalf("there is no HMAC to look for")
	}
}

// findIn looks for pieces of an HMAC, in each form in which one is written.
func findIn(ts *testscript.TestScript, texts map[string]string, name string, raw []byte) int {
	for where, text := range texts {
		for _, form := range []string{base64.StdEncoding.EncodeToString(raw), base64.URLEncoding.EncodeToString(raw),
			hex.EncodeToString(raw), strings.ToUpper(hex.EncodeToString(raw)), string(raw)} {
			for at := 0; at+16 <= len(form); at += 8 {
				if strings.Contains(text, form[at:at+16]) {
					ts.Fatalf("%s holds a part of the HMAC of %s", where, name)
				}
			}
		}
	}
	return 1
}
