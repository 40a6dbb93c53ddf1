// Package eventstream cuts the body of a stream into events: server-sent events, a JSON array, or objects one
// after the other. It knows nothing of what the events say.
package eventstream
