package contract

import (
	"testing"

	"dtok/kafka"
	"dtok/kafka/contract/apache"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestMetadataUpgradeOnKafka: raising metadata.version switches tokens on while the
// cluster runs. Before Kafka 4 the sweep starts with the controller alone, so
// that tokens that are over stay listed until it is restarted.
func TestMetadataUpgradeOnKafka(t *testing.T) {
	release := needKafka(t)
	if release.ZooKeeper() || !release.Offers(createToken) {
		t.Skip("this release has no metadata.version that brings tokens")
	}
	node := startNode(t, apache.Options{Metadata: "3.5"})
	e := on(t, node)
	old := e.dtok("alice")
	e.off(old, kafka.OffOldMetadata)

	const tokens = 14 // 3.6-IV2
	req := kmsg.NewPtrUpdateFeaturesRequest()
	req.Version = 1
	update := kmsg.NewUpdateFeaturesRequestFeatureUpdate()
	update.Feature, update.MaxVersionLevel, update.UpgradeType = "metadata.version", tokens, 1
	req.FeatureUpdates = append(req.FeatureUpdates, update)
	resp, err := e.admin().conn.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	upgraded := resp.(*kmsg.UpdateFeaturesResponse)
	equal(e, "code of UpdateFeatures", upgraded.ErrorCode, 0)
	for _, result := range upgraded.Results {
		equal(e, "code for "+result.Feature, result.ErrorCode, 0)
	}

	// The connection that was told "too old" learns of it by itself.
	e.await("the open connection sees the new level", arrival, func() bool {
		_, err := old.Tokens(t.Context(), kafka.Principal{})
		return err == nil
	})
	equal(e, "level", old.Session().MetadataVersion, tokens)
	equal(e, "tokens are off", old.Session().Off, nil)
	made := e.createToken(old, kafka.CreateRequest{})
	e.await("the token is listed", arrival, func() bool { return len(e.listTokens(old, made.Token.Owner)) == 1 })

	short := e.as("alice").newToken(newToken{life: 500})
	e.over(short.expires)
	listed := func() bool { return e.as("alice").sees(short.id) }
	if !release.Since("4.0") {
		e.Pass(2*e.Settings().SweepInterval + e.Settings().SweepInterval/2)
		equal(e, "listed without a sweep", listed(), true)
		if err := node.Restart(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	e.await("the sweep removes the token", e.sweeps(), func() bool { return !listed() })
}
