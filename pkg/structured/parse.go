package structured

import (
	"cmp"

	"github.com/gemwire/gemwire/pkg/validation"
)

// Parse finds the JSON in a text that is a value of type T, decodes it, and checks it by the validate
// tags of T. Of several candidates it takes the first that fits; the package comment has the rules.
//
// When none fits it returns the zero value and one of
//
//   - *[NotFoundError]: there is nothing like JSON in the text;
//   - *[DecodeError]: it is not well-formed, or not what T takes;
//   - *[InvalidError]: it breaks rules of T, all of which are listed;
//   - *[TruncatedError]: it fits as far as it goes, but it is cut off;
//
// about the candidate that came closest. No text makes it panic; a T whose validate tags make no sense
// does, as package validator has it. Time is linear in the length of the text.
func Parse[T any](text string, opts ...Option) (T, error) {
	s := selection[T]{search: find(text), options: newOptions(opts)}
	return s.choose()
}

// selection chooses among the candidates of a text.
type selection[T any] struct {
	*search
	*options

	tried   int
	refused [256]bool // the kinds of JSON that T takes none of
	closest failure
	// stranger is the first value that fits, but for having nothing that T knows.
	stranger *fit[T]
	// cutOff tells that a truncated candidate fits as far as it goes.
	cutOff bool
}

// fit is a candidate as a value of T.
type fit[T any] struct {
	place   place
	text    string  // the candidate, complete
	closing closing // what completed a truncated one
	value   T
	known   bool // T knows something of what it holds
}

// failure is why a candidate is no value of T.
type failure struct {
	closeness closeness
	place     place
	text      string  // the candidate, complete
	closing   closing // what completed a truncated one
	err       error   // why it did not decode
	invalid   []validation.Violation
}

// closeness is how close a candidate came to a value of T that does not fit.
type closeness uint8

const (
	noFailure   closeness = iota
	anotherKind           // a list for an object, and so on
	notJSON               // it only begins like JSON
	notDecoded            // a part of it is not what T takes
	notKnown              // it has nothing that T knows, and is invalid or cut off
	notGood               // it is invalid or cut off
)

// choose returns the value of the first candidate that fits.
func (s *selection[T]) choose() (T, error) {
	if f := s.first(); f != nil {
		return s.accept(f), nil
	}
	if s.stranger != nil && s.closest.closeness <= anotherKind && s.broken == (span{}) {
		return s.accept(s.stranger), nil
	}
	var zero T
	return zero, s.failure()
}

// first returns the first candidate that fits, nil when none does.
func (s *selection[T]) first() *fit[T] {
	for _, p := range s.places {
		if p.rank == rankInWreck || p.rank == rankInTruncated && s.cutOff {
			break // a part of the answer is no answer
		}
		if f := s.try(p); f != nil {
			return f
		}
	}
	return nil
}

// accept returns the value that was chosen, and tells how it was repaired.
func (s *selection[T]) accept(f *fit[T]) T {
	if f.place.truncated && s.repaired != nil {
		s.repaired(s.repairOf(f.place, f.closing))
	}
	return f.value
}

// try returns the candidate at a place if it fits.
func (s *selection[T]) try(p place) *fit[T] {
	s.tried++
	if s.refused[p.kind(s.text)] {
		return nil
	}
	f := &fit[T]{place: p}
	switch no := s.judge(f); {
	case no.closeness > s.closest.closeness:
		s.closest = no
		return nil
	case no.closeness != noFailure:
		return nil
	case !f.known:
		s.stranger = cmp.Or(s.stranger, f)
		return nil
	default:
		return f
	}
}

// judge decodes and checks a candidate.
func (s *selection[T]) judge(f *fit[T]) failure {
	err := f.decode(s.text[f.place.start:f.place.end], s.rejectUnknown)
	no := failure{place: f.place, text: f.text, closing: f.closing, err: err}
	if err != nil {
		no.closeness = notDecoded
		if isAnotherKind(err) {
			no.closeness = anotherKind
			s.refused[f.place.kind(s.text)] = true
		}
		return no
	}
	good := false
	if f.place.truncated {
		f.known = f.known && f.text != "{}"
		s.cutOff = s.cutOff || f.known
	}
	if !f.place.truncated || s.repair {
		no.invalid = s.violations(f.value, f.text)
		good = no.invalid == nil
	}
	switch {
	case !good && f.known:
		no.closeness = notGood
	case !good:
		no.closeness = notKnown
	}
	return no
}

// decode decodes a candidate, which is closed first if it is truncated.
func (f *fit[T]) decode(text string, rejectUnknown bool) (err error) {
	var without closing
	f.text = text
	if f.place.truncated {
		f.closing, without = closeValue(text)
		f.text = f.closing.apply(text)
	}
	f.value, f.known, err = decode[T](f.text, rejectUnknown)
	if without.kept == 0 || !isMalformedString(err) {
		return err
	}
	value, known, wrong := decode[T](without.apply(text), rejectUnknown)
	if wrong != nil {
		return err
	}
	*f = fit[T]{f.place, without.apply(text), without, value, known}
	return nil
}
