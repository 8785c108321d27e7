package contract

import (
	"slices"

	"dtok/kafka/contract/apache"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func versionCases() []contractCase {
	return []contractCase{
		{"versions: the ranges of the release on every listener", versionsOffered, always},
		{"versions: finalized and supported features", versionsFeatures, since("2.4")},
		{"versions: every version of ApiVersions is answered", versionsEach, always},
		{"versions: a client name that is none is refused", versionsClientName, since("2.4")},
		{"versions: too new a request is answered as version 0", versionsTooNew, always},
		{"versions: asked for once before the handshake", versionsOnceBeforeSASL, always},
		{"versions: a request before the handshake closes", versionsNothingBeforeSASL, always},
		{"versions: a version or key that is not offered closes", versionsNotOffered, always},
		{"versions: tokens in every version of their messages", versionsOfTokenMessages, offering(createToken)},
	}
}

func apiVersionsRequest(version int16) *kmsg.ApiVersionsRequest {
	req := kmsg.NewPtrApiVersionsRequest()
	req.Version, req.ClientSoftwareName, req.ClientSoftwareVersion = version, "dtok-contract", "1"
	return req
}

// offered are the keys that dtok uses with their ranges, min and max.
func offered(r *kmsg.ApiVersionsResponse) map[int16]apache.Range {
	used := []int16{17, 18, 29, 30, 31, 36, 38, 39, 40, 41, 48, 49, 50, 51}
	ranges := map[int16]apache.Range{}
	for _, k := range r.ApiKeys {
		if slices.Contains(used, k.ApiKey) {
			ranges[k.ApiKey] = apache.Range{Min: k.MinVersion, Max: k.MaxVersion}
		}
	}
	return ranges
}

func versionsOffered(e *env) {
	for _, l := range []string{apache.Plaintext, apache.SASLPlaintext, apache.SASLSSL, apache.SSL} {
		r := do[*kmsg.ApiVersionsResponse](e.dial(l), apiVersionsRequest(3))
		equal(e, "code of ApiVersions on "+l, r.ErrorCode, 0)
		equal(e, "ranges on "+l, offered(r), e.Kafka().APIs)
	}
}

// features are what a release supports, by the version of ApiVersions, and the
// lowest and highest metadata.version.
type features struct {
	version3, version4 []string
	metadata           [2]int16
}

func featuresOf(r apache.Release) features {
	const metadata = "metadata.version"
	one := []string{metadata}
	switch {
	case r.ZooKeeper():
		return features{}
	case r.Since("4.4"):
		return features{one, []string{"eligible.leader.replicas.version", "group.version", "kraft.version", metadata, "share.version", "streams.version", "transaction.version"}, [2]int16{7, 33}}
	case r.Since("4.0"):
		return features{one, []string{"eligible.leader.replicas.version", "group.version", "kraft.version", metadata, "transaction.version"}, [2]int16{7, 25}}
	case r.Since("3.9"):
		return features{one, []string{"kraft.version", metadata}, [2]int16{1, 21}}
	case r.Since("3.6"):
		return features{one, nil, [2]int16{1, 14}}
	}
	return features{one, nil, [2]int16{1, 11}}
}

// versionsFeatures: a cluster with ZooKeeper has an epoch and no feature.
func versionsFeatures(e *env) {
	want := featuresOf(e.Kafka())
	for version, names := range map[int16][]string{
		// Version 3 leaves out features that may be at level 0.
		3: want.version3, 4: want.version4,
	} {
		if version > e.Kafka().APIs[18].Max {
			continue
		}
		r := do[*kmsg.ApiVersionsResponse](e.dial(apache.SASLPlaintext), apiVersionsRequest(version))
		var supported []string
		for _, f := range r.SupportedFeatures {
			supported = append(supported, f.Name)
			if f.Name == "metadata.version" {
				equal(e, "supported metadata.version", [2]int16{f.MinVersion, f.MaxVersion}, want.metadata)
			}
		}
		slices.Sort(supported)
		equal(e, "supported features", supported, names)
		within(e, "epoch of the finalized features", r.FinalizedFeaturesEpoch, 0, 1<<62)
		newest := want.metadata[1]
		equal(e, "finalized metadata.version", finalized(r, "metadata.version"), [2]int16{newest, newest})
	}
}

// finalized are the levels, min and max, of a finalized feature.
func finalized(r *kmsg.ApiVersionsResponse, name string) [2]int16 {
	for _, f := range r.FinalizedFeatures {
		if f.Name == name {
			return [2]int16{f.MinVersionLevel, f.MaxVersionLevel}
		}
	}
	return [2]int16{}
}

func versionsEach(e *env) {
	for version := range e.Kafka().APIs[18].Max + 1 {
		r := do[*kmsg.ApiVersionsResponse](e.dial(apache.SASLPlaintext), apiVersionsRequest(version))
		equal(e, "code of ApiVersions", r.ErrorCode, 0)
		equal(e, "version of ApiVersions", r.Version, version)
		equal(e, "ranges", offered(r), e.Kafka().APIs)
	}
	signedIn := e.as("alice")
	r := do[*kmsg.ApiVersionsResponse](signedIn, apiVersionsRequest(3))
	equal(e, "code of ApiVersions after the sign-in", r.ErrorCode, 0)
}

func versionsClientName(e *env) {
	for _, name := range []string{"", "-dtok", "dtok-", "dt ok", "dtök"} {
		req := apiVersionsRequest(3)
		req.ClientSoftwareName = name
		r := do[*kmsg.ApiVersionsResponse](e.dial(apache.Plaintext), req)
		equal(e, "code for client name "+name, r.ErrorCode, 42)
	}
}

func versionsTooNew(e *env) {
	// kmsg writes the fields of the newest version that it knows; the broker
	// looks at no more than the header.
	c := e.dial(apache.Plaintext)
	answer, err := c.conn.Do(apiVersionsRequest(99))
	if err != nil {
		e.Fatal(err)
	}
	r := answer.(*kmsg.ApiVersionsResponse)
	equal(e, "code", r.ErrorCode, 35)
	keys := []kmsg.ApiVersionsResponseApiKey{{ApiKey: 18, MinVersion: 0, MaxVersion: e.Kafka().APIs[18].Max}}
	if !e.Kafka().Since("2.4") {
		keys = nil // KIP-511 added the range to the refusal
	}
	equal(e, "keys", r.ApiKeys, keys)
	again := do[*kmsg.ApiVersionsResponse](c, apiVersionsRequest(3))
	equal(e, "code of a second request", again.ErrorCode, 0)
}

func versionsOnceBeforeSASL(e *env) {
	c := e.dial(apache.SASLPlaintext)
	do[*kmsg.ApiVersionsResponse](c, apiVersionsRequest(3))
	if _, err := c.conn.SignIn(e.password("alice")); err != nil {
		e.Fatal(err)
	}
	twice := e.dial(apache.SASLPlaintext)
	do[*kmsg.ApiVersionsResponse](twice, apiVersionsRequest(3))
	e.closed(twice, apiVersionsRequest(3))
}

func versionsNothingBeforeSASL(e *env) {
	e.closed(e.dial(apache.SASLPlaintext), describeRequest(3, nil))
	auth := kmsg.NewPtrSASLAuthenticateRequest()
	auth.Version, auth.SASLAuthBytes = 2, []byte("\x00alice\x00alice-secret")
	e.closed(e.dial(apache.SASLPlaintext), auth)
}

// versionsNotOffered goes through all requests that dtok uses, also those that
// the release does not have at all.
func versionsNotOffered(e *env) {
	for _, key := range []int16{29, 30, 31, 38, 39, 40, 41, 48, 49, 50, 51} {
		offered, ok := e.Kafka().APIs[key]
		versions := []int16{0, 1}
		if ok {
			versions = []int16{offered.Min - 1, offered.Max + 1}
		}
		for _, version := range versions {
			if version < 0 {
				continue
			}
			req := kmsg.RequestForKey(key)
			req.SetVersion(version)
			e.Logf("%s version %d", kmsg.NameForKey(key), version)
			e.closed(e.as("alice"), req)
		}
	}
}

func versionsOfTokenMessages(e *env) {
	owner := e.user()
	c := e.as(owner)
	offered := e.Kafka().APIs[createToken]
	for version := offered.Min; version <= offered.Max; version++ {
		change := min(version, 2)
		created := c.create(newToken{version: &version, renewers: []string{"User:bob"}})
		equal(e, "code of create", created.ErrorCode, 0)
		want := token{
			id: created.TokenID, hmac: string(created.HMAC), owner: "User:" + owner, renewers: []string{"User:bob"},
			issued: created.IssueTimestamp, expires: created.ExpiryTimestamp, ends: created.MaxTimestamp,
		}
		if version >= 3 {
			want.requester = "User:" + owner
		}
		e.await("the token is described", arrival, func() bool { return len(c.describe(nil)) == 1 })
		equal(e, "tokens described", c.describeVersion(version, nil), []token{want})

		var renewed *kmsg.RenewDelegationTokenResponse
		e.await("the token is renewed", arrival, func() bool {
			renewed = do[*kmsg.RenewDelegationTokenResponse](c, renewRequest(change, want.hmac, 3600_000))
			return renewed.ErrorCode != 62
		})
		equal(e, "code of renew", renewed.ErrorCode, 0)
		expired := do[*kmsg.ExpireDelegationTokenResponse](c, expireRequest(change, want.hmac, -1))
		equal(e, "code of expire", expired.ErrorCode, 0)
		if e.answersPeriod() {
			equal(e, "expiry", expired.ExpiryTimestamp, -1)
		} else {
			within(e, "expiry", expired.ExpiryTimestamp, created.IssueTimestamp, e.millis())
		}
		e.await("the token is gone", arrival, func() bool { return len(c.describe(nil)) == 0 })
	}
}
