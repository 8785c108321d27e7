package config

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	for name, want := range map[string]string{
		"sasl.mechanisim":                        "sasl.mechanism",
		"sasl.mechansim":                         "sasl.mechanism",
		"SASL.MECHANISM":                         "sasl.mechanism",
		"sasl_jaas_config":                       "sasl.jaas.config",
		"security.protocl":                       "security.protocol",
		"ssl.truststore.loction":                 "ssl.truststore.location",
		"ssl.endpoint.identification.algorithms": "ssl.endpoint.identification.algorithm",
		"boostrap.servers":                       "bootstrap.servers",
		"consumer.security.protocol":             "security.protocol",
		"spring.kafka.bootstrap.servers":         "bootstrap.servers",
		"password":                               "",
		"hunter2":                                "",
		"x.y.z":                                  "",
		strings.Repeat("a", 1000):                "",
	} {
		if got := nearest(name); got != want {
			t.Errorf("%.60s: %q, want %q", name, got, want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abd", 1}, {"abcd", "bcd", 1}, {"kitten", "sitting", 3}} {
		if got := edits(tt.a, tt.b); got != tt.want || edits(tt.b, tt.a) != tt.want {
			t.Errorf("%q %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

// An unknown key is only shown when it cannot be a piece of a value.
func TestShowable(t *testing.T) {
	for name, want := range map[string]bool{
		"sasl.mechanisim":                  true,
		"ssl.new.setting":                  true,
		"sasl.s=cret":                      false,
		"s3cr3t":                           false,
		"my.password":                      false,
		"username":                         false,
		"MIIEvQIBADANBgkqhki":              false,
		"-----END":                         false,
		"":                                 false,
		"ssl.\u00e9":                       false,
		"sasl." + strings.Repeat("a", 100): false,
	} {
		if got := showable(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Every name in the table stands there once and in the spelling of keys, and
// an alias leads to a key that is honoured.
func TestKnownKeys(t *testing.T) {
	names := keyNames()
	if len(names) < 150 {
		t.Errorf("%d keys", len(names))
	}
	for i, key := range names {
		if key != strings.ToLower(key) || strings.ContainsAny(key, "=:") {
			t.Errorf("%q is not spelt like a key", key)
		}
		if i > 0 && key == names[i-1] {
			t.Errorf("%s stands there twice", key)
		}
		rule := ruleOf(key)
		if rule.treatment == unknownKey {
			t.Errorf("%s is not found", key)
		}
		if rule.treatment == otherSpelling && ruleOf(rule.note).treatment != honoured {
			t.Errorf("%s leads to %s, which is not honoured", key, rule.note)
		}
		if rule.treatment == refused && rule.note == "" {
			t.Errorf("%s is refused without a reason", key)
		}
	}
}

// A key is a whole name of the table: no piece of one, and no two.
func TestRuleOf(t *testing.T) {
	for _, key := range []string{"", " ", "\n", "retries retry.backoff.max.ms", "acks ", "\tacks", "ack", "cks", "cert.chain", "ssl", "."} {
		if rule := ruleOf(key); rule != (keyRule{}) {
			t.Errorf("%q: %+v", key, rule)
		}
	}
	for key, want := range map[string]treatment{
		"acks": noMatter, "retries": noMatter, "log_level": noMatter, "log.dir": brokerKey, "log.dirs": brokerKey, "ssl.protocol": honoured,
		"sasl.login.class": refused, "ssl.provider": refused, "ssl.providers": refused, "sasl.mechanism": honoured, "sasl.mechanisms": otherSpelling,
		"listener.name.x.y": brokerKey, "config.providers.file.class": refused, "confluent.x": noMatter,
	} {
		if got := ruleOf(key).treatment; got != want {
			t.Errorf("%s: %d, want %d", key, got, want)
		}
	}
}
