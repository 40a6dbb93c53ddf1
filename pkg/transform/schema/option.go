package schema

// Option changes how schemas are converted.
type Option func(*options)

// options has the choices of all options. Its zero value is the default.
type options struct {
	vertexAI   bool
	parameters bool
}

// ForVertexAI makes a schema for Vertex AI, whose form has additionalProperties besides the 22
// keys of the Gemini API. By default the schema is one that both take.
func ForVertexAI() Option {
	return func(o *options) { o.vertexAI = true }
}

// ForParameters makes a schema for the parameters of a function, which has to be of the type
// OBJECT: a document that does not say its type gets this one, alternatives at its top are folded
// into one object, and a document that describes no object is refused with [ErrNotObject]. By
// default the outermost schema may be of any type, as the schema of a response may.
func ForParameters() Option {
	return func(o *options) { o.parameters = true }
}
