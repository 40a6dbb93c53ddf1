package provider

import (
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Option changes how a [Provider] works. A nil one does nothing.
type Option func(*options)

type options struct {
	normalizing []normalize.Option
	polled      bool
	buffer      int
}

// defaultBuffer is how many events a call that is polled reads ahead: more than what one chunk
// gives, and little memory.
const defaultBuffer = 64

// WithToolCallIDs sets the function that makes an id for a tool call that came without one, see
// [normalize.WithToolCallIDs]. By default, and with a nil function, it is a [normalize.RandomID] of
// 22 characters.
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.normalizing = append(o.normalizing, normalize.WithToolCallIDs(id)) }
}

// WithPolling has callbacks called by [Provider.Poll] only. By default the goroutine of each call
// calls them.
func WithPolling() Option {
	return func(o *options) { o.polled = true }
}

// WithBuffer sets how many events of a stream may wait for [Provider.Poll], 64 by default. When
// they do, reading the stream waits too. The number is at least 1; it has no meaning without
// [WithPolling].
func WithBuffer(events int) Option {
	return func(o *options) { o.buffer = max(events, 1) }
}
