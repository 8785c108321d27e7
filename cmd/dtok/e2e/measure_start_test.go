package e2e

import (
	"slices"
	"testing"
	"time"
)

// BenchmarkStart measures cold processes on a terminal that answers no query.
// Targets: the version and the first frame within 50 ms.
func BenchmarkStart(b *testing.B) {
	served := serve(b, "standard")
	ssl := append(served.flags(saslSSL, "ops"), "--user", "alice")
	plain := append(served.flags(saslPlaintext, "ops"), "--user", "alice")
	users := served.flags(saslSSL, "ops")
	for _, c := range []struct {
		name string
		args []string
		text string
	}{
		{"version", []string{"version"}, "dtok "},
		{"first-frame-demo", []string{"demo"}, "dtok"},
		{"first-frame", ssl, "127.0.0.1:"},
		{"token-list-SASL_SSL", ssl, "Max lifetime ends"},
		{"token-list-SASL_PLAINTEXT", plain, "Max lifetime ends"},
		{"user-list-SASL_SSL", users, "All tokens"},
	} {
		b.Run(c.name, func(b *testing.B) {
			once(b, func() {
				var took []time.Duration
				for range 40 {
					x := start(b, how{args: c.args, plain: true})
					took = append(took, x.appears(c.text))
					if c.name != "version" {
						x.press("\x03")
					}
					x.exits(0)
				}
				slices.Sort(took)
				b.ReportMetric(ms(took[0]), "ms/start-min")
				b.ReportMetric(ms(quantile(took, 0.5)), "ms/start-p50")
				b.ReportMetric(ms(quantile(took, 0.9)), "ms/start-p90")
			})
		})
	}
}
