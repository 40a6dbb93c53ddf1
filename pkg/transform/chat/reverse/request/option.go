package request

// Option changes how requests are converted.
type Option func(*options)

// options holds the values of all options. Its zero value is the default.
type options struct {
	model       string
	plain       bool
	unvalidated bool
	stream      bool
	maxTokens   bool
	topK        bool
	metadata    bool
	filtered    bool
	webSearch   bool
	anyEffort   bool
}

// ForModel sets the model that will answer, under the server's name for it. The default, also for
// "", is the model that the request names. Few requests name one, because Gemini's API has it in
// the URL.
func ForModel(model string) Option {
	return func(o *options) { o.model = model }
}

// WithoutExtensions omits all members that OpenAI's own description does not have: extra_body,
// extra_content, reasoning_content and images of the model. The report lists what this loses. By
// default the extensions are present.
func WithoutExtensions() Option {
	return func(o *options) { o.plain = true }
}

// WithoutValidation returns the converted request without validation, even if OpenAI is known to
// refuse it.
func WithoutValidation() Option {
	return func(o *options) { o.unvalidated = true }
}

// WithStream asks for a stream, and for its token counts, which most servers send only on request.
// The default is a whole answer.
func WithStream() Option {
	return func(o *options) { o.stream = true }
}

// WithMaxTokens limits the answer with max_tokens, for servers that do not know
// max_completion_tokens. The default is max_completion_tokens.
func WithMaxTokens() Option {
	return func(o *options) { o.maxTokens = true }
}

// WithTopK sends top_k at the top level of the request. vLLM, OpenRouter and others accept it
// there; OpenAI does not know it. By default it is in the extensions, and lost without them.
func WithTopK() Option {
	return func(o *options) { o.topK = true }
}

// WithLabelsAsMetadata sends labels as metadata, which OpenAI accepts for answers that it stores.
// By default labels are in the extensions, and lost without them.
func WithLabelsAsMetadata() Option {
	return func(o *options) { o.metadata = true }
}

// WithoutAllowedTools is for servers that do not know the tool choice allowed_tools. If Gemini's
// request allows only some functions, only these are declared. By default all functions are
// declared, which keeps prompt caches valid.
func WithoutAllowedTools() Option {
	return func(o *options) { o.filtered = true }
}

// WithWebSearch sends Google Search as web_search_options for any model, if there are no
// extensions. By default it is sent only for OpenAI's search models, whose names contain search;
// other models refuse it. With extensions Google Search stays in the extensions.
func WithWebSearch() Option {
	return func(o *options) { o.webSearch = true }
}

// WithEffortDespiteTools keeps the reasoning effort in requests with functions, for servers that
// accept both. By default such requests to models from GPT-5.6 on get the effort none. OpenAI
// answers 400 to any other effort, and to a request without one.
func WithEffortDespiteTools() Option {
	return func(o *options) { o.anyEffort = true }
}
