// Package peers compares parts of this project with the libraries that one might use in their
// place. It is a module of its own, so that none of them becomes a dependency of the project.
//
// There are three comparisons. Two are of how a streamed answer is read, with tables; their tests
// fail when one is no longer true, in either direction.
//
//   - Of libraries that cut a body into events (framing_test.go). The table says which body each
//     library fails on; should one pass everything one day, it can take the place of our own
//     reader.
//   - Of whole clients, ours and the official ones, from the same bytes to what a program gets
//     (table_test.go). The table is in docs/streams.md, and written by go test -run Table -update.
//     body_test.go has the rows, wire_test.go what the answers are in the three APIs, sdk_test.go
//     the clients.
//
// The third is of what Anthropic's own clients, in both majors, make of converted streams: the same
// message as our accumulator, with all that Gemini wants back (messages_test.go).
package peers
