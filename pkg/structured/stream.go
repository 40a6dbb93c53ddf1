package structured

import (
	"fmt"
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// ParseStream yields partial values of type T while the text arrives in deltas of any size, and
// finally the result of [Parse] for the whole text.
//
// A partial value is the candidate that [Parse] would choose if it closed truncated values, as with
// [WithRepair]. It decodes into T, but it is not checked: rules of T may not hold before the value
// is complete. Its strings may be incomplete. Numbers, true, false and null appear once they are
// complete. A delta that adds nothing yields nothing. Every value is new and shares nothing with
// earlier values.
//
// The last pair is always the result for the whole text, with its error. Only a nil error means
// that the value is complete and checked. An error of deltas ends the sequence at once and is
// returned, wrapped, with the last partial value.
//
// Each partial value requires reading and decoding the text so far. ParseStream makes one at every
// delta that adds something until it has read 4 MiB in this way, which is enough for answers of 5
// kB in the smallest deltas. After that it waits until the text has grown by about 1/64 each time,
// so that it reads at most 64 times the length of the text. The time stays linear in the length.
func ParseStream[T any](deltas iter.Seq2[string, error], opts ...Option) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		p := partial[T]{options: newOptions(opts)}
		var text strings.Builder
		for delta, err := range deltas {
			if err != nil {
				yield(p.value,
					fmt.Errorf("structured: the text breaks off after %d bytes: %w", text.Len(),
						err))
				return
			}
			text.WriteString(delta)
			if p.grow(text.String()) && !yield(p.value, nil) {
				return
			}
		}
		yield(Parse[T](text.String(), opts...))
	}
}

// partial is the state of a text that is still arriving.
type partial[T any] struct {
	options *options
	value   T
	shown   string // the candidate that the value is made of, complete
	read    int    // how many bytes were read to make values
}

// The limits of the work for partial values, in bytes.
const (
	freeWork    = 4 << 20
	workPerByte = 64
)

// grow reports whether the text so far gives a larger value than before.
func (p *partial[T]) grow(text string) bool {
	if p.read+len(text) > freeWork+workPerByte*len(text) {
		return false
	}
	p.read += len(text)
	s := selection[T]{search: find(text), options: &options{
		rejectUnknown:  p.options.rejectUnknown,
		skipValidation: true,
		repair:         p.options.repair,
		closeCut:       true,
	}}
	r := s.first()
	if r == nil || r.json == p.shown || mayGrow(text, r.candidate) {
		return false
	}
	p.value, p.shown = r.value, r.json
	return true
}

// mayGrow reports whether the value at the end of a text is a number that may continue.
func mayGrow(text string, c candidate) bool {
	return c.end == len(text) && c.kind(text) == jsontext.KindNumber
}
