package kafka

import "context"

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

// off says why token requests are off, as far as the broker's offers tell. A
// metadata.version that is too old can be raised while the connection stands,
// so that one is asked for again. It needs the turn.
func (c *Client) off(ctx context.Context) *OffError {
	off := c.Session().Off
	if off == nil || off.Cause != OffOldMetadata || c.conn == nil {
		return off
	}
	if err := c.conn.apiVersions(ctx, c.settings.ReadTimeout); err != nil {
		c.giveUp(err) // the next reading dials, and learns it then
		return off
	}
	if err := c.adopt(c.conn, c.good); err != nil {
		return off
	}
	return c.Session().Off
}

// notAllowed says which of the three causes of 64 the settings point at
// (KafkaApis.allowTokenRequests).
func (s Settings) notAllowed() OffCause {
	switch {
	case s.SASL != nil && s.SASL.TokenAuth:
		return OffTokenSession
	case s.Protocol == Plaintext:
		return OffPlaintext
	case s.Protocol == SSL:
		// Also with a client certificate: the listener did not ask for it.
		return OffOneWayTLS
	}
	return OffOther
}
