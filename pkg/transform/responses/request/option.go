package request

import "time"

// Option changes how requests are converted.
type Option func(*options)

// options holds the values of all options. Its zero value is the default.
type options struct {
	model       string
	when        time.Time // zero is now
	vertex      bool
	unvalidated bool
	schemaForm  bool
	metadata    bool
	store       bool
	trailing    TrailingTurnPolicy
}

// ForModel sets the model that will answer. The default, also for "", is the model that the request
// names.
func ForModel(model string) Option {
	return func(o *options) { o.model = model }
}

// ForTime sets the time at which the request will be answered. It decides which model a name stands
// for, and so how the request is made. For example, since 2026-10-08 the Gemini API answers
// requests to gemini-3.5-flash with gemini-3.6-flash. The default is now. Conversions for equal
// times are equal.
func ForTime(when time.Time) Option {
	return func(o *options) { o.when = when }
}

// ForVertexAI makes a request for Vertex AI. It accepts some members that the Gemini API does not
// know, and does not know some others. The default is the Gemini API.
func ForVertexAI() Option {
	return func(o *options) { o.vertex = true }
}

// WithoutValidation returns the converted request without validation, even if Gemini is known to
// refuse it.
func WithoutValidation() Option {
	return func(o *options) { o.unvalidated = true }
}

// WithSchemaForm describes function arguments and the format of the answer with Gemini's Schema in
// place of JSON Schema. All models know at least a part of Schema. By default this is done only for
// models that do not accept JSON Schema. The report lists what Schema cannot express.
func WithSchemaForm() Option {
	return func(o *options) { o.schemaForm = true }
}

// WithMetadataAsLabels sends metadata as labels, by which Vertex AI groups costs. By default only
// the response repeats metadata, and it is reported as approximated.
func WithMetadataAsLabels() Option {
	return func(o *options) { o.metadata = true }
}

// WithStore says that the caller stores responses and conversations. The caller has put the items
// of previous_response_id and conversation before the input, and has replaced references by their
// items. It works in the background if the request asks for that. By default nothing is stored, and
// each of these members is an *[Error].
func WithStore() Option {
	return func(o *options) { o.store = true }
}

// TrailingTurnPolicy says how to convert a conversation that ends with items of the model. Older
// models continue them, the newest models refuse the request.
type TrailingTurnPolicy int

const (
	// TrailingTurnKept sends the items to models that accept them. For other models the conversion
	// fails with an *[Error], unless the last item is incomplete: then it omits the items and
	// reports them as lost. This is the default.
	TrailingTurnKept TrailingTurnPolicy = iota
	// TrailingTurnTrimmed omits the items and reports them as lost.
	TrailingTurnTrimmed
	// TrailingTurnRefused fails with an *[Error] for every model.
	TrailingTurnRefused
)

// WithTrailingModelTurn sets how to convert a conversation that ends with items of the model. The
// default is [TrailingTurnKept].
func WithTrailingModelTurn(policy TrailingTurnPolicy) Option {
	return func(o *options) { o.trailing = policy }
}
