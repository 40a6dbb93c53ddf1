package structured

import (
	"fmt"

	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// Candidate is a JSON value in a text.
type Candidate struct {
	// Position is where the value begins.
	validation.Position
	// Text is the value as it stands in the text, without the marks of quoted lines. If the value
	// is truncated, Text is the part of it that exists.
	Text string
	// Kind is the kind of the value: jsontext.KindBeginObject, jsontext.KindBeginArray or one of
	// the scalars.
	Kind jsontext.Kind
	// Fenced reports that the value is in a fenced code block (backticks). Info is the block's info
	// string, such as json.
	Fenced bool
	Info   string
	// Truncated reports that the text ends before the value does.
	Truncated bool
}

// String describes the candidate in a few words, without its text.
func (c Candidate) String() string {
	text := found(c.Text)
	if c.Kind != jsontext.KindBeginObject && c.Kind != jsontext.KindBeginArray {
		text = "a scalar"
	}
	if c.Truncated {
		text = "the beginning of " + text
	}
	return fmt.Sprintf("%s of %d bytes at %s", text, len(c.Text), c.Position)
}

// Candidates returns the JSON values in a text in the order in which [Parse] tries them. The
// package comment has the rules. A value within another value is not a candidate, even if the outer
// value is truncated or malformed. Candidates returns nil if the text has no candidate.
//
// Time and memory are linear in the length of the text. The values share its memory.
func Candidates(text string) []Candidate {
	s := find(text)
	var candidates []Candidate
	ruler := newRuler(text)
	for _, c := range s.candidates {
		if c.mended != nil {
			continue // malformed
		}
		candidate := Candidate{
			Position:  ruler.at(c.start),
			Text:      s.text[c.start:c.end],
			Kind:      c.kind(s.text),
			Fenced:    c.fence != nil,
			Truncated: c.truncated,
		}
		if c.fence != nil {
			candidate.Info = c.fence.info
		}
		candidates = append(candidates, candidate)
	}
	return candidates
}

func (c *candidate) kind(text string) jsontext.Kind {
	return jsontext.Value(text[c.start : c.start+1]).Kind()
}
