package kafka

// OffCause is why a cluster or a connection serves no token requests.
type OffCause int

// The causes, in the order in which they are told.
const (
	// OffNoAPI: the broker does not offer DescribeDelegationToken (key 41):
	// Kafka before 1.1, or KRaft before 3.6.
	OffNoAPI OffCause = iota + 1
	// OffOldMetadata: the finalized metadata.version is below 3.6-IV2
	// (level 14), so that creating answers 35.
	OffOldMetadata
	// OffNoSecretKey: 61, the brokers have no delegation.token.secret.key.
	OffNoSecretKey
	// OffPlaintext: 64 on a PLAINTEXT listener.
	OffPlaintext
	// OffOneWayTLS: 64 on an SSL listener without a client certificate.
	OffOneWayTLS
	// OffTokenSession: 64 because the connection signed in with a token.
	OffTokenSession
	// OffOther: 64 for a cause that cannot be told apart from here.
	OffOther
)

// OffError says why token requests are off. Controls stay visible, disabled,
// with this sentence.
type OffError struct {
	Cause OffCause
	// Version is the Kafka version detected, "" when nothing fits.
	Version string
	// MetadataVersion is the finalized level for OffOldMetadata.
	MetadataVersion int16
}
