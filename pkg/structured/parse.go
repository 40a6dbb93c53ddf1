package structured

import (
	"cmp"

	"github.com/gemwire/gemwire/pkg/validation"
)

// Parse finds the JSON in a text that is a value of type T, decodes it, and checks it by the
// validate tags of T. If there are several candidates, it takes the first that fits; the package
// comment has the rules.
//
// If none fits, it returns the zero value and one of these errors about the candidate that came
// closest:
//
//   - *[NotFoundError]: the text contains nothing like JSON;
//   - *[DecodeError]: the candidate is not well-formed, or does not fit T;
//   - *[InvalidError]: the candidate breaks rules of T, and the error lists all of them;
//   - *[TruncatedError]: the candidate fits so far, but is cut off.
//
// No text makes Parse panic. Invalid validate tags of T do, as in package validator. Time is linear
// in the length of the text.
func Parse[T any](text string, opts ...Option) (T, error) {
	s := selection[T]{search: find(text), options: newOptions(opts)}
	return s.choose()
}

// selection chooses among the candidates of a text.
type selection[T any] struct {
	*search
	*options

	tried   int
	closest reading[T] // of those that do not fit
	// unknown is the first value that fits but has no member that T knows.
	unknown *reading[T]
}

// reading is a candidate as a value of T, or the reason why it is not one.
type reading[T any] struct {
	candidate
	json      string // the candidate, as JSON
	value     T
	known     bool // T knows something of what it holds
	closeness closeness
	err       error // why it did not decode
	invalid   []validation.Violation
}

// closeness is how close a candidate comes to a value of T.
type closeness uint8

const (
	noCandidate closeness = iota
	anotherKind           // a list for an object, and so on
	notJSON               // it only begins like JSON
	notDecoded            // a part of it is not what T takes
	notKnown              // it has nothing that T knows, and is invalid or cut off
	notGood               // it is invalid or cut off
	fits
)

// choose returns the value of the first candidate that fits.
func (s *selection[T]) choose() (T, error) {
	r := s.first()
	if r == nil && s.closest.closeness <= anotherKind && s.broken == (span{}) {
		r = s.unknown
	}
	if r == nil {
		return *new(T), s.failure()
	}
	if r.mended != nil && s.repaired != nil {
		for _, repair := range s.repairsOf(r.mended) {
			s.repaired(repair)
		}
	}
	return r.value, nil
}

// first returns the first candidate that fits, nil if none does.
func (s *selection[T]) first() *reading[T] {
	for _, c := range s.candidates {
		if c.rank == rankBroken && !c.truncated && !s.repair {
			continue // malformed
		}
		s.tried++
		r := s.read(c)
		switch {
		case r.closeness == fits && r.known:
			return r
		case r.closeness == fits:
			s.unknown = cmp.Or(s.unknown, r)
		case r.closeness > s.closest.closeness:
			s.closest = *r
		}
	}
	return nil
}

// read decodes and checks a candidate. If the candidate is a string that holds an object or a list,
// it may take the content.
func (s *selection[T]) read(c candidate) *reading[T] {
	r := s.readAs(c)
	if !s.repair {
		return r
	}
	if c.mended = s.encodedTwice(c); c.mended == nil {
		return r
	}
	if content := s.readAs(c); content.closeness == fits || content.closeness > r.closeness {
		return content
	}
	return r
}

// readAs decodes and checks a candidate as it is, or in repaired form.
func (s *selection[T]) readAs(c candidate) *reading[T] {
	r := &reading[T]{candidate: c}
	s.decode(r)
	switch {
	case r.err != nil && isAnotherKind(r.err):
		r.closeness = anotherKind
		return r
	case r.err != nil:
		r.closeness = notDecoded
		return r
	}
	good := !r.truncated
	if r.truncated {
		r.known = r.known && r.json != "{}"
	}
	if !r.truncated || s.repair || s.closeCut {
		r.invalid = s.violations(r.value, r.json)
		good = r.invalid == nil
	}
	switch {
	case good:
		r.closeness = fits
	case r.known:
		r.closeness = notGood
	default:
		r.closeness = notKnown
	}
	return r
}

// decode decodes a candidate. A truncated candidate is closed first.
func (s *selection[T]) decode(r *reading[T]) {
	if r.truncated {
		mender := mender{text: s.text[:r.end], source: s.source,
			out: make([]byte, 0, r.end-r.start+closingRoom)}
		r.mended = mender.mend(r.start)
	}
	if r.mended == nil {
		r.json = s.text[r.start:r.end]
		r.value, r.known, r.err = decode[T](r.json, s.rejectUnknown)
		return
	}
	r.json = r.mended.json
	r.value, r.known, r.err = decode[T](r.json, s.rejectUnknown)
	if !isMalformedString(r.err) {
		return
	}
	shorter := r.mended.withoutString()
	if shorter == nil {
		return
	}
	if value, known, err := decode[T](shorter.json, s.rejectUnknown); err == nil {
		r.mended, r.json = shorter, shorter.json
		r.value, r.known, r.err = value, known, nil
	}
}

// closingRoom is enough for the brackets and the quote that most truncated values lack.
const closingRoom = 32

// at converts an offset in the JSON of a reading to an offset in the text.
func (r *reading[T]) at(place int) int {
	if r.mended == nil {
		return r.start + place
	}
	return r.mended.origin(place, r.start)
}
