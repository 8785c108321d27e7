package kafka

import (
	"io"
	"testing"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"dtok/kafka/wire"
)

// What dtok says it speaks is what both encoders know, and the release that a
// missing request is said to need is the first one that has it.
func TestSpokenVersions(t *testing.T) {
	ours := map[protocol.ApiKey]protocol.Message{}
	for _, m := range []protocol.Message{&wire.CreateRequest{}, &wire.RenewRequest{}, &wire.ExpireRequest{}} {
		if err := wire.WriteRequest(io.Discard, 0, 1, "", m); err != nil {
			t.Fatal(err)
		}
		ours[m.ApiKey()] = m
	}
	for key, s := range spoken {
		if r := kmsg.RequestForKey(int16(key)); r == nil || s.max > r.MaxVersion() {
			t.Errorf("%s: v%d is unknown to kmsg", key, s.max)
		}
		if _, is := ours[key]; is && (key.MinVersion() != 0 || key.MaxVersion() != s.max) {
			t.Errorf("%s: v0–v%d spoken, v%d–v%d written", key, s.max, key.MinVersion(), key.MaxVersion())
		}
		first := ""
		for _, v := range kversion.VersionStrings() { // the newest first
			if kversion.FromString(v).HasKey(int16(key)) {
				first = v[1:]
			}
		}
		if first != s.since && first != s.since+".0" {
			t.Errorf("%s: needs %s, kversion says %s", key, s.since, first)
		}
	}
	for key := range ours {
		if _, ok := spoken[key]; !ok {
			t.Errorf("%s is not spoken", key)
		}
	}
}
