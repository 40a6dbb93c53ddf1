package aisdk

import (
	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Option changes how a Gemini stream is mapped.
type Option func(*options)

// options holds the values of all options. Its zero value is the default.
type options struct {
	v4         bool
	raw        bool
	warnings   []aisdkapi.Warning
	toolCallID func(responseID string, candidate, part int) string
	sourceID   func() string
	lossesOnly bool
}

// normalizing returns the options for the normalized stream.
func (o *options) normalizing() []normalize.Option {
	out := []normalize.Option{normalize.WithToolCallIDs(o.toolCallID)}
	if o.lossesOnly {
		out = append(out, normalize.WithLossesOnly())
	}
	return out
}

// ForV4 uses parts that only V4 has: [aisdkapi.ReasoningFile], files with data URLs,
// [aisdkapi.Custom] for unknown parts, and [aisdkapi.UnifiedFinishReasonInterrupted] for a stream
// that broke off. Encode such parts with [wire.ForV4]; [WriteStream] does. By default the parts are
// V3 parts.
func ForV4() Option {
	return func(o *options) { o.v4 = true }
}

// WithRawChunks adds an [aisdkapi.RawPart] before the parts of each chunk, with the chunk as
// package gemini encodes it. A call that waits for the next chunk comes after that chunk's raw
// part. The SDK's includeRawChunks asks for this. By default there are no raw parts.
func WithRawChunks() Option {
	return func(o *options) { o.raw = true }
}

// WithWarnings sets the warnings of the stream start. They say which parts of the call could not be
// done as requested. By default the start has no warnings.
func WithWarnings(warnings ...aisdkapi.Warning) Option {
	return func(o *options) { o.warnings = warnings }
}

// WithToolCallIDs sets the function that makes an id for a call that Gemini sent without one. The
// call may be of a function, of code or of a server tool. The arguments are the response's id (""
// if it has none), the candidate's index and the position of the part in the joined content of all
// chunks. The function must return a different id for each call. An id that a wire call already has
// is changed. By default, and if it returns "", the id is random.
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.toolCallID = id }
}

// WithLossesOnly limits the report of a [Stream] to losses, as [normalize.WithLossesOnly] does.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}

// WithSourceIDs sets the function that makes the id of each source. By default, and if it returns
// "", the id is random.
func WithSourceIDs(id func() string) Option {
	return func(o *options) { o.sourceID = id }
}
