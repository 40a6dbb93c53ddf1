package responses

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

// openReasoning is the open reasoning item: a summary part for each thought, and the entries of its
// token.
type openReasoning struct {
	part    int    // of the last thought, or -1
	text    []byte // of the last thought
	entries []envelope.Entry
}

// thought adds a thought or a piece of one. A whole thought comes with its signature.
func (e *encoder) thought(text, signature string, part int) {
	if text == "" {
		if signature != "" {
			e.wait(envelope.Entry{Kind: envelope.Thought, Ordinal: part, Signature: signature,
				Part: `{"text":"","thought":true}`})
		}
		return
	}
	if e.open != openaiapi.ResponseItemTypeReasoning {
		e.beginReasoning()
	}
	if t := &e.thoughts; t.part != part || signature != "" {
		e.endThought()
		e.beginThought(part)
	}
	e.thoughts.text = append(e.thoughts.text, text...)
	if e.streams {
		event := e.emitOf(openaiapi.ResponseEventTypeReasoningSummaryTextDelta)
		event.SummaryIndex, event.Delta = new(len(e.item.Summary)), delta(text)
	}
	if signature != "" {
		e.thoughts.entries = append(e.thoughts.entries,
			envelope.Entry{Kind: envelope.Thought, Ordinal: part, Signature: signature})
		e.endThought()
	}
}

// beginReasoning starts a reasoning item, which takes all waiting entries.
func (e *encoder) beginReasoning() {
	e.begin("rs_", &openaiapi.ResponseItem{
		Type: openaiapi.ResponseItemTypeReasoning, Summary: []openaiapi.ResponseContentPart{},
	})
	e.thoughts.part = -1
	e.thoughts.entries, e.pending = append(e.thoughts.entries[:0], e.pending...), e.pending[:0]
}

func (e *encoder) beginThought(part int) {
	e.thoughts.part = part
	if e.streams {
		event := e.emitOf(openaiapi.ResponseEventTypeReasoningSummaryPartAdded)
		event.SummaryIndex, event.Part = new(len(e.item.Summary)), summaryPart("")
	}
}

// endThought ends the open summary part, if any.
func (e *encoder) endThought() {
	t := &e.thoughts
	if t.part < 0 {
		return
	}
	part := summaryPart(string(t.text))
	if e.streams {
		index := new(len(e.item.Summary))
		event := e.emitOf(openaiapi.ResponseEventTypeReasoningSummaryTextDone)
		event.SummaryIndex, event.Text = index, part.Text
		event = e.emitOf(openaiapi.ResponseEventTypeReasoningSummaryPartDone)
		event.SummaryIndex, event.Part = index, part
	}
	e.item.Summary = append(e.item.Summary, *part)
	t.part, t.text = -1, t.text[:0]
}

// endReasoning ends the summary and adds the token. The token is added even without a signature,
// because some clients drop an item without one.
func (e *encoder) endReasoning() {
	e.endThought()
	e.item.EncryptedContent = new(string(envelope.Append(nil, e.thoughts.entries...)))
	e.thoughts.entries = e.thoughts.entries[:0]
}

func summaryPart(text string) *openaiapi.ResponseContentPart {
	return &openaiapi.ResponseContentPart{Type: openaiapi.ResponseContentTypeSummaryText,
		Text: &text}
}
