package structured

import (
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// Option changes how [Parse] and [ParseStream] read, and how [Generate] and [GenerateStream] ask.
// Options can be reused and are safe for concurrent use.
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

// defaultCorrections is the default number of corrections. An answer that is wrong three times is
// usually wrong a fourth time.
const defaultCorrections = 2

func newOptions(opts []Option) *options {
	o := &options{corrections: defaultCorrections}
	option.Apply(o, opts)
	return o
}

// WithRejectUnknown rejects objects with members that the Go type does not know. By default such
// members are ignored.
func WithRejectUnknown() Option {
	return func(o *options) { o.rejectUnknown = true }
}

// WithoutValidation skips the validate tags of the Go type. Use it for types that are checked by
// other means or have tags of another validator.
func WithoutValidation() Option {
	return func(o *options) { o.skipValidation = true }
}

// WithCheck adds a check of the JSON of a decoded value, for example against a JSON Schema. The
// function returns violations with Pointer, Rule and Want, or nil; [Parse] fills in the rest. The
// function must not keep or change the JSON. The last such option wins.
func WithCheck(check func(value jsontext.Value) []validation.Violation) Option {
	return func(o *options) { o.check = check }
}

// WithRepair accepts a value that is not quite JSON or is cut off. [Parse] repairs it instead of
// returning a *[DecodeError] or a *[TruncatedError]. Before it returns the value, it calls repaired
// for each [Repair], in the order of the text. A nil function is not called. By default nothing is
// repaired.
//
// Only slips with one meaning are repaired; [RepairKind] lists them. Nothing is guessed: an answer
// with another fault, such as a quote within a string, stays an error. In a value that is cut off,
// only the end is repaired. A string keeps the part that arrived, unless its type accepts only a
// whole string, such as a time. An unfinished number, word or member is dropped. The open brackets
// are closed.
func WithRepair(repaired func(Repair)) Option {
	return func(o *options) { o.repair, o.repaired = true, repaired }
}

// WithCorrections sets how often [Generate] asks again after an answer that is not a value of the
// Go type. The default is 2. With 0 it asks once.
func WithCorrections(n int) Option {
	return func(o *options) { o.corrections = max(n, 0) }
}

// WithTry sets a function that [Generate] calls for each answer, including wrong ones.
func WithTry(onTry func(Try)) Option {
	return func(o *options) { o.onTry = onTry }
}
