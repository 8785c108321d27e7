package contract

import (
	"slices"

	"dtok/kafka/contract/apache"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func versionCases() []contractCase {
	return []contractCase{
		{"versions: the ranges of Kafka 4.4 on every listener", versionsOffered},
		{"versions: finalized and supported features", versionsFeatures},
		{"versions: every version of ApiVersions is answered", versionsEach},
		{"versions: a client name that is none is refused", versionsClientName},
		{"versions: too new a request is answered as version 0", versionsTooNew},
		{"versions: asked for once before the handshake", versionsOnceBeforeSASL},
		{"versions: a request before the handshake closes", versionsNothingBeforeSASL},
		{"versions: a version or key that is not offered closes", versionsNotOffered},
		{"versions: tokens in every version of their messages", versionsOfTokenMessages},
	}
}

func apiVersionsRequest(version int16) *kmsg.ApiVersionsRequest {
	req := kmsg.NewPtrApiVersionsRequest()
	req.Version, req.ClientSoftwareName, req.ClientSoftwareVersion = version, "dtok-contract", "1"
	return req
}

// offered are the keys that dtok uses with their ranges, min and max.
func offered(r *kmsg.ApiVersionsResponse) map[int16][2]int16 {
	used := []int16{17, 18, 29, 30, 31, 36, 38, 39, 40, 41, 48, 49, 50, 51}
	ranges := map[int16][2]int16{}
	for _, k := range r.ApiKeys {
		if slices.Contains(used, k.ApiKey) {
			ranges[k.ApiKey] = [2]int16{k.MinVersion, k.MaxVersion}
		}
	}
	return ranges
}

func versionsOffered(e *env) {
	want := map[int16][2]int16{
		17: {0, 1}, 18: {0, 5}, 29: {1, 3}, 30: {1, 3}, 31: {1, 3}, 36: {0, 2},
		38: {1, 3}, 39: {1, 2}, 40: {1, 2}, 41: {1, 3}, 48: {0, 1}, 49: {0, 1}, 50: {0, 0}, 51: {0, 0},
	}
	for _, l := range []string{apache.Plaintext, apache.SASLPlaintext, apache.SASLSSL, apache.SSL} {
		r := do[*kmsg.ApiVersionsResponse](e.dial(l), apiVersionsRequest(3))
		equal(e, "code of ApiVersions on "+l, r.ErrorCode, 0)
		equal(e, "ranges on "+l, offered(r), want)
	}
}

func versionsFeatures(e *env) {
	for version, names := range map[int16][]string{
		// Version 3 leaves out features that may be at level 0.
		3: {"metadata.version"},
		4: {"eligible.leader.replicas.version", "group.version", "kraft.version", "metadata.version", "share.version", "streams.version", "transaction.version"},
	} {
		r := do[*kmsg.ApiVersionsResponse](e.dial(apache.SASLPlaintext), apiVersionsRequest(version))
		var supported []string
		for _, f := range r.SupportedFeatures {
			supported = append(supported, f.Name)
			if f.Name == "metadata.version" {
				equal(e, "supported metadata.version", [2]int16{f.MinVersion, f.MaxVersion}, [2]int16{7, 33})
			}
		}
		slices.Sort(supported)
		equal(e, "supported features", supported, names)
		within(e, "epoch of the finalized features", r.FinalizedFeaturesEpoch, 0, 1<<62)
		equal(e, "finalized metadata.version", finalized(r, "metadata.version"), [2]int16{33, 33})
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
	for version := range int16(6) {
		r := do[*kmsg.ApiVersionsResponse](e.dial(apache.SASLPlaintext), apiVersionsRequest(version))
		equal(e, "code of ApiVersions", r.ErrorCode, 0)
		equal(e, "range of key 41", offered(r)[41], [2]int16{1, 3})
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
	r := do[*kmsg.ApiVersionsResponse](c, apiVersionsRequest(99))
	equal(e, "code", r.ErrorCode, 35)
	equal(e, "keys", r.ApiKeys, []kmsg.ApiVersionsResponseApiKey{{ApiKey: 18, MinVersion: 0, MaxVersion: 5}})
	again := do[*kmsg.ApiVersionsResponse](c, apiVersionsRequest(3))
	equal(e, "code of a second request", again.ErrorCode, 0)
}

func versionsOnceBeforeSASL(e *env) {
	c := e.dial(apache.SASLPlaintext)
	do[*kmsg.ApiVersionsResponse](c, apiVersionsRequest(3))
	if _, err := c.conn.SignIn(password("alice")); err != nil {
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

func versionsNotOffered(e *env) {
	create, renew, expire := createRequest(newToken{}), renewRequest(0, "", 1), expireRequest(0, "", 1)
	create.Version = 0
	listACLs := kmsg.NewPtrDescribeACLsRequest()
	for name, req := range map[string]kmsg.Request{
		"create v0": create, "renew v0": renew, "expire v0": expire, "describe v0": describeRequest(0, nil),
		"describe v4": describeRequest(4, nil), "renew v3": renewRequest(3, "", 1), "describe ACLs v0": listACLs,
	} {
		e.Logf("%s", name)
		e.closed(e.as("alice"), req)
	}
}

func versionsOfTokenMessages(e *env) {
	owner := e.user()
	c := e.as(owner)
	for version := int16(1); version <= 3; version++ {
		change := min(version, 2)
		created := c.create(newToken{version: version, renewers: []string{"User:bob"}})
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
		within(e, "expiry", expired.ExpiryTimestamp, created.IssueTimestamp, e.millis())
		e.await("the token is gone", arrival, func() bool { return len(c.describe(nil)) == 0 })
	}
}
