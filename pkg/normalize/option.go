package normalize

import "github.com/gemwire/gemwire/internal/option"

// Option changes how responses are normalised.
type Option func(*options)

// options has the choices of all options. Its zero value is the default.
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

// WithToolCallIDs sets the function that makes an id for a tool call that came without one, from
// the response's id ("" where it has none), the candidate's index, and the part's position in the
// content that [MergeChunks] makes: an answer and the stream of it give the same. A function of
// only these makes normalising repeatable. Where it returns "", and by default, the id is a
// [RandomID].
func WithToolCallIDs(id func(responseID string, candidate, part int) string) Option {
	return func(o *options) { o.toolCallID = id }
}

// WithLossesOnly leaves all but the losses out of the report of a [Stream], which then keeps
// nothing of a chunk that another one replaced. By default the report may have an entry for each
// chunk, which takes memory in a stream of a hundred thousand. Whole responses have the same report
// with it as without.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}
