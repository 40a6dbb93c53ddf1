package openaianswer

import (
	"hash/crc32"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Text is the text of an answer with the offsets at which its parts start. Spans count from these
// offsets. The zero value is empty.
type Text struct {
	jsonx.PiecedText
	parts []textPart
	shape *textShape // replaces the text after KeepShape
}

type textPart struct{ part, start int }

// KeepShape makes an empty text keep only what converting offsets needs: the lengths of its
// characters. [Text.AddTo] then adds placeholders of the same lengths, so spans that name only
// offsets are converted as before. A span that names its text is not found, so it is approximated.
// KeepShape does nothing once the text has begun.
func (t *Text) KeepShape() {
	if t.shape == nil && len(t.parts) == 0 {
		t.shape = &textShape{}
	}
}

// IsShape reports whether only the shape is kept.
func (t *Text) IsShape() bool { return t.shape != nil }

// AddPart adds a piece of a part's text.
func (t *Text) AddPart(part int, text string) {
	start := t.Len()
	if t.shape != nil {
		start = t.shape.size
	}
	if n := len(t.parts); n == 0 || t.parts[n-1].part != part {
		t.parts = append(t.parts, textPart{part, start})
	}
	if t.shape != nil {
		t.shape.add(text)
		return
	}
	t.Add(text)
}

// CRC32 returns the IEEE checksum of the text.
func (t *Text) CRC32() uint32 {
	if t.shape != nil {
		return t.shape.checksum
	}
	return crc32.ChecksumIEEE([]byte(t.String()))
}

// AddTo adds the text, or placeholders of its shape, to an accumulator's candidate.
func (t *Text) AddTo(soFar *normalize.Accumulator, candidate int) {
	text := t.String()
	if t.shape != nil {
		text = t.shape.placeholders()
	}
	for i, p := range t.parts {
		end := len(text)
		if i+1 < len(t.parts) {
			end = t.parts[i+1].start
		}
		soFar.Add(normalize.Event{Type: normalize.EventTextDelta, Candidate: candidate,
			Part: p.part, Text: text[p.start:end]})
	}
}
