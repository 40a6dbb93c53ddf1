package provider

import (
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Option changes how a [Provider] works. A nil Option does nothing.
type Option func(*options)

type options struct {
	normalizing []normalize.Option
	polled      bool
	buffer      int
}

// defaultBuffer is the number of events that a polled call reads ahead. It is more than one chunk
// gives, and takes little memory.
const defaultBuffer = 64

// WithToolCallIDs sets the function that makes an id for a tool call without one, see
// [normalize.WithToolCallIDs]. By default, and with a nil function, it is a [normalize.RandomID] of
// 22 characters.
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.normalizing = append(o.normalizing, normalize.WithToolCallIDs(id)) }
}

// WithPolling makes [Provider.Poll] call all callbacks. By default the goroutine of each call calls
// them.
func WithPolling() Option {
	return func(o *options) { o.polled = true }
}

// WithBuffer sets how many events of a stream may wait for [Provider.Poll] (default 64). If the
// buffer is full, reading the stream waits, too. The minimum is 1. Without [WithPolling] it has no
// effect.
func WithBuffer(events int) Option {
	return func(o *options) { o.buffer = max(events, 1) }
}
