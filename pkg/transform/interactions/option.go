package interactions

import (
	"time"

	"github.com/gemwire/gemwire/gen/interactionsapi"
)

// Option changes how answers are converted.
type Option func(*options)

// options holds the values of all options. Its zero value is the default.
type options struct {
	id, model  string
	agent      *interactionsapi.AgentName
	previous   *string
	created    *time.Time
	plain      bool
	withoutID  bool
	toolCallID func(responseID string, candidate, part int) string
	lossesOnly bool
	// reusesEvents is true if the caller does not keep the events of a stream.
	reusesEvents bool

	keepsMadeIDs bool // keep made ids of calls, because the input is not from the wire
}

// WithID sets the interaction's id. The default, also for "", is the id in the extension of
// Gemini's answer, else one made of the id of Gemini's answer. An interaction has no id if the
// answer has none.
func WithID(id string) Option {
	return func(o *options) { o.id = id }
}

// WithoutID omits the interaction's id. Google's API does so for an interaction that is not stored,
// because nothing could be read by its id. In a stream the id is empty, as in Google's. The
// extension keeps the id of Gemini's answer.
func WithoutID() Option {
	return func(o *options) { o.withoutID = true }
}

// WithModelName sets the model's name in the interaction. The default, also for "", is the name in
// the request ([WithRequest]), else the version of the model that answered.
func WithModelName(name string) Option {
	return func(o *options) {
		if name != "" {
			o.model = name
		}
	}
}

// WithRequest sets the request that is answered. The interaction has its model or agent, and its
// previous_interaction_id. nil changes nothing.
func WithRequest(r *interactionsapi.CreateInteractionRequest) Option {
	return func(o *options) {
		if r == nil {
			return
		}
		o.agent, o.previous = r.Agent, r.PreviousInteractionID
		if r.Model != nil {
			o.model = *r.Model
		}
	}
}

// WithCreated sets when the interaction was created, to the second. The default is the time of
// Gemini's answer, which only Vertex AI sends. Without either there is no time, because a
// conversion does not read the clock.
func WithCreated(at time.Time) Option {
	return func(o *options) { o.created = &at }
}

// WithoutExtensions omits the members that Google's interactions do not have: extra_content of the
// interaction and of steps. The report lists what this loses. By default the extensions are
// present.
func WithoutExtensions() Option {
	return func(o *options) { o.plain = true }
}

// WithToolCallIDs sets the function that makes an id for a call that Gemini sent without one. Its
// arguments are the response's id ("" if it has none), the index of the candidate and the position
// of the part. The position counts the parts that [normalize.MergeChunks] makes, in a response and
// in a stream; both numbers count from 0. The function must return a different id for each call.
// If it returns "", and by default, the id is call_gemini_RESPONSE_CANDIDATE_PART, without
// RESPONSE_ if the response has no id.
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.toolCallID = id }
}

// WithLossesOnly limits the report of a [Stream] to losses, as [normalize.WithLossesOnly] does. It
// does not change the report of a whole answer.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}

// WithReusedEvents makes a [Stream] reuse the memory of its events with each call, so that it
// produces less garbage. Events that it returned earlier then change, and so do copies of them. Use
// it if each event is written before the next call. It does not change the conversion of a whole
// answer.
func WithReusedEvents() Option {
	return func(o *options) { o.reusesEvents = true }
}
