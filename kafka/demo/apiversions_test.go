package demo

import (
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// Clients tell the version of Kafka by what it offers.
func TestVersionsAreRecognised(t *testing.T) {
	for scenario, want := range map[string]string{"standard": "v4.4", "kafka-3.5": "v3.5", "old-create": "v2.8", "kafka-1.0": "v1.0"} {
		r := apiVersionsOf(t, start(t, Options{Scenario: scenario}))
		if got := kversion.FromApiVersionsResponse(r).VersionGuess(); got != want {
			t.Errorf("%s: taken for %s, want %s", scenario, got, want)
		}
	}
}

func TestAPIVersions(t *testing.T) {
	b := start(t, Options{Bare: true})
	ask := func(version int16, name string) *kmsg.ApiVersionsResponse {
		req := kmsg.NewPtrApiVersionsRequest()
		req.Version, req.ClientSoftwareName, req.ClientSoftwareVersion = version, name, "1"
		return do[*kmsg.ApiVersionsResponse](dial(t, b, SASLPlaintext), req)
	}
	for version := int16(0); version <= 5; version++ {
		r := ask(version, "test")
		if r.ErrorCode != 0 || len(r.ApiKeys) != 77 {
			t.Errorf("v%d: code %d, %d keys", version, r.ErrorCode, len(r.ApiKeys))
		}
		want := fmt.Sprint(len(r.SupportedFeatures), len(r.FinalizedFeatures), finalizedMetadata(r))
		switch {
		case version < 3 && want != "0 0 -1", version == 3 && want != "1 6 33", version > 3 && want != "7 6 33":
			t.Errorf("v%d: features %s", version, want)
		}
		if (version >= 3) != (r.FinalizedFeaturesEpoch >= 0) {
			t.Errorf("v%d: epoch %d", version, r.FinalizedFeaturesEpoch)
		}
	}
	if r := ask(3, "-bad-"); r.ErrorCode != 42 || len(r.ApiKeys) != 0 {
		t.Errorf("bad name: code %d", r.ErrorCode)
	}
	// A version that is too high is answered in the form of v0.
	c := dial(t, b, SASLPlaintext)
	c.correlation = 7
	c.write([]byte{0, 0, 0, 14, 0, 18, 0, 99, 0, 0, 0, 7, 0, 0, 0, 1, 2, 3})
	v0 := kmsg.NewPtrApiVersionsRequest()
	resp, err := c.receive(v0)
	if err != nil {
		t.Fatal(err)
	}
	r := resp.(*kmsg.ApiVersionsResponse)
	if r.ErrorCode != 35 || len(r.ApiKeys) != 1 || r.ApiKeys[0].ApiKey != 18 || r.ApiKeys[0].MaxVersion != 5 {
		t.Errorf("too high: %+v", r)
	}
	if code, _ := c.plain(alice, "alice-secret"); code != 0 { // and may be asked again
		t.Errorf("sign-in after it: code %d", code)
	}
	// Offers of a test's own.
	b = start(t, Options{Bare: true, Offer: map[int16]Versions{38: {Min: 1, Max: 2}, 41: Absent, 17: {Min: 0, Max: 0}}})
	got := map[int16]Versions{}
	for _, k := range ask(0, "").ApiKeys {
		got[k.ApiKey] = Versions{k.MinVersion, k.MaxVersion}
	}
	if _, there := got[41]; there || got[38] != (Versions{1, 2}) || got[17] != (Versions{0, 0}) || got[39] != (Versions{1, 2}) {
		t.Errorf("offered: 38 %v, 39 %v, 17 %v", got[38], got[39], got[17])
	}
}
