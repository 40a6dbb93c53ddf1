package structured

import (
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// Option changes how [Parse] and [ParseStream] read, and how [Generate] and [GenerateStream] ask.
// Options may be used any number of times, also by several goroutines.
type Option func(*options)

type options struct {
	rejectUnknown  bool
	skipValidation bool
	check          func(jsontext.Value) []validation.Violation
	repair         bool
	closeCut       bool // of the faults, only that the value is cut off
	repaired       func(Repair)

	corrections int // of Generate
	onTry       func(Try)
}

// defaultCorrections is how often a model may correct its answer. One that is wrong for a third
// time is mostly so for a fourth.
const defaultCorrections = 2

func newOptions(opts []Option) *options {
	o := &options{corrections: defaultCorrections}
	option.Apply(o, opts)
	return o
}

// WithRejectUnknown refuses objects with members that the Go type does not know. By default such
// members are ignored.
func WithRejectUnknown() Option {
	return func(o *options) { o.rejectUnknown = true }
}

// WithoutValidation leaves the validate tags of the Go type alone, for types that are checked by
// other means or hold tags of another validator.
func WithoutValidation() Option {
	return func(o *options) { o.skipValidation = true }
}

// WithCheck adds a check on the JSON of a value that decoded, for example against a JSON Schema. It
// returns what is wrong as violations with Pointer, Rule and Want, the rest of which [Parse] fills
// in, and nil when nothing is wrong. It must not keep or change the JSON. With several such options
// the last one counts.
func WithCheck(check func(value jsontext.Value) []validation.Violation) Option {
	return func(o *options) { o.check = check }
}

// WithRepair lets a value count that is not quite JSON, or cut off: [Parse] mends it instead of
// returning a *[DecodeError] or a *[TruncatedError], and calls repaired for each [Repair], in the
// order of the text, before it returns the value. A nil function is not called. By default nothing
// is repaired.
//
// Mended are slips that have one meaning, those of [RepairKind]. Nothing is guessed: an answer with
// any other fault, such as a quote within a string, stays an error. Of a value that is cut off only
// the end is mended: a string stays as far as it came, unless its type takes it only as a whole,
// such as a time; an unfinished number, word or member is dropped; and the open brackets are
// closed.
func WithRepair(repaired func(Repair)) Option {
	return func(o *options) { o.repair, o.repaired = true, repaired }
}

// WithCorrections sets how often [Generate] asks a model again whose answer is not a value of the
// Go type; the default is 2. With 0 it is asked once.
func WithCorrections(n int) Option {
	return func(o *options) { o.corrections = max(n, 0) }
}

// WithTry calls a function for each answer that [Generate] gets, the wrong ones too.
func WithTry(onTry func(Try)) Option {
	return func(o *options) { o.onTry = onTry }
}
