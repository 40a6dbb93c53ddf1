package schema

// Option changes how schemas are converted.
type Option func(*options)

// options holds the values of all options. Its zero value is the default.
type options struct {
	vertexAI   bool
	parameters bool
}

// ForVertexAI makes a schema for Vertex AI, whose form has additionalProperties in addition to the
// 22 keys of the Gemini API. By default the schema is valid for both.
func ForVertexAI() Option {
	return func(o *options) { o.vertexAI = true }
}

// ForParameters makes a schema for the parameters of a function, which must have the type OBJECT. A
// document without a type gets this one. Alternatives at its top level are merged into one object.
// A document that describes no object is refused with [ErrNotObject]. By default the outermost
// schema may have any type, like the schema of a response.
func ForParameters() Option {
	return func(o *options) { o.parameters = true }
}
