package kafka

// Session is what is known of the connection once it stands.
type Session struct {
	// Address is the bootstrap address that answered, HOST:PORT.
	Address string
	// Protocol is PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL.
	Protocol Protocol
	// Mechanism is the SASL mechanism, "" without SASL.
	Mechanism string
	// Principal is who the connection acts as, where the client can know it:
	// User:<user name> with PLAIN and SCRAM. It is zero where the broker
	// derives it (client certificate, OAuth, Kerberos) and for a session of a
	// token, whose owner the broker does not tell.
	Principal Principal
	// TokenID is set when the connection itself signed in with a delegation
	// token.
	TokenID string
	// ClusterID is "" until the first reading, where the broker has none, and
	// with IdentifyNever.
	ClusterID string
	// MetadataVersion is the finalized metadata.version level of a KRaft
	// cluster, 0 for a ZooKeeper cluster and where the broker does not tell.
	MetadataVersion int16
	// Off says why the cluster or this connection serves no token requests at
	// all, as far as the connection's set-up tells; nil when it may.
	Off *OffError
	// CanCreateForOthers is false when the broker's Create is below v3
	// (Kafka before 3.3): it would make the token for the connection itself
	// without an error.
	CanCreateForOthers bool
}
