package openaianswer

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Text is the text of an answer with the offsets at which its parts start. Spans count from these
// offsets. The zero value is empty.
type Text struct {
	jsonx.PiecedText
	parts []textPart
}

type textPart struct{ part, start int }

// AddPart adds a piece of a part's text.
func (t *Text) AddPart(part int, text string) {
	if n := len(t.parts); n == 0 || t.parts[n-1].part != part {
		t.parts = append(t.parts, textPart{part, t.Len()})
	}
	t.Add(text)
}

// AddTo adds the text to an accumulator's candidate.
func (t *Text) AddTo(soFar *normalize.Accumulator, candidate int) {
	text := t.String()
	for i, p := range t.parts {
		end := len(text)
		if i+1 < len(t.parts) {
			end = t.parts[i+1].start
		}
		soFar.Add(normalize.Event{Type: normalize.EventTextDelta, Candidate: candidate,
			Part: p.part, Text: text[p.start:end]})
	}
}
