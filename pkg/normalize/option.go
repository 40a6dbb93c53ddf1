package normalize

// Option changes how responses are normalised.
type Option func(*options)

// options has the choices of all options. Its zero value is the default.
type options struct {
	toolCallID func(responseID string, candidate, part int) string
	ignored    []string
}

func newOptions(opts []Option) options {
	if len(opts) == 0 {
		return options{} // stays off the heap
	}
	out := &options{}
	for _, opt := range opts {
		opt(out)
	}
	return *out
}

// WithToolCallIDs sets the function that makes an id for a tool call that came without one, from
// the response's id ("" where it has none), the candidate's index, and the part's position in the content that
// [MergeChunks] makes: an answer and the stream of it give the same. A function of only these makes normalising
// repeatable.
// Where it returns "", and by default, the id is a [RandomID].
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.toolCallID = id }
}

// withIgnored adds what was ignored before there was a response.
func withIgnored(pointers []string) Option {
	return func(o *options) { o.ignored = pointers }
}
