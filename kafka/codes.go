package kafka

import "strconv"

// Code is an error code of the Kafka protocol (org.apache.kafka.common.protocol.Errors).
type Code int16

// The codes that dtok tells apart.
const (
	CodeUnknownServer      Code = -1
	CodeNone               Code = 0
	CodeRequestTimedOut    Code = 7
	CodeClusterAuth        Code = 31
	CodeUnsupportedMech    Code = 33
	CodeUnsupportedVersion Code = 35
	CodeNotController      Code = 41
	CodeInvalidRequest     Code = 42
	CodeSecurityDisabled   Code = 54
	CodeSASLFailed         Code = 58
	CodeTokenAuthDisabled  Code = 61
	CodeTokenNotFound      Code = 62
	CodeTokenOwnerMismatch Code = 63
	CodeTokenNotAllowed    Code = 64
	CodeTokenAuthFailed    Code = 65
	CodeTokenExpired       Code = 66
	CodeInvalidPrincipal   Code = 67
	CodeResourceNotFound   Code = 91
)

var codeNames = map[Code]string{
	CodeUnknownServer:      "UNKNOWN_SERVER_ERROR",
	CodeNone:               "NONE",
	CodeRequestTimedOut:    "REQUEST_TIMED_OUT",
	CodeClusterAuth:        "CLUSTER_AUTHORIZATION_FAILED",
	CodeUnsupportedMech:    "UNSUPPORTED_SASL_MECHANISM",
	CodeUnsupportedVersion: "UNSUPPORTED_VERSION",
	CodeNotController:      "NOT_CONTROLLER",
	CodeInvalidRequest:     "INVALID_REQUEST",
	CodeSecurityDisabled:   "SECURITY_DISABLED",
	CodeSASLFailed:         "SASL_AUTHENTICATION_FAILED",
	CodeTokenAuthDisabled:  "DELEGATION_TOKEN_AUTH_DISABLED",
	CodeTokenNotFound:      "DELEGATION_TOKEN_NOT_FOUND",
	CodeTokenOwnerMismatch: "DELEGATION_TOKEN_OWNER_MISMATCH",
	CodeTokenNotAllowed:    "DELEGATION_TOKEN_REQUEST_NOT_ALLOWED",
	CodeTokenAuthFailed:    "DELEGATION_TOKEN_AUTHORIZATION_FAILED",
	CodeTokenExpired:       "DELEGATION_TOKEN_EXPIRED",
	CodeInvalidPrincipal:   "INVALID_PRINCIPAL_TYPE",
	CodeResourceNotFound:   "RESOURCE_NOT_FOUND",
}

// String is Kafka's name for the code with its number, such as
// "DELEGATION_TOKEN_EXPIRED (66)".
func (c Code) String() string {
	n := strconv.Itoa(int(c))
	if name, ok := codeNames[c]; ok {
		return name + " (" + n + ")"
	}
	return "error code " + n
}
