package aisdk

import "github.com/gemwire/gemwire/pkg/transform"

// GeminiOption changes how a Gemini stream is mapped.
type GeminiOption func(*geminiOptions)

// geminiOptions has the choices of all options. Its zero value is the default.
type geminiOptions struct {
	v4         bool
	raw        bool
	warnings   []Warning
	toolCallID func(responseID string, candidate, part int) string
	sourceID   func() string
	report     *transform.Report
}

func newGeminiOptions(opts []GeminiOption) geminiOptions {
	o := &geminiOptions{}
	for _, opt := range opts {
		opt(o)
	}
	return *o
}

// ForV4 makes use of what only V4 has: [ReasoningFile], files whose address is their data, [Custom] for
// parts of an unknown kind, [FinishInterrupted] for a stream that broke off. Such parts are to be
// encoded with [WithV4], which [WriteGemini] does by itself. By default the parts are those of V3.
func ForV4() GeminiOption {
	return func(o *geminiOptions) { o.v4 = true }
}

// WithRawChunks puts a [RawPart] before the parts of each chunk, which has the chunk as package gemini
// encodes it. A call that waits for what the next chunk says comes after that chunk's. The SDK asks for
// it by includeRawChunks; by default there are none.
func WithRawChunks() GeminiOption {
	return func(o *geminiOptions) { o.raw = true }
}

// WithWarnings sets the warnings of the stream start: what of the call could not be carried out as it
// was asked. By default there are none.
func WithWarnings(warnings ...Warning) GeminiOption {
	return func(o *geminiOptions) { o.warnings = warnings }
}

// WithToolCallIDs sets the function that makes an id for a call that came without one, be it of a
// function, of code or of one of the server's tools, from the response's id ("" where it has none),
// the candidate's index and the position of the part in the content that all chunks make together. It
// must give another id for each; one that a call of the wire has already is changed. Where it returns
// "", and by default, the id is random.
func WithToolCallIDs(id func(responseID string, candidate, part int) string) GeminiOption {
	return func(o *geminiOptions) { o.toolCallID = id }
}

// WithSourceIDs sets the function that makes the id of each source. Where it returns "", and by
// default, the id is random.
func WithSourceIDs(id func() string) GeminiOption {
	return func(o *geminiOptions) { o.sourceID = id }
}

// WithGeminiReport appends to report what is not in the parts, or in another form than in the stream,
// as far as each chunk tells it, and the rest when the stream has ended, which is when the report may
// be read. Pointers are those into the stream as a list of its chunks: "/3/usageMetadata" is that of
// the fourth. Counts and ratings that a later chunk replaces are approximated, and so are the pieces of
// a call's arguments, ids of calls that came before and those of results that no call has; other
// candidates are lost. Of each chunk what it says besides its parts is kept until the end. By default
// there is no report.
func WithGeminiReport(report *transform.Report) GeminiOption {
	return func(o *geminiOptions) { o.report = report }
}
