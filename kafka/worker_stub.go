package kafka

// WorkerProperties stub.
func WorkerProperties(s Session, tokenID string, hmac *Secret, f func([]byte)) {}
