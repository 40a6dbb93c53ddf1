package request

// Option changes how requests are converted.
type Option func(*options)

// options has the choices of all options. Its zero value is the default.
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

// ForModel sets the model that is to answer, by the name that the server knows. The default, and
// what "" stands for, is the model that the request names, which few do: with Gemini it is in the
// address of the call.
func ForModel(model string) Option {
	return func(o *options) { o.model = model }
}

// WithoutExtensions leaves out all that OpenAI's own description does not have: extra_body,
// extra_content, reasoning_content and images of the model. What is lost by that is in the report.
// By default the extensions are there.
func WithoutExtensions() Option {
	return func(o *options) { o.plain = true }
}

// WithoutValidation returns the converted request as it is, even one that OpenAI is known to
// refuse.
func WithoutValidation() Option {
	return func(o *options) { o.unvalidated = true }
}

// WithStream asks for the answer as a stream, and for its token counts, which most servers send
// only when they are asked to. The default is a whole answer.
func WithStream() Option {
	return func(o *options) { o.stream = true }
}

// WithMaxTokens limits the answer by max_tokens, for servers that do not know
// max_completion_tokens, which is the default.
func WithMaxTokens() Option {
	return func(o *options) { o.maxTokens = true }
}

// WithTopK sends top_k at the top of the request, where vLLM, OpenRouter and others take it, though
// OpenAI does not know it. By default it is one of the extensions, and lost without them.
func WithTopK() Option {
	return func(o *options) { o.topK = true }
}

// WithLabelsAsMetadata carries labels over as metadata, which OpenAI takes for answers that it
// stores. By default they are one of the extensions, and lost without them.
func WithLabelsAsMetadata() Option {
	return func(o *options) { o.metadata = true }
}

// WithoutAllowedTools declares only the functions that may be called, where Gemini's request allows
// some of them, for servers that do not know the tool choice allowed_tools. By default all are
// declared, which keeps caches of the prompt.
func WithoutAllowedTools() Option {
	return func(o *options) { o.filtered = true }
}

// WithWebSearch sends Google Search as web_search_options for any model. The default without
// extensions is to do so only for OpenAI's models that search, which have search in their names;
// others refuse it.
func WithWebSearch() Option {
	return func(o *options) { o.webSearch = true }
}

// WithEffortBesideTools keeps the reasoning effort in requests with functions, for servers that
// take both. By default models from GPT-5.6 on get the effort none there, as OpenAI answers 400 to
// any other one, and to none at all.
func WithEffortBesideTools() Option {
	return func(o *options) { o.anyEffort = true }
}
