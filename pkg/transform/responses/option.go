package responses

import (
	"time"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform/responses/internal/toolname"
)

// Option changes how responses are converted.
type Option func(*options)

// options has the choices of all options. Its zero value is the default.
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
	// reusesEvents is whether each push may reuse the memory of the events before.
	reusesEvents bool
}

// WithID sets the response's id. The default, and what "" stands for, is resp_ and Gemini's own id,
// or resp_gemini where it has none.
func WithID(id string) Option {
	return func(o *options) { o.id = id }
}

// WithCreated sets when the response was asked for, to the second. The default is the response's
// own time, which only Vertex AI sends, or else 1970-01-01: a conversion does not look at the
// clock. A time before 1970 counts as that day.
func WithCreated(at time.Time) Option {
	return func(o *options) { o.created = &at }
}

// WithModelName sets the model's name in the response. The default, and what "" stands for, is the
// name that the request has ([WithRequest]), else the version of the model that answered, or
// "gemini" where it is unknown.
func WithModelName(name string) Option {
	return func(o *options) { o.model = name }
}

// WithRequest gives the request that is answered. The response repeats its settings, with OpenAI's
// defaults where it has none, and calls of its custom tools and namespaces are told as such.
// Without this option the response has the defaults, and every call is one of a function. The
// response shares memory with the request.
func WithRequest(in *openaiapi.CreateResponseRequest) Option {
	return func(o *options) { o.request, o.names = in, toolname.Of(in) }
}

// WithStore has the response say that it is kept, unless the request asks that it is not. Without
// this option it says that it is not kept, whatever the request asks for.
func WithStore() Option {
	return func(o *options) { o.stored = true }
}

// WithoutExtensions leaves out extra_content, which OpenAI's own description does not have. What is
// lost by that is in the report. By default the extensions are there.
func WithoutExtensions() Option {
	return func(o *options) { o.plain = true }
}

// WithToolCallIDs sets the function that makes the call_id of a tool call that came without an id,
// from the response's id ("" where it has none), the index of the candidate and the position of the
// part, among those that [normalize.MergeChunks] makes, whole and streamed; both count from 0. It
// must give another id for each. Where it returns "", and by default for responses of the wire, the
// id is call_gemini_RESPONSE_CANDIDATE_PART.
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.toolCallID = id }
}

// WithLossesOnly leaves all but the losses out of the report of a [Stream], as
// [normalize.WithLossesOnly] does. The report of a whole response is the same with it as without.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}

// WithReusedEvents has a [Stream] use the memory of its events again with each call, so that it
// makes less garbage: what it returned then changes. It is for who writes the events before the
// next call. The conversion of a whole response is the same with it as without.
func WithReusedEvents() Option {
	return func(o *options) { o.reusesEvents = true }
}
