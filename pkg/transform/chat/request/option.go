package request

import "time"

// Option changes how requests are converted.
type Option func(*options)

// options has the choices of all options. Its zero value is the default.
type options struct {
	model       string
	when        time.Time // zero is now
	vertex      bool
	unvalidated bool
	schemaForm  bool
	metadata    bool
	trailing    TrailingTurnPolicy
}

// ForModel sets the model that is to answer. The default, and what "" stands for, is the model that
// the request names.
func ForModel(model string) Option {
	return func(o *options) { o.model = model }
}

// ForTime sets the time at which the request is to be answered. It decides which model answers to a
// name, and so how the request is made: since 2026-10-08 the Gemini API answers requests to
// gemini-3.5-flash by gemini-3.6-flash. The default is now. Conversions for equal times are equal.
func ForTime(when time.Time) Option {
	return func(o *options) { o.when = when }
}

// ForVertexAI makes a request for Vertex AI, which takes some members that the Gemini API does not
// know, and the reverse. The default is the Gemini API.
func ForVertexAI() Option {
	return func(o *options) { o.vertex = true }
}

// WithoutValidation returns the converted request as it is, even one that Gemini is known to
// refuse.
func WithoutValidation() Option {
	return func(o *options) { o.unvalidated = true }
}

// WithSchemaForm describes the arguments of functions and the answer's form by Gemini's own Schema,
// of which all models know at least a part, in place of JSON Schema. The default is to do so only
// for models that do not take JSON Schema. What Schema cannot express is in the report.
func WithSchemaForm() Option {
	return func(o *options) { o.schemaForm = true }
}

// WithMetadataAsLabels carries metadata over as labels, by which Vertex AI tells costs apart. By
// default it is reported as lost.
func WithMetadataAsLabels() Option {
	return func(o *options) { o.metadata = true }
}

// TrailingTurnPolicy is what becomes of a conversation that ends with a message of the model. Older
// models carry such a message on; the newest refuse the request.
type TrailingTurnPolicy int

const (
	// TrailingTurnKept sends the message to models that take it. For the others the conversion
	// fails with an *[Error]. This is the default.
	TrailingTurnKept TrailingTurnPolicy = iota
	// TrailingTurnTrimmed leaves the message out and reports it as lost.
	TrailingTurnTrimmed
	// TrailingTurnRefused fails with an *[Error] whatever the model is.
	TrailingTurnRefused
)

// WithTrailingModelTurn sets what becomes of a conversation that ends with a message of the model.
// The default is [TrailingTurnKept].
func WithTrailingModelTurn(policy TrailingTurnPolicy) Option {
	return func(o *options) { o.trailing = policy }
}
