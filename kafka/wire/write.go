package wire

import (
	"io"
	"sync"

	"github.com/segmentio/kafka-go/protocol"
)

// WriteRequest writes a request of this package as one frame, in a version
// that its struct tags name; the error of another version is kafka-go's.
func WriteRequest(w io.Writer, version int16, id int32, clientID string, req protocol.Message) error {
	if register, ours := registering[req.ApiKey()]; ours {
		register()
	}
	return protocol.WriteRequest(w, version, id, clientID, req)
}

// registering tells kafka-go of a message at its first use. All of them at
// every start would cost more than a request and its answer.
var registering = map[protocol.ApiKey]func(){
	protocol.ApiVersions:             once(&ApiVersionsRequest{}, &ApiVersionsResponse{}),
	protocol.SaslAuthenticate:        once(&AuthenticateRequest{}, &AuthenticateResponse{}),
	protocol.CreateDelegationToken:   once(&CreateRequest{}, &CreateResponse{}),
	protocol.RenewDelegationToken:    once(&RenewRequest{}, &RenewResponse{}),
	protocol.ExpireDelegationToken:   once(&ExpireRequest{}, &ExpireResponse{}),
	protocol.DescribeDelegationToken: once(&DescribeRequest{}, &DescribeResponse{}),
}

func once(req, answer protocol.Message) func() {
	return sync.OnceFunc(func() { protocol.Register(req, answer) })
}
