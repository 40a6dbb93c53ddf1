package request

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/go-json-experiment/json"
)

// seal is a signature that thinking has brought for a part behind it.
type seal struct {
	envelope.Entry
	at conversation.Location // the thinking
}

const detailForeign = "only the maker of another model understands it"

// addThinking adds thoughts of Gemini's, with what their signature carries. Those of other models are left out: their
// signature is not one of ours.
func (a *answer) addThinking(block *anthropicapi.ContentBlock, at conversation.Location) {
	entries, ok := envelope.Parse(optional.Value(block.Signature))
	if !ok {
		a.loseThinking(optional.Value(block.Signature), at)
		return
	}
	if optional.Value(block.Thinking) != "" {
		thought := geminiapi.Part{Text: block.Thinking, Thought: new(true)}
		for i := range entries {
			if entries[i].Kind == envelope.Thought && entries[i].Part == "" {
				thought.ThoughtSignature = optional.Text(entries[i].Signature)
			}
		}
		a.turn.Parts = append(a.turn.Parts, thought)
	}
	a.take(entries, at)
}

// addRedacted reads what package messages may have written in place of thoughts that are not shown.
func (a *answer) addRedacted(block *anthropicapi.ContentBlock, at conversation.Location) {
	entries, ok := envelope.Parse(optional.Value(block.Data))
	if !ok {
		a.loseThinking(optional.Value(block.Data), at)
		return
	}
	a.take(entries, at)
}

// loseThinking reports thoughts whose signature, or what stands in place of them, cannot be read.
func (a *answer) loseThinking(token string, at conversation.Location) {
	detail := detailForeign
	if envelope.IsToken(token) {
		detail = conversation.DetailDamaged
	}
	a.Report.Add(transform.Lost, at.Pointer(""), detail)
}

// take keeps the signatures of parts that follow, and adds the parts that the API has no block for.
func (a *answer) take(entries []envelope.Entry, at conversation.Location) {
	for i := range entries {
		switch e := &entries[i]; {
		case e.Part != "":
			a.addCopy(e, at)
		case e.Signature == "" || e.Kind == envelope.Thought:
		default:
			a.seals = append(a.seals, seal{*e, at})
		}
	}
}

// addCopy adds a part that came as a copy.
func (a *answer) addCopy(e *envelope.Entry, at conversation.Location) {
	var part geminiapi.Part
	if err := json.Unmarshal([]byte(e.Part), &part); err != nil {
		a.Report.Add(transform.Lost, at.Pointer("/signature"), "the part in it cannot be read")
		return
	}
	if e.Signature != "" {
		part.ThoughtSignature = &e.Signature
	}
	a.turn.Parts = conversation.AppendPart(a.turn.Parts, &part)
}

// sealOf takes the first signature for a part of a kind, nil when there is none.
func (a *answer) sealOf(kind envelope.Kind) *string {
	for i := range a.seals {
		if a.seals[i].Kind == kind {
			signature := a.seals[i].Signature
			a.seals = append(a.seals[:i:i], a.seals[i+1:]...)
			return &signature
		}
	}
	return nil
}

// endSeals ends a message whose thinking has brought signatures for parts that are not there. That of a text was on an
// empty one, as at the end of streams; that of a call or of anything else has lost what it signs.
func (a *answer) endSeals() {
	for i := range a.seals {
		s := &a.seals[i]
		if s.Kind == envelope.Text {
			a.turn.Parts = conversation.AppendPart(a.turn.Parts, &geminiapi.Part{ThoughtSignature: &s.Signature})
			continue
		}
		a.Report.Add(transform.Lost, s.at.Pointer("/signature"), "what it signs is not in the message")
	}
}
