// Package eventstream cuts the body of a stream into events: server-sent events, a JSON array, or objects one
// after the other. It also writes such a body, of events that have names. It knows nothing of what the events say.
package eventstream
