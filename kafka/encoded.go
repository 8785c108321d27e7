package kafka

import (
	"fmt"
	"math"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// encoded is a request that kmsg encodes: all but the three of package wire,
// which change tokens. kafka-go writes an empty nullable text as null, which in
// a filter means "any", in a deletion too, and in a quota entity "the default".
// And it makes an encoder for each field in each version before the first
// request goes out, which takes longer than a broker needs to answer.
type encoded struct{ kmsg.Request }

// ApiKey is the request's key.
func (e encoded) ApiKey() protocol.ApiKey { return protocol.ApiKey(e.Key()) }

// frame has room for a password or a bearer token from the start: what append
// outgrows would keep a copy.
func (e encoded) frame(version int16, id int32, clientID string) []byte {
	e.SetVersion(version)
	room := 256 + len(clientID)
	if r, ok := e.Request.(*kmsg.SASLAuthenticateRequest); ok {
		room += len(r.SASLAuthBytes)
	}
	return kmsg.NewRequestFormatter(kmsg.FormatterClientID(clientID)).AppendRequest(make([]byte, 0, room), e.Request, id)
}

// askVersions asks for what the broker offers.
func askVersions() encoded {
	return encoded{&kmsg.ApiVersionsRequest{ClientSoftwareName: "dtok", ClientSoftwareVersion: softwareVersion}}
}

// aliveCall reads the API versions, which every broker answers.
func aliveCall() *call { return &call{req: askVersions(), read: leadingCode} }

// noTopics asks for the cluster and for none of its topics. Everybody may.
func noTopics() encoded { return encoded{&kmsg.MetadataRequest{Topics: []kmsg.MetadataRequestTopic{}}} }

// checkLengths says that a name is longer than the protocol's texts.
func checkLengths(names ...string) error {
	for _, n := range names {
		if len(n) > math.MaxInt16 {
			return fmt.Errorf("a name of %d bytes is longer than the protocol can carry", len(n))
		}
	}
	return nil
}
