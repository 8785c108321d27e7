package kafka

import "strconv"

// metadataVersions names the levels of metadata.version below the one that
// delegation tokens need (MetadataVersion.java).
var metadataVersions = map[int16]string{
	1: "3.0-IV1", 2: "3.1-IV0", 3: "3.2-IV0", 4: "3.3-IV0", 5: "3.3-IV1", 6: "3.3-IV2", 7: "3.3-IV3",
	8: "3.4-IV0", 9: "3.5-IV0", 10: "3.5-IV1", 11: "3.5-IV2", 12: "3.6-IV0", 13: "3.6-IV1", 14: "3.6-IV2",
}

func metadataVersionName(level int16) string {
	if name, ok := metadataVersions[level]; ok {
		return name
	}
	return "level " + strconv.Itoa(int(level))
}

// Error is why token requests are off, in one sentence.
func (e *OffError) Error() string {
	switch e.Cause {
	case OffNoAPI:
		return "This cluster offers no delegation token requests: they need Kafka 1.1 or later, and Kafka 3.6 or later on a KRaft cluster" + detectedOr(e.Version)
	case OffOldMetadata:
		return "This cluster issues no delegation tokens: it needs metadata.version 3.6-IV2, detected " + metadataVersionName(e.MetadataVersion)
	case OffNoSecretKey:
		return "This cluster issues no delegation tokens: its brokers have no delegation.token.secret.key to sign them with"
	case OffPlaintext:
		return "This listener refuses token requests: it is a PLAINTEXT listener, which does not know who is asking"
	case OffOneWayTLS:
		return "This listener refuses token requests: it is a one-way TLS listener, which does not know who is asking without a client certificate"
	case OffTokenSession:
		return "This connection may not use token requests: it has itself signed in with a delegation token"
	}
	return "The broker refuses token requests on this connection (" + CodeTokenNotAllowed.String() + ")"
}

func detectedOr(version string) string {
	if version == "" {
		return "; the version could not be detected"
	}
	return "; detected: " + version
}

// Hint is what would switch tokens on.
func (e *OffError) Hint() string {
	switch e.Cause {
	case OffOldMetadata:
		return "Once all brokers run Kafka 3.6 or later, raise metadata.version (kafka-features.sh upgrade)."
	case OffNoSecretKey:
		return "Set delegation.token.secret.key to the same value on all brokers and controllers and restart them; before Kafka 2.8 its name was delegation.token.master.key."
	case OffPlaintext:
		return "Use a SASL listener, or a TLS listener with client certificates."
	case OffOneWayTLS:
		return "Use a listener that asks for client certificates (ssl.client.auth=required) and give this connection one, or use a SASL listener."
	case OffTokenSession:
		return "Sign in with the user's own password or certificate."
	}
	return ""
}
