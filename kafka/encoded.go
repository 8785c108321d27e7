package kafka

import (
	"fmt"
	"math"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// encoded is a request that kmsg encodes: all but the six of package wire.
// kafka-go writes an empty nullable text as null, which in a filter means "any",
// in a deletion too, and in a quota entity "the default"; and its packages for
// these requests take half a millisecond at every start to register answers
// that nobody reads with them.
type encoded struct{ kmsg.Request }

// ApiKey is the request's key.
func (e encoded) ApiKey() protocol.ApiKey { return protocol.ApiKey(e.Key()) }

func (e encoded) frame(version int16, id int32, clientID string) []byte {
	e.SetVersion(version)
	return kmsg.NewRequestFormatter(kmsg.FormatterClientID(clientID)).AppendRequest(nil, e.Request, id)
}

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
