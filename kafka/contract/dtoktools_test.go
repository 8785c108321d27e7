package contract

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dtok/kafka"
	"dtok/kafka/contract/apache"
)

// TestToolsSeeWhatDtokDoesOnKafka compares dtok with Kafka's AclCommand and
// ConfigCommand, in both directions, on real Kafka and on the embedded broker.
func TestToolsSeeWhatDtokDoesOnKafka(t *testing.T) {
	needNewest(t, "what the commands of older releases look like is not dtok's")
	real := connectApache(t, standard).(realCluster)
	for name, s := range map[string]source{"real": real, "embedded": connectDemo(t, standard)} {
		t.Run(name, func(t *testing.T) {
			tools := toolFolder(t, &env{T: t, Cluster: s.open(t)}, real.ClassPath)
			t.Run("rules", tools.rules)
			t.Run("quotas", tools.quotas)
			t.Run("a worker's configuration", tools.worker)
		})
	}
}

// tools is a folder with Kafka's scripts, as far as they are used here, and a
// client.properties of the super user.
type tools struct {
	*env
	dir string
}

func toolFolder(t *testing.T, e *env, classPath string) tools {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for script, class := range map[string]string{"kafka-acls.sh": "AclCommand", "kafka-configs.sh": "ConfigCommand"} {
		write(script, fmt.Sprintf("#!/bin/sh\nexec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m -cp '%s' org.apache.kafka.tools.%s \"$@\"\n", classPath, class))
	}
	write("client.properties", "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required"+
		` username="admin" password="admin-secret";`+"\n")
	return tools{e, dir}
}

// shell runs a command line as a person would who pasted it.
func (s tools) shell(t *testing.T, line string) string {
	t.Helper()
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "PATH="+s.dir+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

// rules: what dtok shows as the equivalent command adds and removes exactly
// that rule, and the tool lists what dtok has added.
func (s tools) rules(t *testing.T) {
	e := &env{T: t, Cluster: s.Cluster}
	c, address := e.dtok(apache.Admin), e.Address(apache.SASLPlaintext)
	for _, who := range []string{e.fresh("u"), "CN=" + e.fresh("it's") + `,OU=$HOME "a" b`} {
		principal := "User:" + who
		for _, r := range []kafka.ACLRule{
			aclRule(kafka.ResourceUser, "User:alice", principal, kafka.OperationCreateTokens),
			denied(from(prefixed(aclRule(kafka.ResourceUser, "User:al ice", principal, kafka.OperationDescribeTokens)), "192.0.2.7")),
			aclRule(kafka.ResourceDelegationToken, "-a*b", principal, kafka.OperationDescribe),
			aclRule(kafka.ResourceTransactionalID, "tx\x1b\n'ü", principal, kafka.OperationTwoPhaseCommit),
			prefixed(aclRule(kafka.ResourceTopic, "--remove", principal, kafka.OperationAll)),
			denied(aclRule(kafka.ResourceCluster, kafka.ClusterName, principal, kafka.OperationIdempotentWrite)),
		} {
			add, err := r.AddCommand(address)
			if err != nil {
				t.Fatal(err)
			}
			out := s.shell(t, add)
			of := func() []kafka.ACLRule { return e.readRules(c, who).Of }
			e.await("the tool's rule is listed after: "+add+"\n"+out, arrival, func() bool { return len(of()) > 0 })
			equal(e, "rules made by "+add, of(), []kafka.ACLRule{r})
			remove, err := r.RemoveCommand(address)
			if err != nil {
				t.Fatal(err)
			}
			out = s.shell(t, remove+" --force") // its question needs a terminal
			e.await("the tool's rule is gone after: "+remove+"\n"+out, arrival, func() bool { return len(of()) == 0 })
		}
		rule := aclRule(kafka.ResourceUser, "User:"+who, principal, kafka.OperationCreateTokens)
		e.addRules(c, rule)
		e.await("dtok's rule is listed", arrival, func() bool { return len(e.readRules(c, who).Of) > 0 })
		list := s.shell(t, "kafka-acls.sh --bootstrap-server "+address+" --command-config client.properties --list --principal '"+strings.ReplaceAll(principal, "'", `'\''`)+"'")
		for _, want := range []string{"resourceType=USER, name=User:" + who + ", patternType=LITERAL", "(principal=" + principal + ", host=*, operation=CREATE_TOKENS, permissionType=ALLOW)"} {
			if !strings.Contains(list, want) {
				t.Errorf("the tool does not list %s:\n%s", want, list)
			}
		}
		e.deleteRule(c, rule)
	}
}

// quotas: the tool and dtok read the same values on all eight levels.
func (s tools) quotas(t *testing.T) {
	e := &env{T: t, Cluster: s.Cluster}
	c, user, app := e.dtok(apache.Admin), "CN="+e.fresh("u")+",OU=a b", e.fresh("app")
	const key = kafka.QuotaMutations
	configs := "kafka-configs.sh --bootstrap-server " + e.Address(apache.SASLPlaintext) + " --command-config client.properties "
	named, client, def := kafka.NamedPart(user), kafka.NamedPart(app), kafka.DefaultPart()
	users, clients := "--entity-type users --entity-name '"+user+"' ", "--entity-type clients --entity-name "+app+" "
	const anyUser, anyClient = "--entity-type users --entity-default ", "--entity-type clients --entity-default "
	levels := []struct {
		entity kafka.Entity
		flags  string
	}{
		{kafka.Entity{User: named, ClientID: client}, users + clients}, {kafka.Entity{User: named, ClientID: def}, users + anyClient},
		{kafka.Entity{User: named}, users}, {kafka.Entity{User: def, ClientID: client}, anyUser + clients},
		{kafka.Entity{User: def, ClientID: def}, anyUser + anyClient}, {kafka.Entity{User: def}, anyUser},
		{kafka.Entity{ClientID: client}, clients}, {kafka.Entity{ClientID: def}, anyClient},
	}
	for i, level := range levels { // odd ones by dtok, even ones by the tool
		if i%2 == 0 {
			e.setQuota(c, level.entity, key, float64(i)+1.5)
		} else {
			s.shell(t, configs+level.flags+fmt.Sprintf("--alter --add-config %s=%v", key, float64(i)+1.5))
		}
		e.arrives(c, user, level.entity, key, float64(i)+1.5)
	}
	for i, level := range levels {
		if out := s.shell(t, configs+level.flags+"--describe"); !strings.Contains(out, fmt.Sprintf("%s=%v", key, float64(i)+1.5)) {
			t.Errorf("the tool does not describe level %d:\n%s", i+1, out)
		}
		all := e.readQuotas(c, user).Effective(client)
		got := all[slices.IndexFunc(all, func(q kafka.EffectiveQuota) bool { return q.Key == key })]
		equal(e, "effective", got, kafka.EffectiveQuota{Key: key, Limited: true, Value: float64(i) + 1.5, From: level.entity, Level: kafka.QuotaLevel(i + 1)})
		if i%2 == 1 {
			if _, err := c.RemoveQuota(t.Context(), kafka.QuotaChange{Entity: level.entity, Key: key}); err != nil {
				t.Error(err)
			}
		} else {
			s.shell(t, configs+level.flags+"--alter --delete-config "+key)
		}
		e.await("the value is gone", arrival, func() bool { _, there := e.readQuotas(c, user).Value(level.entity, key); return !there })
	}
}

// worker: Kafka's own client signs in with the configuration that the card gives
// for a worker, as it stands, with the trust store named where that is needed.
func (s tools) worker(t *testing.T) {
	e := &env{T: t, Cluster: s.Cluster}
	for _, listener := range []string{apache.SASLPlaintext, apache.SASLSSL} {
		c, err := e.dtokOn(listener, e.credentials(apache.Admin))
		if err != nil {
			t.Fatal(err)
		}
		made := e.createToken(c, kafka.CreateRequest{})
		e.await("the token is described", arrival, func() bool { return e.admin().sees(made.Token.ID) })
		file := "worker-" + listener + ".properties"
		kafka.WorkerConfig(kafka.WorkerJava, c.Session(), made.Token.ID, made.HMAC, func(text []byte) {
			ready := strings.NewReplacer("# ssl.", "ssl.", "=ca.pem", "="+filepath.Join(s.dir, "ca.pem")).Replace(string(text))
			if strings.Contains(ready, "ca.pem") != (listener == apache.SASLSSL) {
				t.Errorf("%s: the trust store is not as it should be", listener)
			}
			err = errors.Join(os.WriteFile(filepath.Join(s.dir, "ca.pem"), e.CA(), 0o600), os.WriteFile(filepath.Join(s.dir, file), []byte(ready), 0o600))
		})
		if err != nil {
			t.Fatal(err)
		}
		s.shell(t, "kafka-acls.sh --bootstrap-server "+e.Address(listener)+" --command-config "+file+" --list")
	}
}
