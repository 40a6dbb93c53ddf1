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

// seal is a signature that thinking has brought for a part behind it.
type seal struct {
	envelope.Entry
	at conversation.Location // the thinking
}

const detailForeign = "only the maker of another model understands it"

// addThinking adds thoughts of Gemini's, with what their signature carries. Those of other models
// are left out: their signature is not one of ours.
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

// addRedacted reads what package messages may have written in place of thoughts that are not shown.
func (a *answer) addRedacted(block *anthropicapi.ContentBlock, at conversation.Location) {
	entries, ok := envelope.Parse(jsonx.Deref(block.Data))
	if !ok {
		a.loseThinking(jsonx.Deref(block.Data), at)
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
	a.Report.Add(report.Lost, at.Pointer(""), detail)
}

// take keeps the signatures of parts that follow, and adds the parts that the API has no block for.
func (a *answer) take(entries []envelope.Entry, at conversation.Location) {
	for i := range entries {
		switch e := &entries[i]; {
		case e.Part != "":
			a.addCopy(e, at)
		case e.Signature == "" || e.Kind == envelope.Thought:
		case a.isQueued(e):
			a.Report.Add(report.Approximated, at.Pointer("/signature"),
				"it is there twice, and signs once")
		default:
			a.seals[e.Kind] = append(a.seals[e.Kind], seal{*e, at})
		}
	}
}

// addCopy adds a part that came as a copy.
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

// isQueued reports whether the last signature of a kind that waits is the same, for the same part.
func (a *answer) isQueued(e *envelope.Entry) bool {
	waiting := a.seals[e.Kind]
	return len(waiting) > 0 && waiting[len(waiting)-1].Entry == *e
}

// sealOf takes the first signature for a part of a kind, nil when there is none.
func (a *answer) sealOf(kind envelope.Kind) *string {
	waiting := a.seals[kind]
	if len(waiting) == 0 {
		return nil
	}
	a.seals[kind] = waiting[1:]
	return &waiting[0].Signature
}

// endSeals ends a message whose thinking has brought signatures for parts that are not there. That
// of a text was on an empty one, as at the end of streams; that of a call or of anything else has
// lost what it signs.
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
	a.Report.Add(report.Lost, s.at.Pointer("/signature"), "what it signs is not in the message")
}
