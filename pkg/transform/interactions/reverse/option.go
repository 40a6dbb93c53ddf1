package reverse

// Option changes how answers are converted.
type Option func(*options)

// options holds the values of all options. Its zero value is the default.
type options struct {
	id, model   string
	noThoughts  bool
	noExtension bool
	lossesOnly  bool
}

// WithID sets the answer's responseId. The default, also for "", is the id of the response in the
// id of the interaction.
func WithID(id string) Option {
	return func(o *options) { o.id = id }
}

// WithModelName sets the answer's modelVersion, for example the model that the client requested.
// The default, also for "", is the model or the agent of the interaction.
func WithModelName(name string) Option {
	return func(o *options) { o.model = name }
}

// WithoutThoughts omits the summaries of thoughts and reports them as lost. Gemini omits them too
// unless includeThoughts is set. Signatures stay. The default is to include them.
func WithoutThoughts() Option {
	return func(o *options) { o.noThoughts = true }
}

// WithoutExtensions omits the members extraContent, which have what only an interaction has, and
// reports what that loses. The default is to write them.
func WithoutExtensions() Option {
	return func(o *options) { o.noExtension = true }
}

// WithLossesOnly limits the report of a [Stream] to losses. It does not change the report of a
// whole answer.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}
