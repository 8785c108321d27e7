package wire

import (
	"io"
	"sync"

	"github.com/segmentio/kafka-go/protocol"
)

// WriteRequest writes a request of this package as one frame, in a version
// that its struct tags name; the error of another version is kafka-go's.
func WriteRequest(w io.Writer, version int16, id int32, clientID string, req protocol.Message) error {
	register()
	return protocol.WriteRequest(w, version, id, clientID, req)
}

// register tells kafka-go of the messages when the first one is written: most
// processes change nothing, and need not wait for it.
var register = sync.OnceFunc(func() {
	protocol.Register(&CreateRequest{}, &CreateResponse{})
	protocol.Register(&RenewRequest{}, &RenewResponse{})
	protocol.Register(&ExpireRequest{}, &ExpireResponse{})
})
