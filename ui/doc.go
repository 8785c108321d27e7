// Package ui is dtok's terminal screen: one Bubble Tea model, plain state
// structs below it, and views that only read them.
//
// The rules that every screen keeps:
//
//   - The screen never waits. Whatever asks the cluster runs in a command with
//     a context, and comes back as one message.
//   - A reading carries a request id; an answer that is not the newest is
//     dropped. The result of a change is never dropped.
//   - The cursor belongs to a token or a user, not to a row number.
//   - Every state has a word or a character, so that nothing is lost without
//     colour. Nothing moves while nothing changes.
//   - esc goes one step back and never quits. A paste never confirms anything.
//   - A disabled key says why it is disabled.
//   - An HMAC is in the paste field while its dialog is open, in the one
//     request, and on the card after a creation. Never anywhere else.
package ui
