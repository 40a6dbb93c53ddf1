package reverse

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/openaiapi"
)

// Option changes how answers are converted.
type Option func(*options)

// options holds the values of all options. Its zero value is the default.
type options struct {
	id, model  string
	noThoughts bool
	lossesOnly bool
	repeats    bool
	names      map[string]string
	format     openaiapi.OutputAudioFormat
	wrapped    string
}

// nameOf returns the name by which the caller knows a function.
func (o *options) nameOf(sent string) string { return cmp.Or(o.names[sent], sent) }

// WithID sets the answer's responseId. The default, also for "", is the completion's id.
func WithID(id string) Option {
	return func(o *options) { o.id = id }
}

// WithModelName sets the answer's modelVersion, for example the model that the client requested.
// The default, also for "", is the model that the completion names.
func WithModelName(name string) Option {
	return func(o *options) { o.model = name }
}

// WithoutThoughts omits the thoughts and reports them as lost. Gemini omits them too unless
// includeThoughts is set. The default is to include them.
func WithoutThoughts() Option {
	return func(o *options) { o.noThoughts = true }
}

// WithOriginalNames sets the original names of functions by the names that were sent, as
// OriginalNames of package request returns them. By default names stay as the server sends them.
func WithOriginalNames(names map[string]string) Option {
	return func(o *options) { o.names = names }
}

// WithAudioFormat sets the requested format of sound, because an answer does not have it. The
// default is pcm16.
func WithAudioFormat(format openaiapi.OutputAudioFormat) Option {
	return func(o *options) { o.format = format }
}

// WithWrappedValue unwraps the text of an answer from a member of a JSON object. Package request
// wraps an enum value this way, and its WrappedMember is the member's name. A text that is not such
// an object stays unchanged. By default texts are not inspected.
func WithWrappedValue(member string) Option {
	return func(o *options) { o.wrapped = member }
}

// WithAccumulatedDeltas reads streams in which each delta repeats the whole text so far. DashScope
// sends such deltas unless it is asked for increments. Only the new part is passed on. A delta that
// does not start with the text so far is passed on whole. By default each delta adds to the earlier
// ones.
func WithAccumulatedDeltas() Option {
	return func(o *options) { o.repeats = true }
}

// WithLossesOnly limits the report of a [Stream] to losses. It does not change the report of a
// whole answer.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}
