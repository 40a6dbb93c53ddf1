package structured

import (
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// failure returns the error about the candidate that came closest.
func (s *selection[T]) failure() error {
	r := &s.closest
	if r.closeness < notJSON {
		if e := s.syntaxError(); e != nil {
			e.Tried = s.tried + 1
			return e
		}
	}
	ruler := newRuler(s.text)
	switch {
	case r.closeness == noCandidate:
		return &NotFoundError{Length: len(s.text)}
	case r.err != nil:
		e := newDecodeError(r.err, r.json)
		e.Position, e.Tried = ruler.at(min(r.at(e.Offset), len(s.text))), s.tried
		return e
	case r.truncated:
		return s.truncatedError(ruler)
	default:
		return s.invalidError(ruler)
	}
}

func (s *selection[T]) truncatedError(ruler *ruler) error {
	r := &s.closest
	e := &TruncatedError{
		Position: ruler.at(r.end),
		Start:    ruler.at(r.start),
		Pointer:  cutPointer(s.text[r.start:r.end]),
		Missing:  r.mended.edits[len(r.mended.edits)-1].added,
		Tried:    s.tried,
	}
	if r.invalid != nil {
		e.Invalid = s.invalidError(ruler)
		e.Invalid.Tried = 0 // said once, by the error around it
	}
	return e
}

func (s *selection[T]) invalidError(ruler *ruler) *InvalidError {
	r := &s.closest
	locate(r.invalid, r.json)
	for i := range r.invalid {
		at := &r.invalid[i].Position
		*at = ruler.at(r.at(at.Offset))
	}
	return &InvalidError{Position: ruler.at(r.start), Violations: r.invalid, Tried: s.tried}
}

// cutPointer returns the pointer of the innermost part of a value that is cut off.
func cutPointer(value string) string {
	_, err := lenientDecoder(value).ReadValue()
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return string(e.JSONPointer)
	}
	return ""
}

// lenientDecoder reads all that a scanner reads.
func lenientDecoder(text string) *jsontext.Decoder {
	return jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true))
}
