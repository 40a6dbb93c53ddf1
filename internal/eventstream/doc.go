// Package eventstream cuts the body of a stream into events: server-sent events, a JSON array, or
// objects one after the other. It also reads the events of one vendor from it, of any type, and
// writes such a body.
package eventstream
