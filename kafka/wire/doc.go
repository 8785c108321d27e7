// Package wire holds the Kafka messages that change delegation tokens, which
// kafka-go lacks (keys 38–40), and the readers of answers that carry HMACs.
//
// Requests are structs with kafka-go's struct tags; WriteRequest tells kafka-go
// of them, which then encodes them.
//
// Answers are read by the functions of this package and not by kafka-go's
// decoder: that one allocates whatever length a field announces (arrays in
// decode.go makeArray, strings and bytes in decoder.read), so that 30 bytes of
// garbage end the process. Here every length is checked against the bytes that
// are left.
package wire
