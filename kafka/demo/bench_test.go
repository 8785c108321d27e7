package demo

import "testing"

func BenchmarkStartBig(b *testing.B) {
	for b.Loop() {
		broker, err := Start(Options{Scenario: "big"})
		if err != nil {
			b.Fatal(err)
		}
		broker.Close()
	}
}

func BenchmarkDescribeBig(b *testing.B) {
	broker := start(b, Options{Scenario: "big"})
	c := as(b, broker, ops)
	b.ResetTimer()
	for b.Loop() {
		c.send(describeRequest())
		if frame, err := readFrame(c.in, 1<<30); err != nil || len(frame) < bigTokens*100 {
			b.Fatal(err)
		}
	}
}
