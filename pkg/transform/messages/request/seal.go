package request

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/go-json-experiment/json"
)

// seal is a signature that thinking carries for a later part.
type seal struct {
	envelope.Entry
	at conversation.Location // of the thinking block
}

const detailForeign = "only the provider of another model can read it"

// addThinking adds Gemini's thoughts, with what their signature carries. Thoughts of other models
// are omitted; they are recognized by their signature.
func (a *answer) addThinking(block *anthropicapi.ContentBlock, at conversation.Location) {
	entries, ok := envelope.Parse(jsonx.Deref(block.Signature))
	if !ok {
		a.loseThinking(jsonx.Deref(block.Signature), at)
		return
	}
	if jsonx.Deref(block.Thinking) != "" {
		thought := geminiapi.Part{Text: block.Thinking, Thought: new(true)}
		for i := range entries {
			if entries[i].Kind == envelope.Thought && entries[i].Part == "" {
				thought.ThoughtSignature = jsonx.NonEmpty(entries[i].Signature)
			}
		}
		a.turn.Parts = append(a.turn.Parts, thought)
	}
	a.take(entries, at)
}

// addRedacted reads a token that package messages may have written in place of hidden thoughts.
func (a *answer) addRedacted(block *anthropicapi.ContentBlock, at conversation.Location) {
	entries, ok := envelope.Parse(jsonx.Deref(block.Data))
	if !ok {
		a.loseThinking(jsonx.Deref(block.Data), at)
		return
	}
	a.take(entries, at)
}

// loseThinking reports thoughts whose signature or token cannot be read.
func (a *answer) loseThinking(token string, at conversation.Location) {
	detail := detailForeign
	if envelope.IsToken(token) {
		detail = conversation.DetailDamaged
	}
	a.Report.Add(report.Lost, at.Pointer(""), detail)
}

// take keeps the signatures of later parts, and adds the parts that the API has no block for.
func (a *answer) take(entries []envelope.Entry, at conversation.Location) {
	for i := range entries {
		switch e := &entries[i]; {
		case e.Part != "":
			a.addCopy(e, at)
		case e.Signature == "" || e.Kind == envelope.Thought:
		case a.isQueued(e):
			a.Report.Add(report.Approximated, at.Pointer("/signature"),
				"it appears twice and signs one part")
		default:
			a.seals[e.Kind] = append(a.seals[e.Kind], seal{*e, at})
		}
	}
}

// addCopy adds a part that was sent as a copy.
func (a *answer) addCopy(e *envelope.Entry, at conversation.Location) {
	var part geminiapi.Part
	if err := json.Unmarshal([]byte(e.Part), &part); err != nil {
		a.Report.Add(report.Lost, at.Pointer("/signature"), "the part in it cannot be read")
		return
	}
	if e.Signature != "" {
		part.ThoughtSignature = &e.Signature
	}
	a.turn.Parts = conversation.AppendPart(a.turn.Parts, &part)
	a.hasCode = a.hasCode || part.ExecutableCode != nil
}

// isQueued reports whether the last waiting signature of its kind is equal, for the same part.
func (a *answer) isQueued(e *envelope.Entry) bool {
	waiting := a.seals[e.Kind]
	return len(waiting) > 0 && waiting[len(waiting)-1].Entry == *e
}

// sealOf removes and returns the first signature for a part of a kind, or nil.
func (a *answer) sealOf(kind envelope.Kind) *string {
	waiting := a.seals[kind]
	if len(waiting) == 0 {
		return nil
	}
	a.seals[kind] = waiting[1:]
	return &waiting[0].Signature
}

// endSeals ends a message whose thinking carries signatures for parts that are missing. The
// signature of a text belongs to an empty text, as at the end of streams. Other signatures have
// lost their part.
func (a *answer) endSeals() {
	for kind, waiting := range a.seals {
		for i := range waiting {
			a.endSeal(envelope.Kind(kind), &waiting[i])
		}
	}
}

func (a *answer) endSeal(kind envelope.Kind, s *seal) {
	if kind == envelope.Text {
		a.turn.Parts = conversation.AppendPart(a.turn.Parts,
			&geminiapi.Part{ThoughtSignature: &s.Signature})
		return
	}
	a.Report.Add(report.Lost, s.at.Pointer("/signature"), "the signed part is not in the message")
}
