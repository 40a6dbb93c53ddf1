package request

import "time"

// Option changes how requests are converted.
type Option func(*options)

// options holds the values of all options. Its zero value is the default.
type options struct {
	model       string
	agent       string
	previous    string
	when        time.Time // zero is now
	vertex      bool
	stream      bool
	store       bool
	background  bool
	plain       bool
	unvalidated bool
}

// ForModel sets the model that will answer. The default, also for "", is the model that the request
// names. Few requests name one, because Gemini's API has it in the URL. The name of one of Google's
// agents makes a request for the agent.
func ForModel(model string) Option {
	return func(o *options) { o.model = model }
}

// ForAgent makes a request for an agent, for example an agent of your own. The default is a request
// for a model. An agent has no generationConfig, so the report lists its members as lost.
func ForAgent(agent string) Option {
	return func(o *options) { o.agent = agent }
}

// ForTime sets the time at which the request will be answered. It decides which model a name stands
// for, and so how the request is made. The default is now. Conversions for equal times are equal.
func ForTime(when time.Time) Option {
	return func(o *options) { o.when = when }
}

// ForVertexAI makes a request for Vertex AI. It accepts some members that the Gemini API refuses,
// such as safety_settings and labels. The default is the Gemini API.
func ForVertexAI() Option {
	return func(o *options) { o.vertex = true }
}

// WithStream asks for a stream. The default is a whole answer.
func WithStream() Option {
	return func(o *options) { o.stream = true }
}

// WithStore lets Google store the interaction. By default this is done only if the request has
// store: true.
func WithStore() Option {
	return func(o *options) { o.store = true }
}

// WithBackground runs the interaction in the background. Google stores such interactions, so the
// request needs [WithStore] too. By default only deep research, which Google runs only in the
// background, does so.
func WithBackground() Option {
	return func(o *options) { o.background = true }
}

// WithPreviousInteraction continues a stored interaction. The request has only the contents that
// are new: the interaction has the others. It needs [WithStore]. The default, also for "", is a
// request with the whole conversation.
func WithPreviousInteraction(id string) Option {
	return func(o *options) { o.previous = id }
}

// WithoutExtensions ignores the extensions that package reverse adds to the parts of an answer, and
// reports them as lost. By default the steps of such a turn are the ones that the interaction had.
func WithoutExtensions() Option {
	return func(o *options) { o.plain = true }
}

// WithoutValidation returns the converted request without validation, even if Google is known to
// refuse it.
func WithoutValidation() Option {
	return func(o *options) { o.unvalidated = true }
}
