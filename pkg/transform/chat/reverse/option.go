package reverse

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/openaiapi"
)

// Option changes how answers are converted.
type Option func(*options)

// options has the choices of all options. Its zero value is the default.
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

// WithID sets the answer's responseId. The default, and what "" stands for, is the completion's own
// id.
func WithID(id string) Option {
	return func(o *options) { o.id = id }
}

// WithModelName sets the answer's modelVersion, such as the model that the client asked for. The
// default, and what "" stands for, is the model that the completion names.
func WithModelName(name string) Option {
	return func(o *options) { o.model = name }
}

// WithoutThoughts leaves the thoughts out and reports them as lost, as Gemini does unless
// includeThoughts is set. The default is to show what the server shows.
func WithoutThoughts() Option {
	return func(o *options) { o.noThoughts = true }
}

// WithOriginalNames sets the names of functions by those that were sent in their place, as
// OriginalNames of package request returns them. By default names are what the server says.
func WithOriginalNames(names map[string]string) Option {
	return func(o *options) { o.names = names }
}

// WithAudioFormat says which format of sound was asked for, as an answer does not. The default is
// pcm16.
func WithAudioFormat(format openaiapi.OutputAudioFormat) Option {
	return func(o *options) { o.format = format }
}

// WithWrappedValue takes the text of an answer out of the member of the JSON object in which
// package request asks for one value of an enum, which goes by its WrappedMember. A text that is no
// such object stays as it is. By default texts are not looked at.
func WithWrappedValue(member string) Option {
	return func(o *options) { o.wrapped = member }
}

// WithAccumulatedDeltas reads streams of servers that send in each delta all of a text so far, as
// DashScope's do unless they are asked for increments: only what is new in it is passed on. A delta
// that does not begin with all before it is passed on whole. By default each delta adds to those
// before it.
func WithAccumulatedDeltas() Option {
	return func(o *options) { o.repeats = true }
}

// WithLossesOnly leaves all but the losses out of the report of a [Stream]. The report of a whole
// answer is the same with it as without.
func WithLossesOnly() Option {
	return func(o *options) { o.lossesOnly = true }
}
