package structured

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// Option changes how [Parse] and [ParseStream] read. Options may be used any number of times, also by
// several goroutines.
type Option func(*options)

type options struct {
	rejectUnknown  bool
	skipValidation bool
	check          func(jsontext.Value) []validation.Violation
	repair         bool
	repaired       func(Repair)
}

func newOptions(opts []Option) *options {
	o := new(options)
	for _, opt := range opts {
		opt(o)
	}
	return o
}

// WithRejectUnknown refuses objects with members that the Go type does not know. By default such
// members are ignored.
func WithRejectUnknown() Option {
	return func(o *options) { o.rejectUnknown = true }
}

// WithoutValidation leaves the validate tags of the Go type alone, for types that are checked by other
// means or hold tags of another validator.
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

// WithRepair lets a value that is cut off count for what there is of it: [Parse] closes it instead
// of returning a *[TruncatedError], and calls repaired with how, once, before it returns the value. A nil
// function is not called. By default nothing is repaired.
//
// Only the end of a value is repaired: a string that is cut off stays as far as it came, unless its type
// takes it only as a whole, such as a time; an unfinished number, word or member is dropped; and the
// open brackets are closed.
func WithRepair(repaired func(Repair)) Option {
	return func(o *options) { o.repair, o.repaired = true, repaired }
}

// Repair is how a value was closed that was cut off.
type Repair struct {
	// Position is where the value was closed: the end of what was kept of it.
	validation.Position
	// Pointer is the JSON pointer (RFC 6901) of the innermost value that was cut off, "" for the
	// outermost.
	Pointer string
	// Dropped counts the bytes of the value behind the position, which made no sense any more.
	Dropped int
	// Added is what was put there instead: a quote, if a string was cut off, and brackets.
	Added string
}

// String returns the repair as "closed with }] at line 3, column 5 (offset 57)".
func (r Repair) String() string {
	return fmt.Sprintf("closed with %s at %s", r.Added, r.Position)
}
