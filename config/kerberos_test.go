package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kerberosFiles makes a home for the files of Kerberos and names it in the
// environment.
func kerberosFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"krb5.conf", "client.keytab", "cache"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("KRB5_CONFIG", dir+"/missing.conf:"+dir+"/krb5.conf")
	t.Setenv("KRB5CCNAME", "FILE:"+dir+"/cache")
	return dir
}

func kerberosFile(options string) string {
	return "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=GSSAPI\nsasl.kerberos.service.name=kafka\n" +
		"sasl.jaas.config=" + kerberosModule + " required " + options + ";\n"
}

func TestKerberos(t *testing.T) {
	dir := kerberosFiles(t)
	keytab := `useKeyTab=true storeKey=true keyTab="` + dir + `/client.keytab" principal="alice@EXAMPLE.COM"`
	for _, tt := range []struct{ name, file, want, note string }{
		{"keytab", kerberosFile(keytab), "{Principal:alice@EXAMPLE.COM Keytab:DIR/client.keytab TicketCache: ServiceName:kafka Krb5Conf:DIR/krb5.conf}", ""},
		{"keytab with its kind", kerberosFile(strings.Replace(keytab, `="/`, `="FILE:/`, 1)), "{Principal:alice@EXAMPLE.COM Keytab:DIR/client.keytab TicketCache: ServiceName:kafka Krb5Conf:DIR/krb5.conf}", ""},
		{"cache of the environment", kerberosFile("useTicketCache=true"), "{Principal: Keytab: TicketCache:DIR/cache ServiceName:kafka Krb5Conf:DIR/krb5.conf}", ""},
		{"cache by name", kerberosFile(`useTicketCache=TRUE ticketCache="` + dir + `/krb5.conf" renewTGT=true`), "{Principal: Keytab: TicketCache:DIR/krb5.conf ServiceName:kafka Krb5Conf:DIR/krb5.conf}", ""},
		{"cache and keytab", kerberosFile(keytab + ` useTicketCache=true ticketCache="/no/such/cache"`),
			"{Principal:alice@EXAMPLE.COM Keytab:DIR/client.keytab TicketCache:/no/such/cache ServiceName:kafka Krb5Conf:DIR/krb5.conf}", ""},
		{"service in the module", strings.Replace(kerberosFile(keytab+` serviceName="kafka"`), "sasl.kerberos.service.name=kafka\n", "", 1),
			"{Principal:alice@EXAMPLE.COM Keytab:DIR/client.keytab TicketCache: ServiceName:kafka Krb5Conf:DIR/krb5.conf}", ""},
		{"Kafka's default mechanism", strings.Replace(kerberosFile(keytab), "sasl.mechanism=GSSAPI\n", "", 1),
			"{Principal:alice@EXAMPLE.COM Keytab:DIR/client.keytab TicketCache: ServiceName:kafka Krb5Conf:DIR/krb5.conf}", "is for GSSAPI (Kerberos), which is Kafka's default, because sasl.mechanism is missing"},
		{"unused option", kerberosFile(keytab + " s3cr3t=true"), "{Principal:alice@EXAMPLE.COM Keytab:DIR/client.keytab TicketCache: ServiceName:kafka Krb5Conf:DIR/krb5.conf}", "has one option that Krb5LoginModule does not use"},
		{"librdkafka", "security.protocol=SASL_PLAINTEXT\nsasl.mechanisms=GSSAPI\nsasl.kerberos.service.name=kafka\nsasl.kerberos.keytab=" + dir + "/client.keytab\nsasl.kerberos.principal=alice\n",
			"{Principal:alice Keytab:DIR/client.keytab TicketCache: ServiceName:kafka Krb5Conf:DIR/krb5.conf}", "sasl.kerberos.keytab and sasl.kerberos.principal are librdkafka's way to sign in"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := mustRead(t, tt.file)
			if got := strings.ReplaceAll(fmt.Sprintf("%+v", *c.Kerberos), dir, "DIR"); got != tt.want || c.Mechanism != "GSSAPI" {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if notes := strings.Join(c.Notes, "\n"); (tt.note == "") != (notes == "") || !strings.Contains(notes, tt.note) || strings.Contains(notes, "s3cr3t") {
				t.Errorf("notes %q", c.Notes)
			}
		})
	}
}

func TestKerberosRefuses(t *testing.T) {
	dir := kerberosFiles(t)
	keytab := `useKeyTab=true keyTab="` + dir + `/client.keytab" principal="alice@EXAMPLE.COM"`
	for _, tt := range []struct{ name, file, want string }{
		{"no service", strings.Replace(kerberosFile(keytab), "sasl.kerberos.service.name=kafka\n", "", 1), "sasl.kerberos.service.name is missing: it is the first part of the brokers' principals"},
		{"two services", kerberosFile(keytab + ` serviceName="other"`), ":3: sasl.kerberos.service.name differs from serviceName in sasl.jaas.config"},
		{"no way", kerberosFile("storeKey=true"), ":4: sasl.jaas.config has neither useKeyTab=true nor useTicketCache=true, so Kerberos would ask for a password"},
		{"keytab not switched on", kerberosFile(strings.Replace(keytab, "useKeyTab=true", "useTicketCache=true", 1)), "has keyTab without useKeyTab=true"},
		{"cache not switched on", kerberosFile(keytab + ` ticketCache="/x"`), "has ticketCache without useTicketCache=true"},
		{"keytab without a file", kerberosFile(`useKeyTab=true principal="a"`), "has useKeyTab=true without keyTab"},
		{"keytab without a principal", kerberosFile(strings.Split(keytab, " principal")[0]), "has a keytab without a principal"},
		{"keytab missing", kerberosFile(`useKeyTab=true keyTab="/no/such.keytab" principal="a"`), ":4: sasl.jaas.config names keyTab /no/such.keytab: no such file or directory"},
		{"cache missing", kerberosFile(`useTicketCache=true ticketCache="/no/such/cache"`), ":4: sasl.jaas.config names the ticket cache /no/such/cache: no such file or directory: get a ticket with kinit"},
		{"cache in the kernel", kerberosFile(`useTicketCache=true ticketCache="KEYRING:persistent:0"`), "uses a ticket cache that is no file (ticketCache names another kind): get a ticket with `kinit -c FILE:"},
		{"for a broker", kerberosFile(keytab + " isInitiator=false"), "has isInitiator=false, which is for a broker"},
		{"module of another mechanism", strings.Replace(kerberosFile(keytab), "GSSAPI", "PLAIN", 1), "names Krb5LoginModule, but sasl.mechanism is PLAIN, which needs PlainLoginModule"},
		{"no login", "security.protocol=SASL_SSL\nsasl.mechanism=GSSAPI\n", "sasl.jaas.config is missing: Kafka would take the login from a JAAS file of the JVM"},
		{"keytab alone", "security.protocol=SASL_SSL\nsasl.mechanism=GSSAPI\nsasl.kerberos.keytab=/x\n", ":3: sasl.kerberos.keytab needs sasl.kerberos.principal as well"},
	} {
		_, err := ReadProperties(writeFile(t, tt.file))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s\ngot  %v\nwant …%s", tt.name, err, tt.want)
		}
	}
	t.Setenv("KRB5CCNAME", "KCM:")
	if _, err := ReadProperties(writeFile(t, kerberosFile("useTicketCache=true"))); err == nil || !strings.Contains(err.Error(), "the environment's KRB5CCNAME names another kind") {
		t.Errorf("cache of another kind: %v", err)
	}
	t.Setenv("KRB5_CONFIG", dir+"/none.conf")
	if _, err := ReadProperties(writeFile(t, kerberosFile(keytab))); err == nil ||
		!strings.Contains(err.Error(), ":2: sasl.mechanism GSSAPI needs a krb5.conf, and there is none at "+dir+"/none.conf") {
		t.Errorf("no krb5.conf: %v", err)
	}
}
