package contract

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dtok/kafka/contract/apache"

	"github.com/google/go-cmp/cmp"
)

// TestClientsAgreeOnKafka lets other people's clients do the same things with the
// embedded broker and with a real Apache Kafka, and compares what they say.
func TestClientsAgreeOnKafka(t *testing.T) {
	needNewest(t, "the embedded broker plays that one")
	real := connectApache(t, standard).(realCluster)
	embedded := demoOptions(t, standard).start(t)
	for _, script := range []struct {
		name string
		run  func(*script)
	}{
		{"Kafka's own tools", javaTools},
		{"franz-go", franzGo},
	} {
		t.Run(script.name, func(t *testing.T) {
			var onReal, onEmbedded []string
			t.Run("on", func(t *testing.T) {
				follow := func(name string, c Cluster, transcript *[]string) {
					t.Run(name, func(t *testing.T) {
						t.Parallel()
						s := newScript(t, c, real.ClassPath)
						script.run(s)
						*transcript = s.transcript()
					})
				}
				follow("real", real, &onReal)
				follow("embedded", embedded, &onEmbedded)
			})
			if d := cmp.Diff(onReal, onEmbedded); d != "" {
				t.Errorf("real Kafka (-) and the embedded broker (+) do not do the same:\n%s", d)
			}
		})
	}
}

// script is a sequence of steps of some client on one cluster, and what came of
// them.
type script struct {
	*env
	classPath string
	dir       string
	steps     []step
	hidden    []string // pairs for a strings.Replacer
}

// step is what was done and the lines that came of it.
type step struct {
	what  string
	lines []string
}

func newScript(t *testing.T, c Cluster, classPath string) *script {
	s := &script{env: &env{T: t, Cluster: c}, classPath: classPath, dir: t.TempDir()}
	for _, l := range []string{apache.Plaintext, apache.SASLPlaintext, apache.SASLSSL, apache.SSL, apache.MTLS} {
		s.hide(c.Address(l), "<"+l+">")
	}
	s.hide(s.dir, "<folder>")
	return s
}

// hide writes a value that differs from run to run as name.
func (s *script) hide(value, name string) { s.hidden = append(s.hidden, value, name) }

// note adds a step.
func (s *script) note(what string, lines ...any) {
	done := step{what: what}
	for _, line := range lines {
		done.lines = append(done.lines, fmt.Sprint(line))
	}
	s.steps = append(s.steps, done)
}

// transcript is all steps, without what differs from run to run: hidden values,
// dates, and the order that brokers leave open.
func (s *script) transcript() (all []string) {
	r := strings.NewReplacer(s.hidden...)
	for _, done := range s.steps {
		var lines []string
		for _, line := range done.lines {
			lines = append(lines, steady(r.Replace(line)))
		}
		slices.Sort(lines)
		entry := r.Replace(done.what) + "\n    " + strings.Join(lines, "\n    ")
		s.Log(entry)
		all = append(all, entry)
	}
	return all
}

// login is how a tool connects: a file and a listener.
type login struct{ who, listener, file string }

// login writes a client.properties.
func (s *script) login(who, listener string, lines ...string) login {
	s.Helper()
	switch listener {
	case apache.SASLSSL, apache.SSL, apache.MTLS:
		ca := strings.ReplaceAll(strings.TrimSpace(string(s.CA())), "\n", "\\n")
		lines = append(lines, "ssl.truststore.type=PEM", "ssl.truststore.certificates="+ca)
	}
	path := filepath.Join(s.dir, strings.ReplaceAll(who+"-"+listener, " ", "-")+".properties")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		s.Fatal(err)
	}
	return login{who, listener, path}
}

// saslLogin is one of a user, or of a token with tokenauth.
func (s *script) saslLogin(who, listener, user, password, mechanism, more string) login {
	s.Helper()
	module := "scram.ScramLoginModule"
	if mechanism == "PLAIN" {
		module = "plain.PlainLoginModule"
	}
	return s.login(who, listener, "security.protocol="+listener, "sasl.mechanism="+mechanism, fmt.Sprintf(
		"sasl.jaas.config=org.apache.kafka.common.security.%s required username=%q password=%q%s;", module, user, password, more))
}

// java runs one of Kafka's tools and returns what it printed, line by line.
func (s *script) java(l login, class string, args ...string) []string {
	s.Helper()
	all := append([]string{"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp", s.classPath,
		"org.apache.kafka.tools." + class, "--bootstrap-server", s.Address(l.listener), "--command-config", l.file}, args...)
	cmd := exec.Command("java", all...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.Fatal(err)
	}
	lines := toolLines(out.String())
	s.steps = append(s.steps, step{
		fmt.Sprintf("%s as %s on %s: %s (exit %d)", class, l.who, l.listener, strings.Join(args, " "), cmd.ProcessState.ExitCode()), lines,
	})
	return lines
}

// toolLines drops stack traces and notices about logging.
func toolLines(out string) (lines []string) {
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "at ") && !strings.HasPrefix(line, "... ") && !logging.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return lines
}

var (
	logging = regexp.MustCompile(`^(SLF4J|WARNING: |ERROR StatusLogger|\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d)`)
	dates   = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d`)
	// refusals of the ACL requests name sockets and objects of the broker.
	request = regexp.MustCompile(`Request Request\(.*?\) needs`)
)

// steady is a line without what differs from run to run.
func steady(line string) string {
	line = dates.ReplaceAllString(line, "<date>")
	line = request.ReplaceAllString(line, "Request <request> needs")
	if head, list, ok := strings.Cut(line, " are "); ok {
		parts := strings.Split(list, ", ")
		slices.Sort(parts)
		line = head + " are " + strings.Join(parts, ", ")
	}
	return line
}
