package responses

import (
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/toolname"
)

// Option changes how responses are converted.
type Option func(*options)

// options holds the values of all options. Its zero value is the default.
type options struct {
	id         string
	created    *time.Time
	model      string
	plain      bool
	toolCallID func(responseID string, candidate, part int) string
	request    *openaiapi.CreateResponseRequest
	names      *toolname.Names
	stored     bool
	lossesOnly bool
	// firstItems returns items that a server puts before those of the answer. It may be nil.
	firstItems func() []openaiapi.ResponseItem
	// reusesEvents is true if each push may reuse the memory of the events before.
	reusesEvents bool
}

// WithID sets the response's id. The default, also for "", is resp_ and Gemini's own id, or
// resp_gemini if Gemini's answer has no id.
func WithID(id string) Option {
	return func(o *options) { o.id = id }
}

// WithCreated sets the creation time of the response, to the second. The default is the time of
// Gemini's response, which only Vertex AI sends, else 1970-01-01: a conversion does not read the
// clock. A time before 1970 counts as 1970-01-01.
func WithCreated(at time.Time) Option {
	return func(o *options) { o.created = &at }
}

// WithModelName sets the model's name in the response. The default, also for "", is the name in the
// request ([WithRequest]), else the version of the model that answered, or "gemini" if it is
// unknown.
func WithModelName(name string) Option {
	return func(o *options) { o.model = name }
}

// WithRequest sets the request that is answered. The response repeats its settings, with OpenAI's
// defaults for missing ones. Calls of its custom tools and namespaces get their form. Without this
// option the response has the defaults, and every call is a function call. The response shares
// memory with the request.
func WithRequest(in *openaiapi.CreateResponseRequest) Option {
	return func(o *options) { o.request, o.names = in, toolname.Of(in) }
}

// WithStore makes the response say that it is stored, unless the request disables that. Without
// this option the response says that it is not stored, for every request.
func WithStore() Option {
	return func(o *options) { o.stored = true }
}

// WithoutExtensions omits extra_content, which OpenAI's own description does not have. The report
// lists what this loses. By default the extensions are present.
func WithoutExtensions() Option {
	return func(o *options) { o.plain = true }
}

// WithToolCallIDs sets the function that makes the call_id of a tool call that Gemini sent without
// an id. Its arguments are the response's id ("" if it has none), the index of the candidate and
// the position of the part. The position counts the parts that [normalize.MergeChunks] makes, in a
// response and in a stream; both numbers count from 0. The function must return a different id for
// each call. If it returns "", and by default, the id is call_gemini_RESPONSE_CANDIDATE_PART.
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.toolCallID = id }
}

// WithFirstItems sets a function that returns complete items of a server, such as a compaction
// item. They come before the items of the answer, and get an id. A [Stream] calls the function
// once, with its first chunk or at its end.
func WithFirstItems(items func() []openaiapi.ResponseItem) Option {
	return func(o *options) { o.firstItems = items }
}

// WithLossesOnly limits the report of a [Stream] to losses, as [normalize.WithLossesOnly] does. It
// does not change the report of a whole response.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}

// WithReusedEvents makes a [Stream] reuse the memory of its events with each call, so that it
// produces less garbage. Events that it returned earlier then change. Use it if each event is
// written before the next call. It does not change the conversion of a whole response.
func WithReusedEvents() Option {
	return func(o *options) { o.reusesEvents = true }
}
