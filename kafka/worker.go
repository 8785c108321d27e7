package kafka

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// WorkerForm is the form of a worker's configuration.
type WorkerForm int

// The forms. Only clients that can send tokenauth with SCRAM have one:
// librdkafka, sarama's own SCRAM client, kafka-python, aiokafka and kafka-go
// cannot, so no configuration would make them sign in with a token.
const (
	// WorkerJava is a client.properties, for Java clients and Flink.
	WorkerJava WorkerForm = iota
	// WorkerSpark is the same as options of a Spark source or sink, one
	// key=value a line without the escapes of a properties file. Spark's own
	// token provider makes its tokens itself and takes none from outside.
	WorkerSpark
	// WorkerKcl is a configuration of kcl, in TOML.
	WorkerKcl
	workerForms
)

// WorkerForms are all forms, in the order they are offered.
func WorkerForms() []WorkerForm {
	var all []WorkerForm
	for f := range workerForms {
		all = append(all, f)
	}
	return all
}

// String names the form for people.
func (f WorkerForm) String() string {
	switch f {
	case WorkerJava:
		return "Java or Flink: client.properties"
	case WorkerSpark:
		return "Spark: options of a source or sink"
	case WorkerKcl:
		return "kcl: config.toml"
	}
	return "unknown form"
}

// WorkerConfig calls use with a ready configuration for a worker that signs in
// with a token, and overwrites the text when use returns. hmac holds the 64
// bytes and stays the caller's.
//
// The address is the one that s is connected to, which the text says: it can be
// that of a tunnel. A session without SASL cannot be the worker's listener.
func WorkerConfig(form WorkerForm, s Session, tokenID string, hmac *Secret, use func(text []byte)) {
	HMACText(hmac, func(password []byte) {
		var b strings.Builder
		b.WriteString("# Signs in as the owner of delegation token " + oneLine(tokenID) + "\n")
		protocol := s.Protocol
		if !protocol.Authenticates() {
			protocol = SASLSSL
			b.WriteString("# It needs a SASL listener, and this one is " + string(s.Protocol) + ".\n")
		}
		mechanism := MechanismScramSHA512
		if s.Mechanism == MechanismScramSHA256 {
			mechanism = s.Mechanism
		}
		b.WriteString("# The address is the one that dtok is connected to: name brokers that the worker reaches.\n")
		head, tail := form.around(s.Address, protocol, mechanism, tokenID)
		head = b.String() + head
		// Base64 text needs no escapes, neither in JAAS nor in properties or TOML.
		text := make([]byte, 0, len(head)+len(password)+len(tail))
		text = append(text, head...)
		text = append(text, password...)
		text = append(text, tail...)
		defer clear(text)
		use(text)
	})
}

// around is what stands before and after the password.
func (f WorkerForm) around(address string, protocol Protocol, mechanism, tokenID string) (head, tail string) {
	const module = "org.apache.kafka.common.security.scram.ScramLoginModule required "
	switch f {
	case WorkerKcl:
		head = "seed_brokers = [" + tomlString(address) + "]\n"
		if protocol.Encrypted() {
			head += "[tls]\n# ca_cert_path = \"ca.pem\"  # where the brokers' certificates are not publicly trusted\n"
		}
		return head + "[sasl]\nmethod = " + tomlString(strings.ToLower(mechanism)) + "\nuser = " + tomlString(tokenID) + "\npass = \"",
			"\"\nis_token = true\n"
	case WorkerSpark:
		return "kafka.bootstrap.servers=" + address + "\nkafka.security.protocol=" + string(protocol) + "\n" + trustComment("kafka.", protocol) +
			"kafka.sasl.mechanism=" + mechanism + "\nkafka.sasl.jaas.config=" + module + "username=" + jaasText(tokenID) + " password=\"", "\" tokenauth=\"true\";\n"
	}
	return "bootstrap.servers=" + address + "\nsecurity.protocol=" + string(protocol) + "\n" + trustComment("", protocol) +
		"sasl.mechanism=" + mechanism + "\nsasl.jaas.config=" + module + "username=" + jaasValue(tokenID) + " password=\"", "\" tokenauth=\"true\";\n"
}

// trustComment is what a worker lacks where the brokers' certificates come from
// an authority of one's own: its machine keeps that one's certificate elsewhere.
func trustComment(prefix string, protocol Protocol) string {
	if !protocol.Encrypted() {
		return ""
	}
	return "# Where the brokers' certificates are not publicly trusted:\n# " + prefix + "ssl.truststore.type=PEM\n# " + prefix +
		"ssl.truststore.location=ca.pem\n"
}

// jaasText quotes a JAAS value outside a properties file.
func jaasText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(s) + `"`
}

// tomlString quotes a basic string of TOML.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteString(`"`)
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteString(`"`)
	return b.String()
}

// jaasValue quotes a JAAS value inside a properties value: the backslashes of
// the one are doubled for the other, as java.util.Properties takes one level
// away and the JAAS tokenizer the next.
func jaasValue(s string) string {
	var b strings.Builder
	b.WriteString(`"`)
	for _, r := range s {
		switch r {
		case '"':
			b.WriteString(`\\"`)
		case '\\':
			b.WriteString(`\\\\`)
		case '\n':
			b.WriteString(`\\n`)
		case '\r':
			b.WriteString(`\\r`)
		default:
			if r >= ' ' && r < 0x7f {
				b.WriteRune(r)
				continue
			}
			// Java reads a properties file as Latin-1.
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		}
	}
	b.WriteString(`"`)
	return b.String()
}

// oneLine keeps a comment on its line.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}
