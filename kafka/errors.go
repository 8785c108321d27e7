package kafka

import (
	"fmt"
	"strings"
)

// Op names a request for people and for the audit trail.
type Op string

// The operations that errors and records name.
const (
	OpListUsers   Op = "list users"
	OpListTokens  Op = "list tokens"
	OpCreateToken Op = "create token"
	OpRenewToken  Op = "renew token"
	OpExpireToken Op = "expire token"
	OpListACLs    Op = "list ACL rules"
	OpListQuotas  Op = "list quotas"
	OpListSCRAM   Op = "list SCRAM users"
	OpTestSignIn  Op = "test sign-in"
	OpAddRules    Op = "add ACL rule"
	OpDeleteRules Op = "delete ACL rule"
	OpSetQuota    Op = "set quota"
	OpRemoveQuota Op = "remove quota"
)

// Every error type below is a whole sentence for people, without a secret and
// without a stack trace. Those that know what to do next also have a Hint.

// ConnectError says that no bootstrap address could be used.
type ConnectError struct {
	// Address is the address that Err belongs to: the last one tried.
	Address string
	// Stage is what was being done: "look up", "connect", "TLS",
	// "API versions" or "sign in".
	Stage string
	Err   error
	// Tried are the failures of the addresses before, as sentences.
	Tried []string
}

// Error is one sentence for each address that was tried.
func (e *ConnectError) Error() string {
	s := fmt.Sprintf("cannot connect to %s: %s: %v", e.Address, e.Stage, e.Err)
	if len(e.Tried) > 0 {
		s += "; before that: " + strings.Join(e.Tried, "; ")
	}
	return s
}

// Unwrap gives the cause.
func (e *ConnectError) Unwrap() error { return e.Err }

// SignInError says that the broker refused the sign-in.
type SignInError struct {
	Mechanism string
	// User is the user of PLAIN and SCRAM and the client's principal of
	// GSSAPI.
	User string
	// TokenAuth is set for a sign-in with a delegation token.
	TokenAuth bool
	// Code is 58 (refused) or 33 (mechanism not offered).
	Code Code
	// Offered are the mechanisms of the listener, given with 33.
	Offered []string
	// Status is the broker's word for what is wrong with a bearer token, such
	// as "invalid_token", "" for none.
	Status string
	// Claims are what a bearer token says of itself; zero where it cannot be
	// read.
	Claims Claims
	// Service is the Kerberos name that the broker was taken for.
	Service string
}

// SourceError says that there is nothing to sign in with: no bearer token or
// no Kerberos ticket could be had. The broker was not asked.
type SourceError struct {
	Mechanism string
	Err       error
}

// Unwrap gives the cause.
func (e *SourceError) Unwrap() error { return e.Err }

// RefusedError is a broker's refusal. Nothing changed in the cluster.
type RefusedError struct {
	Op   Op
	Code Code
	// TokenID and Owner are set where the operation has them.
	TokenID string
	Owner   Principal
	// Text is Kafka's own, "" where it has none or an internal dump.
	Text string
}

// MismatchError says that a pasted HMAC is not the chosen token's. Nothing
// was sent.
type MismatchError struct{ TokenID string }

// GoneError says that the chosen token is no longer in the broker's list.
// Nothing was sent.
type GoneError struct{ TokenID string }

// OldBrokerError says that the broker would silently make a token for the
// connection itself instead of Owner (Create below v3). Nothing was sent.
type OldBrokerError struct {
	Owner   Principal
	Version string
}

// WrongOwnerError says that the cluster made a token for Got although Asked
// was asked for. The token was expired at once when Expired is set.
type WrongOwnerError struct {
	Asked, Got Principal
	TokenID    string
	Expired    bool
	// Unknown is set when expiring it was sent and no usable answer came, so
	// that the token may or may not exist.
	Unknown bool
}

// UnknownOutcomeError says that a change was sent and no usable answer came:
// it may or may not have happened, and is not sent again.
type UnknownOutcomeError struct {
	Op  Op
	Err error
}

// Unwrap gives the cause.
func (e *UnknownOutcomeError) Unwrap() error { return e.Err }

// ReadOnlyError says that the environment allows no changes. Nothing was sent.
type ReadOnlyError struct{ Reason string }

// UnsupportedError says that the broker and dtok share no version of a
// request. Nothing was sent: an unlisted request makes a broker close the
// connection.
type UnsupportedError struct {
	// API is Kafka's name of the request, such as "DescribeAcls".
	API string
	// Needs is the first Kafka version that has it, "" when not known.
	Needs string
	// Detected is a guess such as "Kafka 1.1", "" when nothing fits.
	Detected string
	// Offered is set when the broker has the request, from BrokerMin on, and
	// dtok speaks it up to Max, which is less.
	Offered        bool
	BrokerMin, Max int16
}
