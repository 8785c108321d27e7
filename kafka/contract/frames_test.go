package contract

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"dtok/kafka/contract/apache"
	"dtok/kafka/contract/raw"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// wireDir holds frames of Apache Kafka 4.4.0, see README.md there.
const wireDir = "../../testdata/wire"

// captureWanted is the environment variable that makes TestCaptureFrames write
// the frames anew.
const captureWanted = "DTOK_CAPTURE"

// TestCaptureFrames takes down what a real Apache Kafka says to the token
// requests, for the tests of those who decode them.
func TestCaptureFrames(t *testing.T) {
	needNewest(t, "the frames on disk are its")
	if os.Getenv(captureWanted) == "" {
		t.Skip(captureWanted + "=1 writes testdata/wire anew")
	}
	e := &env{T: t, Cluster: connectApache(t, standard).open(t)}
	owner, other := e.userNamed("frame-owner"), e.userNamed("frame-other")
	e.admin().addRules(userRule("User:"+owner, "User:"+other, kmsg.ACLOperationCreateTokens))
	e.settleRules()
	c := e.as(owner)
	capture := func(name string, req kmsg.Request) kmsg.Response {
		c.conn.Tap = func(f raw.Frame) { writeFrame(t, name, f) }
		defer func() { c.conn.Tap = nil }()
		return do[kmsg.Response](c, req)
	}
	for version := int16(1); version <= 3; version++ {
		n := newToken{version: &version, renewers: []string{"User:frame-renewer", "User:CN=renewer,OU=a"}, life: 3600_000}
		r := capture("create", createRequest(n)).(*kmsg.CreateDelegationTokenResponse)
		e.await("the token is described", arrival, func() bool { return c.sees(r.TokenID) })
		capture("describe-all", describeRequest(version, nil))
		capture("describe-none", describeRequest(version, ownerFilter{}))
		capture("describe-owners", describeRequest(version, ownerFilter{"User:" + owner, "Group:x"}))
		t := token{id: r.TokenID, hmac: string(r.HMAC)}
		equal(e, "renew", c.renew(t, -1).code, 0)
		if version < 3 {
			capture("renew", renewRequest(version, t.hmac, 1800_000))
			capture("expire", expireRequest(version, t.hmac, -1))
			capture("expire-unknown", expireRequest(version, "unknown", -1))
		} else {
			capture("create-owner", createRequest(newToken{version: &version, owner: "User:" + other}))
			capture("create-refused", createRequest(newToken{version: &version, owner: "User:nobody"}))
			equal(e, "expire", c.expire(t, -1).code, 0)
		}
		e.await("the token is gone", arrival, func() bool { return !c.sees(t.id) })
	}
	c = e.dial(apache.SASLPlaintext)
	capture("api-versions", apiVersionsRequest(3))
	c = e.dial(apache.SASLPlaintext)
	capture("api-versions", apiVersionsRequest(4))
	c = e.dial(apache.Plaintext)
	capture("describe-plaintext", describeRequest(3, nil))
}

func writeFrame(t *testing.T, name string, f raw.Frame) {
	kind := "request"
	if f.Response {
		kind = "response"
	}
	text := hex.EncodeToString(f.Bytes)
	var lines []string
	for len(text) > 64 {
		lines, text = append(lines, text[:64]), text[64:]
	}
	file := filepath.Join(wireDir, fmt.Sprintf("%s-v%d-%s.hex", name, f.Version, kind))
	if err := os.WriteFile(file, []byte(strings.Join(append(lines, text), "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestFrames holds the frames on disk to kmsg: every one is whole and says what
// its name says.
func TestFrames(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(wireDir, "*.hex"))
	if err != nil || len(files) < 40 {
		t.Fatalf("%d frames in %s (%v)", len(files), wireDir, err)
	}
	name := regexp.MustCompile(`^([a-z]+(?:-[a-z]+)*)-v(\d)-(request|response)\.hex$`)
	keys := map[string]kmsg.Key{
		"create": kmsg.CreateDelegationToken, "renew": kmsg.RenewDelegationToken, "expire": kmsg.ExpireDelegationToken,
		"describe": kmsg.DescribeDelegationToken, "api": kmsg.ApiVersions,
	}
	for _, file := range files {
		parts := name.FindStringSubmatch(filepath.Base(file))
		if parts == nil {
			t.Errorf("%s is not named NAME-vVERSION-request.hex or -response.hex", file)
			continue
		}
		word, _, _ := strings.Cut(parts[1], "-")
		version, err := strconv.Atoi(parts[2])
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			frame := readFrame(t, file)
			if parts[3] == "request" {
				sameRequest(t, frame, keys[word], int16(version))
			} else {
				sameResponse(t, frame, keys[word], int16(version))
			}
		})
	}
}

func readFrame(t *testing.T, file string) []byte {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	frame, err := hex.DecodeString(strings.Join(strings.Fields(string(text)), ""))
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// sameRequest decodes the request and writes it again with the same header.
func sameRequest(t *testing.T, frame []byte, key kmsg.Key, version int16) {
	const client = "dtok-contract"
	req := kmsg.RequestForKey(key.Int16())
	req.SetVersion(version)
	head := 2 + 2 + 4 + 2 + len(client)
	if req.IsFlexible() {
		head++
	}
	if err := req.ReadFrom(frame[head:]); err != nil {
		t.Fatal(err)
	}
	correlation := int32(frame[4])<<24 | int32(frame[5])<<16 | int32(frame[6])<<8 | int32(frame[7])
	again := kmsg.NewRequestFormatter(kmsg.FormatterClientID(client)).AppendRequest(nil, req, correlation)
	if !bytes.Equal(again[4:], frame) {
		t.Error("decoded and encoded again, the request is another one")
	}
}

// sameResponse decodes the response and writes it again.
func sameResponse(t *testing.T, frame []byte, key kmsg.Key, version int16) {
	resp := kmsg.ResponseForKey(key.Int16())
	resp.SetVersion(version)
	head := frame[:4]
	if resp.IsFlexible() && key != kmsg.ApiVersions {
		head = frame[:5]
	}
	if err := resp.ReadFrom(frame[len(head):]); err != nil {
		t.Fatal(err)
	}
	if again := resp.AppendTo(bytes.Clone(head)); !bytes.Equal(again, frame) {
		t.Error("decoded and encoded again, the response is another one")
	}
}
