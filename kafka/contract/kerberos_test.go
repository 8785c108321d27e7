package contract

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dtok/kafka"
	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/kdc"
	"dtok/kafka/kerberos"
)

// must is for steps of a set-up that cannot fail.
func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func startRealm(t *testing.T) *kdc.Realm {
	t.Helper()
	realm := must(kdc.Start(t.Context()))(t)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("KDC's log:\n%s", realm.Log())
		}
		realm.Stop()
	})
	return realm
}

func TestKerberosOnKafka(t *testing.T) {
	needTokens(t)
	ctx := t.Context()
	realm := startRealm(t)
	must(0, realm.Add(ctx, "", "kafka/localhost", "bob", "svc/host.example", "turned"))(t)
	must(0, realm.Add(ctx, "alice-secret", "alice"))(t)
	service := must(realm.Keytab(ctx, "kafka/localhost"))(t)
	node := startNode(t, apache.Options{Kerberos: &apache.Kerberos{
		Principal: "kafka/localhost@" + kdc.Name, Keytab: service, Config: realm.Config,
	}})
	_, port, _ := net.SplitHostPort(node.Address(apache.KerberosSASL))
	settings := func(l kerberos.Login) kafka.Settings {
		l.Service, l.Config = "kafka", realm.Config
		return kafka.Settings{
			Bootstrap: []string{net.JoinHostPort("localhost", port)}, Protocol: kafka.SASLPlaintext,
			SASL: &kafka.Credentials{Mechanism: kafka.MechanismKerberos, Kerberos: l},
		}
	}

	t.Run("keytab", func(t *testing.T) {
		path := must(realm.Keytab(ctx, "bob"))(t)
		wholeLife(t, settings(kerberos.Login{Principal: "bob", Keytab: path}), kafka.UserPrincipal("bob"))
		diagnosed(t, settings(kerberos.Login{Principal: "bob", Keytab: path}), true, "a ticket of bob@"+kdc.Name+" for kafka/localhost")
	})
	t.Run("a keytab of a service", func(t *testing.T) {
		path := must(realm.Keytab(ctx, "svc/host.example"))(t)
		wholeLife(t, settings(kerberos.Login{Principal: "svc/host.example@" + kdc.Name, Keytab: path}), kafka.UserPrincipal("svc"))
	})
	t.Run("ticket cache", func(t *testing.T) {
		path := must(realm.Kinit(ctx, "alice", "alice-secret", "10h"))(t)
		wholeLife(t, settings(kerberos.Login{Cache: path}), kafka.UserPrincipal("alice"))
	})

	refused := func(name, want string, s kafka.Settings) {
		t.Run(name, func(t *testing.T) {
			_, err := kafka.Dial(ctx, s)
			if _, ok := errors.AsType[*kafka.SourceError](err); !ok || !strings.Contains(err.Error(), want) {
				t.Errorf("%v\nwant %q", err, want)
			}
		})
	}
	turned := must(realm.Keytab(ctx, "turned"))(t)
	must(0, realm.ChangeKey(ctx, "turned"))(t)
	refused("the key was changed", "does not accept the keytab's key of turned@"+kdc.Name, settings(kerberos.Login{Principal: "turned", Keytab: turned}))

	nobody := filepath.Join(t.TempDir(), "nobody.keytab")
	must(0, realm.Add(ctx, "", "nobody"))(t)
	was := must(realm.Keytab(ctx, "nobody"))(t)
	must(0, os.Rename(was, nobody))(t)
	must(0, realm.Remove(ctx, "nobody"))(t)
	refused("unknown principal", "does not know the principal nobody@"+kdc.Name, settings(kerberos.Login{Principal: "nobody", Keytab: nobody}))

	cache := must(realm.Kinit(ctx, "alice", "alice-secret", "10h"))(t)
	byAddress := settings(kerberos.Login{Cache: cache})
	byAddress.Bootstrap = []string{node.Address(apache.KerberosSASL)}
	refused("an address that is not in the principal", "the KDC knows no service kafka/127.0.0.1", byAddress)

	// The broker's keytab is of no more use, once its key was changed.
	t.Run("the broker cannot open the ticket", func(t *testing.T) {
		must(0, realm.ChangeKey(ctx, "kafka/localhost"))(t)
		_, err := kafka.Dial(ctx, settings(kerberos.Login{Cache: cache}))
		if refused, ok := errors.AsType[*kafka.SignInError](err); !ok || !strings.Contains(err.Error(), "the Kerberos ticket of alice@"+kdc.Name+" for kafka/localhost") ||
			!strings.Contains(refused.Hint(), "keytab") {
			t.Errorf("%v", err)
		}
	})
	realm.Down()
	keytab := filepath.Join(realm.Dir, "bob.keytab")
	refused("KDC down", "the KDC of "+kdc.Name+" cannot be reached (127.0.0.1:", settings(kerberos.Login{Principal: "bob", Keytab: keytab}))
	refused("KDC down, with a ticket for itself alone", "cannot be reached", settings(kerberos.Login{Cache: cache}))
}

func TestCertificatesOnKafka(t *testing.T) {
	needTokens(t)
	node := startNode(t, apache.Options{})
	for listener, principal := range map[string]string{
		apache.MTLS:       "CN=Dave,OU=Ops,O=Acme,C=DE",
		apache.MTLSMapped: "dave",
	} {
		t.Run(listener, func(t *testing.T) {
			wholeLife(t, certificateSettings(t, node, listener, apache.Subject{"C=DE", "O=Acme", "OU=Ops", "CN=Dave"}), kafka.UserPrincipal(principal))
		})
	}
	t.Run("none", func(t *testing.T) {
		s := certificateSettings(t, node, apache.MTLS, apache.Subject{"CN=x"})
		s.TLS.Certificates = nil
		if _, err := kafka.Dial(t.Context(), s); err == nil || !strings.Contains(err.Error(), "client certificate") {
			t.Errorf("%v", err)
		}
	})
}
