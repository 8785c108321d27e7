package kafka

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"
)

// offers is what a broker said it can do (ApiVersions).
type offers struct {
	ranges map[protocol.ApiKey]versionRange
	// detecting works out detected once; nil, like ranges, before the first
	// answer.
	detecting func() string
	// metadataVersion is the finalized level, 0 where none is told. A
	// ZooKeeper cluster answers epoch 0 without any feature (seen on 2.8 and
	// 3.9), so that only the feature itself counts.
	metadataVersion int16
}

type versionRange struct{ min, max int16 }

// detected is a guess of the Kafka version, "" when nothing fits.
func (o offers) detected() string {
	if o.detecting == nil {
		return ""
	}
	return o.detecting()
}

// has reports whether the broker lists key at all. A key that it does not list
// makes it close the connection.
func (o offers) has(key protocol.ApiKey) bool {
	_, ok := o.ranges[key]
	return ok
}

// max is the highest version of key that the broker takes, -1 for none.
func (o offers) max(key protocol.ApiKey) int16 {
	if r, ok := o.ranges[key]; ok {
		return r.max
	}
	return -1
}

// version is the highest version of key that both sides know.
func (o offers) version(key protocol.ApiKey) (int16, error) {
	r, ok := o.ranges[key]
	if key == protocol.ApiVersions && o.ranges == nil {
		return spoken[key].max, nil // nothing is known before the first answer
	}
	ours := spoken[key]
	v := min(r.max, ours.max)
	if !ok || v < r.min {
		return 0, &UnsupportedError{API: key.String(), Needs: ours.since, Detected: o.detected(), Offered: ok,
			BrokerMin: r.min, Max: ours.max}
	}
	return v, nil
}

// spoken is what dtok speaks of each request, from v0 to max, and the Kafka
// version that brought the request.
var spoken = map[protocol.ApiKey]struct {
	max   int16
	since string
}{
	protocol.Metadata:                     {8, "0.8"},
	protocol.SaslHandshake:                {1, "0.10"},
	protocol.ApiVersions:                  {3, "0.10"},
	protocol.DescribeAcls:                 {3, "0.11"},
	protocol.CreateAcls:                   {3, "0.11"},
	protocol.DeleteAcls:                   {3, "0.11"},
	protocol.SaslAuthenticate:             {2, "1.0"},
	protocol.CreateDelegationToken:        {3, "1.1"},
	protocol.RenewDelegationToken:         {2, "1.1"},
	protocol.ExpireDelegationToken:        {2, "1.1"},
	protocol.DescribeDelegationToken:      {3, "1.1"},
	protocol.DescribeClientQuotas:         {1, "2.6"},
	protocol.AlterClientQuotas:            {1, "2.6"},
	protocol.DescribeUserScramCredentials: {0, "2.7"},
}

// tokenMetadataVersion is the level of 3.6-IV2, from which a KRaft controller
// makes delegation tokens (MetadataVersion.isDelegationTokenSupported).
const tokenMetadataVersion = 14

// off says whether the offers rule delegation tokens out.
func (o offers) off() *OffError {
	switch {
	case !o.has(protocol.DescribeDelegationToken):
		return &OffError{Cause: OffNoAPI, Version: o.detected()}
	case o.metadataVersion > 0 && o.metadataVersion < tokenMetadataVersion:
		return &OffError{Cause: OffOldMetadata, Version: o.detected(), MetadataVersion: o.metadataVersion}
	}
	return nil
}

// softwareVersion goes into ApiVersions, where brokers count clients by it.
const softwareVersion = "1"

// apiVersions asks for the broker's offers and keeps them. The answer to v3
// from a broker that does not know it has the form of v0 and code 35 (KIP-511
// since 2.4, and all brokers since 0.10.0): it is then asked again with v0.
func (cn *conn) apiVersions(ctx context.Context, wait time.Duration) (err error) {
	start := time.Now()
	defer func() { cn.log.offered(start, cn.offers, err) }()
	answer := kmsg.NewPtrApiVersionsResponse()
	ask := &call{
		req: askVersions(),
		read: func(version int16, body []byte) (Code, error) {
			code, _ := leadingCode(version, body)
			if code == CodeUnsupportedVersion {
				version = 0
			}
			answer.SetVersion(version)
			return code, answer.ReadFrom(body)
		},
	}
	if err := cn.exchange(ctx, wait, ask); err != nil {
		return err
	}
	if ask.err == nil && Code(answer.ErrorCode) == CodeUnsupportedVersion && ask.version > 0 {
		cn.offers.ranges = map[protocol.ApiKey]versionRange{protocol.ApiVersions: {0, 0}}
		if err := cn.exchange(ctx, wait, ask); err != nil {
			return err
		}
	}
	switch {
	case ask.err != nil:
		return ask.err
	case answer.ErrorCode != 0:
		return causeError{"the broker refuses to tell its API versions: " + Code(answer.ErrorCode).String(), nil}
	case len(answer.ApiKeys) == 0:
		return &FaultError{Fault: FaultGarbled}
	}
	cn.offers = offersOf(answer)
	return nil
}

// leadingCode reads no more of an answer than the error code that it begins
// with, as that to ApiVersions does.
func leadingCode(_ int16, body []byte) (Code, error) {
	if len(body) < 2 {
		return CodeNone, nil
	}
	return Code(int16(body[0])<<8 | int16(body[1])), nil
}

func offersOf(answer *kmsg.ApiVersionsResponse) offers {
	o := offers{ranges: make(map[protocol.ApiKey]versionRange, len(answer.ApiKeys))}
	for _, k := range answer.ApiKeys {
		if k.MinVersion < 0 || k.MaxVersion < k.MinVersion {
			continue // no version at all
		}
		o.ranges[protocol.ApiKey(k.ApiKey)] = versionRange{k.MinVersion, k.MaxVersion}
	}
	if answer.Version < 3 {
		// Keep asking for the version that this broker knows.
		o.ranges[protocol.ApiVersions] = versionRange{0, answer.Version}
	}
	// An epoch below 0 means that the features are not known yet (KIP-584).
	if answer.FinalizedFeaturesEpoch >= 0 {
		for _, f := range answer.FinalizedFeatures {
			if f.Name == "metadata.version" {
				o.metadataVersion = f.MaxVersionLevel
			}
		}
	}
	o.detecting = sync.OnceValue(func() string { return detect(answer) })
	return o
}

// detect guesses the Kafka version of the ranges.
func detect(answer *kmsg.ApiVersionsResponse) string {
	return wordGuess(kversion.FromApiVersionsResponse(answer).VersionGuess())
}

// wordGuess words kversion's guess for people: "Kafka 4.4", "Kafka 4.4 or
// later", "Kafka between 2.4 and 2.5", or "" when it is none.
func wordGuess(guess string) string {
	guess = strings.TrimPrefix(guess, "unknown custom version ")
	atLeast, isLeast := strings.CutPrefix(guess, "at least v")
	between, isBetween := strings.CutPrefix(guess, "between v")
	exact, isExact := strings.CutPrefix(guess, "v")
	switch {
	case isLeast:
		return "Kafka " + atLeast + " or later"
	case isBetween:
		return "Kafka between " + strings.ReplaceAll(between, "and v", "and ")
	case isExact:
		return "Kafka " + exact
	}
	return ""
}
