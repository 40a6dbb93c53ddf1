package normalize

import "github.com/gemwire/gemwire/internal/option"

// Option changes how responses are normalised.
type Option func(*options)

// options holds the values of all options. The zero value is the default.
type options struct {
	toolCallID func(responseID string, candidate, part int) string
	lossesOnly bool
	ignored    []string // by decoding, before there was a response
}

func newOptions(opts []Option) options {
	if len(opts) == 0 {
		return options{} // stays off the heap
	}
	out := &options{}
	option.Apply(out, opts)
	return *out
}

// WithToolCallIDs sets the function that makes an id for a tool call without one. The function gets
// the response's id ("" if it has none), the candidate's index, and the part's position in the
// content that [MergeChunks] produces. An answer and its stream give the same arguments, so a
// function of only these makes normalising repeatable. If it returns "", and by default, the id is
// a [RandomID].
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.toolCallID = id }
}

// WithLossesOnly limits the report of a [Stream] to losses. The stream then keeps no values that
// another chunk replaced. By default the report may have an entry per chunk, which takes memory in
// a stream of a hundred thousand chunks. The option has no effect on whole responses.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}
