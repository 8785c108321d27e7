// Package audit keeps the record of every change that dtok makes to a cluster:
// who did what to which token, when, and how it ended.
//
// A Trail is one append-only file of JSON lines. A Recorder is a decorator
// around the requests that change a cluster: it writes the intent of a change
// before anything is sent, and its outcome afterwards. If the intent cannot be
// made durable nothing is sent. An intent without an outcome means that dtok
// ended before it could write one: how that change ended is unknown.
//
// No record ever holds an HMAC.
package audit
