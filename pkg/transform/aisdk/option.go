package aisdk

import (
	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Option changes how a Gemini stream is mapped.
type Option func(*options)

// options has the choices of all options. Its zero value is the default.
type options struct {
	v4         bool
	raw        bool
	warnings   []aisdkapi.Warning
	toolCallID func(responseID string, candidate, part int) string
	sourceID   func() string
	lossesOnly bool
}

// normalizing returns the options for the normalised stream that the parts are made of.
func (o *options) normalizing() []normalize.Option {
	out := []normalize.Option{normalize.WithToolCallIDs(o.toolCallID)}
	if o.lossesOnly {
		out = append(out, normalize.WithLossesOnly())
	}
	return out
}

// ForV4 makes use of what only V4 has: [aisdkapi.ReasoningFile], files whose address is their data,
// [aisdkapi.Custom] for parts of an unknown kind, [aisdkapi.UnifiedFinishReasonInterrupted] for a
// stream that broke off. Such parts are to be encoded with [wire.ForV4], which [WriteStream] does
// by itself. By default the parts are those of V3.
func ForV4() Option {
	return func(o *options) { o.v4 = true }
}

// WithRawChunks puts a [aisdkapi.RawPart] before the parts of each chunk, which has the chunk as
// package gemini encodes it. A call that waits for what the next chunk says comes after that
// chunk's. The SDK asks for it by includeRawChunks; by default there are none.
func WithRawChunks() Option {
	return func(o *options) { o.raw = true }
}

// WithWarnings sets the warnings of the stream start: what of the call could not be carried out as
// it was asked. By default there are none.
func WithWarnings(warnings ...aisdkapi.Warning) Option {
	return func(o *options) { o.warnings = warnings }
}

// WithToolCallIDs sets the function that makes an id for a call that came without one, be it of a
// function, of code or of one of the server's tools, from the response's id ("" where it has none),
// the candidate's index and the position of the part in the content that all chunks make together.
// It must give another id for each; one that a call of the wire has already is changed. Where it
// returns "", and by default, the id is random.
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.toolCallID = id }
}

// WithLossesOnly leaves all but the losses out of the report of a [Stream], as
// [normalize.WithLossesOnly] does.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}

// WithSourceIDs sets the function that makes the id of each source. Where it returns "", and by
// default, the id is random.
func WithSourceIDs(id func() string) Option {
	return func(o *options) { o.sourceID = id }
}
