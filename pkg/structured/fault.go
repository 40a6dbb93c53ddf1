package structured

import (
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// failure returns the error about the candidate that came closest.
func (s *selection[T]) failure() error {
	c := &s.closest
	if c.closeness < notJSON {
		if e := s.syntaxError(); e != nil {
			e.Tried = s.tried + 1
			return e
		}
	}
	ruler := newRuler(s.text)
	switch {
	case c.closeness == noFailure:
		return &NotFoundError{Length: len(s.text)}
	case c.err != nil:
		e := newDecodeError(c.err, c.text)
		e.Position, e.Tried = ruler.at(min(c.place.start+e.Offset, len(s.text))), s.tried
		return e
	case c.place.truncated:
		return s.truncatedError(ruler)
	default:
		return s.invalidError(ruler)
	}
}

func (s *selection[T]) truncatedError(ruler *ruler) error {
	place := s.closest.place
	value := s.text[place.start:place.end]
	e := &TruncatedError{
		Position: ruler.at(place.end),
		Start:    ruler.at(place.start),
		Pointer:  cutPointer(value),
		Missing:  s.closest.closing.added,
		Tried:    s.tried,
	}
	if s.closest.invalid != nil {
		e.Invalid = s.invalidError(ruler)
		e.Invalid.Tried = 0 // told once
	}
	return e
}

func (s *selection[T]) invalidError(ruler *ruler) *InvalidError {
	c := &s.closest
	locate(c.invalid, c.text)
	for i := range c.invalid {
		at := &c.invalid[i].Position
		*at = ruler.at(c.place.start + at.Offset)
	}
	return &InvalidError{Position: ruler.at(c.place.start), Violations: c.invalid, Tried: s.tried}
}

// repairOf tells how a truncated value was closed.
func (s *search) repairOf(p place, c closing) Repair {
	value := s.text[p.start:p.end]
	return Repair{
		Position: newRuler(s.text).at(p.start + c.kept),
		Pointer:  cutPointer(value),
		Dropped:  len(value) - c.kept,
		Added:    c.added,
	}
}

// cutPointer returns the pointer of the innermost part of a value that is cut off.
func cutPointer(value string) string {
	_, err := lenientDecoder(value).ReadValue()
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return string(e.JSONPointer)
	}
	return ""
}

// lenientDecoder reads all that an attempt reads.
func lenientDecoder(text string) *jsontext.Decoder {
	return jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}
