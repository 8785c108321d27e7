package wire

import "github.com/segmentio/kafka-go/protocol"

// ApiVersionsRequest is ApiVersionsRequest (key 18, v0–v3). From v3 the answer
// tells the finalized features (KIP-584), and the request names the software.
type ApiVersionsRequest struct {
	_ struct{} `kafka:"min=v0,max=v2|min=v3,max=v3,tag"`
	// SoftwareName and SoftwareVersion hold letters, digits, dots and hyphens
	// and begin and end with a letter or digit: anything else is answered 42.
	SoftwareName    string `kafka:"min=v3,max=v3"`
	SoftwareVersion string `kafka:"min=v3,max=v3"`
}

// ApiKey is 18.
func (*ApiVersionsRequest) ApiKey() protocol.ApiKey { return protocol.ApiVersions }

// ApiVersionsResponse is only what kafka-go needs to register the request: the
// answer has arrays and is read with bounds elsewhere.
type ApiVersionsResponse struct {
	_         struct{} `kafka:"min=v0,max=v2|min=v3,max=v3,tag"`
	ErrorCode int16    `kafka:"min=v0,max=v3"`
}

// ApiKey is 18.
func (*ApiVersionsResponse) ApiKey() protocol.ApiKey { return protocol.ApiVersions }

// AuthenticateRequest is SaslAuthenticateRequest (key 36, v0–v2).
type AuthenticateRequest struct {
	_         struct{} `kafka:"min=v2,max=v2,tag"`
	AuthBytes []byte   `kafka:"min=v0,max=v2"`
}

// ApiKey is 36.
func (*AuthenticateRequest) ApiKey() protocol.ApiKey { return protocol.SaslAuthenticate }

// AuthenticateResponse is only what kafka-go needs to register the request,
// like ApiVersionsResponse.
type AuthenticateResponse struct {
	_         struct{} `kafka:"min=v2,max=v2,tag"`
	ErrorCode int16    `kafka:"min=v0,max=v2"`
}

// ApiKey is 36.
func (*AuthenticateResponse) ApiKey() protocol.ApiKey { return protocol.SaslAuthenticate }
