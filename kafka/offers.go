package kafka

import (
	"context"
	"strings"
	"time"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"dtok/kafka/wire"
)

// offers is what a broker said it can do (ApiVersions).
type offers struct {
	ranges map[protocol.ApiKey]versionRange
	// detecting waits for detected; nil, like ranges, before the first answer.
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
		return key.MaxVersion(), nil // nothing is known before the first answer
	}
	v := min(r.max, key.MaxVersion())
	if !ok || v < r.min || v < key.MinVersion() {
		return 0, &UnsupportedError{API: key.String(), Needs: needs[key], Detected: o.detected(), Offered: ok,
			BrokerMin: r.min, BrokerMax: r.max, Min: key.MinVersion(), Max: key.MaxVersion()}
	}
	return v, nil
}

// needs is the Kafka version that brought each API.
var needs = map[protocol.ApiKey]string{
	protocol.DescribeAcls:                 "0.11",
	protocol.CreateAcls:                   "0.11",
	protocol.DeleteAcls:                   "0.11",
	protocol.SaslHandshake:                "0.10",
	protocol.SaslAuthenticate:             "1.0",
	protocol.CreateDelegationToken:        "1.1",
	protocol.RenewDelegationToken:         "1.1",
	protocol.ExpireDelegationToken:        "1.1",
	protocol.DescribeDelegationToken:      "1.1",
	protocol.DescribeClientQuotas:         "2.6",
	protocol.AlterClientQuotas:            "2.6",
	protocol.DescribeUserScramCredentials: "2.7",
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
		req: &wire.ApiVersionsRequest{SoftwareName: "dtok", SoftwareVersion: softwareVersion},
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
	o.detecting = meanwhile(func() string { return detect(answer) })
	return o
}

// meanwhile works something out while the sign-in, which mostly waits, goes on:
// comparing the answer with all of Kafka's releases takes as long as a round trip.
func meanwhile(work func() string) func() string {
	var result string
	done := make(chan struct{})
	go func() {
		defer close(done)
		result = work()
	}()
	return func() string {
		<-done
		return result
	}
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
