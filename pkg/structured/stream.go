package structured

import (
	"fmt"
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// ParseStream yields what the text so far says about a value of type T, while the text comes in
// deltas of any size: growing partial values, and at the end what [Parse] returns for the whole
// text.
//
// A partial value is the candidate that [Parse] would choose if it closed what is cut off, as it
// does by [WithRepair]. It decodes into T, but it is not checked: rules of T may not hold before
// the value is complete. A string in it may be the beginning of one; numbers, true, false and null
// appear when they are complete. A delta that adds nothing yields nothing, and every value is a new
// one that shares nothing with those before.
//
// The last pair is always that of the whole text, with the error if it is none: only when that is
// nil is the value complete and checked. An error of deltas ends the sequence at once and comes
// wrapped beside the last partial value.
//
// Each partial value takes reading and decoding the text so far. ParseStream makes one at every
// delta that adds something as long as it has read less than 4 MiB in doing so, which is enough for
// answers of 5 kB in the smallest of deltas. Beyond that it reads at most 64 times the length of
// the text: it lets deltas pass until the text has grown by about a 64th. So the time stays linear
// in the length.
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

// partial is what a text has said so far.
type partial[T any] struct {
	options *options
	value   T
	shown   string // the candidate that the value is made of, complete
	read    int    // how many bytes were read to make values
}

// The work that partial values may cost, in bytes.
const (
	freeWork    = 4 << 20
	workPerByte = 64
)

// grow reports whether the text so far says more than before.
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

// mayGrow reports whether the value at the end of a text is a number that is not at its end yet.
func mayGrow(text string, c candidate) bool {
	return c.end == len(text) && c.kind(text) == jsontext.KindNumber
}
