package wire

import "github.com/segmentio/kafka-go/protocol"

// Principal is a type and a name, as the token messages carry it.
type Principal struct {
	_    struct{} `kafka:"min=v2,max=v3,tag"`
	Type string   `kafka:"min=v0,max=v3"`
	Name string   `kafka:"min=v0,max=v3"`
}

// CreateRequest is CreateDelegationTokenRequest (key 38, v0–v3).
type CreateRequest struct {
	_ struct{} `kafka:"min=v2,max=v3,tag"`
	// OwnerType and OwnerName are null when empty, which makes the requester
	// the owner. They are sent from v3 (KIP-373); below, they are dropped.
	OwnerType string      `kafka:"min=v3,max=v3,nullable"`
	OwnerName string      `kafka:"min=v3,max=v3,nullable"`
	Renewers  []Principal `kafka:"min=v0,max=v3"`
	// MaxLifetimeMs is -1 for the cluster's default.
	MaxLifetimeMs int64 `kafka:"min=v0,max=v3"`
}

// ApiKey is 38.
func (*CreateRequest) ApiKey() protocol.ApiKey { return protocol.CreateDelegationToken }

// CreateResponse is CreateDelegationTokenResponse (key 38, v0–v3). It carries
// no renewers and no error text.
type CreateResponse struct {
	_             struct{} `kafka:"min=v2,max=v3,tag"`
	ErrorCode     int16    `kafka:"min=v0,max=v3"`
	OwnerType     string   `kafka:"min=v0,max=v3"`
	OwnerName     string   `kafka:"min=v0,max=v3"`
	RequesterType string   `kafka:"min=v3,max=v3"`
	RequesterName string   `kafka:"min=v3,max=v3"`
	IssuedMs      int64    `kafka:"min=v0,max=v3"`
	ExpiresMs     int64    `kafka:"min=v0,max=v3"`
	MaxMs         int64    `kafka:"min=v0,max=v3"`
	TokenID       string   `kafka:"min=v0,max=v3"`
	HMAC          []byte   `kafka:"min=v0,max=v3"`
	ThrottleMs    int32    `kafka:"min=v0,max=v3"`
}

// ApiKey is 38.
func (*CreateResponse) ApiKey() protocol.ApiKey { return protocol.CreateDelegationToken }

// RenewRequest is RenewDelegationTokenRequest (key 39, v0–v2).
type RenewRequest struct {
	_    struct{} `kafka:"min=v2,max=v2,tag"`
	HMAC []byte   `kafka:"min=v0,max=v2"`
	// PeriodMs is -1 for the cluster's default.
	PeriodMs int64 `kafka:"min=v0,max=v2"`
}

// ApiKey is 39.
func (*RenewRequest) ApiKey() protocol.ApiKey { return protocol.RenewDelegationToken }

// RenewResponse is RenewDelegationTokenResponse (key 39, v0–v2).
type RenewResponse struct {
	_          struct{} `kafka:"min=v2,max=v2,tag"`
	ErrorCode  int16    `kafka:"min=v0,max=v2"`
	ExpiresMs  int64    `kafka:"min=v0,max=v2"`
	ThrottleMs int32    `kafka:"min=v0,max=v2"`
}

// ApiKey is 39.
func (*RenewResponse) ApiKey() protocol.ApiKey { return protocol.RenewDelegationToken }

// ExpireRequest is ExpireDelegationTokenRequest (key 40, v0–v2).
type ExpireRequest struct {
	_    struct{} `kafka:"min=v2,max=v2,tag"`
	HMAC []byte   `kafka:"min=v0,max=v2"`
	// PeriodMs below 0 removes the token; 0 only lets it expire now.
	PeriodMs int64 `kafka:"min=v0,max=v2"`
}

// ApiKey is 40.
func (*ExpireRequest) ApiKey() protocol.ApiKey { return protocol.ExpireDelegationToken }

// ExpireResponse is ExpireDelegationTokenResponse (key 40, v0–v2).
type ExpireResponse struct {
	_          struct{} `kafka:"min=v2,max=v2,tag"`
	ErrorCode  int16    `kafka:"min=v0,max=v2"`
	ExpiresMs  int64    `kafka:"min=v0,max=v2"`
	ThrottleMs int32    `kafka:"min=v0,max=v2"`
}

// ApiKey is 40.
func (*ExpireResponse) ApiKey() protocol.ApiKey { return protocol.ExpireDelegationToken }
