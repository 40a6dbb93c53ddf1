package schema

// Option changes how schemas are converted.
type Option func(*options)

// options has the choices of all options. Its zero value is the default but for the limits.
type options struct {
	vertexAI   bool
	parameters bool
	maxSize    int
	maxDepth   int
}

// The default limits. They are far above what Gemini takes, whose own limits are not published.
const (
	defaultMaxSize  = 100_000
	defaultMaxDepth = 100
)

func newOptions(opts []Option) options {
	o := options{maxSize: defaultMaxSize, maxDepth: defaultMaxDepth}
	if len(opts) > 0 {
		o.apply(opts)
	}
	return o
}

func (o *options) apply(opts []Option) {
	for _, opt := range opts {
		opt(o)
	}
	if o.maxSize <= 0 {
		o.maxSize = defaultMaxSize
	}
	if o.maxDepth <= 0 {
		o.maxDepth = defaultMaxDepth
	}
}

// ForVertexAI makes a schema for Vertex AI, whose form has additionalProperties besides the 22
// keys of the Gemini API. By default the schema is one that both take.
func ForVertexAI() Option {
	return func(o *options) { o.vertexAI = true }
}

// ForParameters makes a schema for the parameters of a function, which has to be of the type OBJECT:
// a document that does not say its type gets this one, alternatives at its top are folded into one
// object, and a document that describes no object is refused with [ErrNotObject]. By default the
// outermost schema may be of any type, as the schema of a response may.
func ForParameters() Option {
	return func(o *options) { o.parameters = true }
}

// WithMaxSize limits the size of the result and the time that it takes, in steps: about two for each
// JSON value of the document, and one for every 64 bytes of a text, both as often as a $ref or an
// alternative repeats them. A tool with ten properties takes about 100. The default, and what 0
// stands for, is 100,000. Beyond it the conversion ends with [ErrTooLarge].
func WithMaxSize(steps int) Option {
	return func(o *options) { o.maxSize = steps }
}

// WithMaxDepth limits how deeply schemas may stand in each other, with each $ref, allOf, anyOf and
// oneOf on the way as one level. The default, and what 0 stands for, is 100. Beyond it the conversion
// ends with [ErrTooLarge].
func WithMaxDepth(levels int) Option {
	return func(o *options) { o.maxDepth = levels }
}
