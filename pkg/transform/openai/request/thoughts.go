package request

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai/internal/callid"
)

// withThoughts returns the message with its thoughts in reasoning_content, also where it has them in the members of
// other servers: in reasoning, in the pieces of reasoning_details, or in several of the three.
func (b *conversation) withThoughts(m *openaiapi.ChatMessage, at int) *openaiapi.ChatMessage {
	if m.Reasoning == nil && len(m.ReasoningDetails) == 0 {
		return m
	}
	inPieces := ""
	for i := range m.ReasoningDetails {
		piece := &m.ReasoningDetails[i]
		inPieces += optional.Value(piece.Text) + optional.Value(piece.Summary)
		b.reportPiece(piece, location{message: at, list: "reasoning_details", item: i})
	}
	thoughts := cmp.Or(optional.Value(m.ReasoningContent), optional.Value(m.Reasoning), inPieces)
	if reasoning := optional.Value(m.Reasoning); reasoning != "" && reasoning != thoughts {
		b.report.Add(transform.Lost, location{message: at}.pointer("/reasoning"), "reasoning_content counts")
	}
	if inPieces != "" && inPieces != thoughts {
		b.losePieces(m, at)
	}
	out := *m
	out.ReasoningContent = &thoughts
	return &out
}

// losePieces reports the texts of pieces that differ from the thoughts of the message.
func (b *conversation) losePieces(m *openaiapi.ChatMessage, at int) {
	for i := range m.ReasoningDetails {
		visitMembersOfReasoningDetail(&m.ReasoningDetails[i], func(name string) {
			if name == "text" || name == "summary" {
				b.report.Add(transform.Lost, location{message: at, list: "reasoning_details", item: i}.pointer("/"+name), "the message tells other thoughts besides, which count")
			}
		})
	}
}

// reportPiece reports the members of a piece that are no thoughts, except what is used: Gemini's signatures, with the
// ids of their calls.
func (b *conversation) reportPiece(piece *openaiapi.ReasoningDetail, at location) {
	signs := signatureOfPiece(piece) != nil
	visitMembersOfReasoningDetail(piece, func(name string) {
		switch name {
		case "type":
			if !pieceTypes[piece.Type] {
				b.report.Add(transform.Approximated, at.pointer("/type"), "no such type; what the piece has counts")
			}
		case "index":
			if *piece.Index != at.item {
				b.report.Add(transform.Approximated, at.pointer("/index"), "the order of the list counts")
			}
		case "format", "id":
			if !signs {
				b.report.Add(transform.Approximated, at.pointer("/"+name), "describes the thoughts; Gemini is told their text alone")
			}
		case "data", "signature":
			if !signs || name == "signature" {
				b.report.Add(transform.Lost, at.pointer("/"+name), "only the maker of another model understands it")
			}
		}
	})
	b.loseUnknownIn(at, "", piece.Unknown)
}

// pieceTypes are the types of pieces of thoughts that OpenRouter names (openrouter.ai/docs/use-cases/reasoning-tokens).
// It is never written to.
var pieceTypes = map[string]bool{"reasoning.text": true, "reasoning.summary": true, "reasoning.encrypted": true}

// signatureOfPiece returns the thought signature that a piece holds, nil for one of another maker.
func signatureOfPiece(piece *openaiapi.ReasoningDetail) *string {
	if optional.Value(piece.Format) != "google-gemini-v1" || optional.Value(piece.Data) == "" {
		return nil
	}
	return piece.Data
}

// finish adds the turn to the conversation, with the signatures that reasoning_details have for its parts.
func (a *answer) finish() error {
	for i := range a.message.ReasoningDetails {
		piece := &a.message.ReasoningDetails[i]
		if signature := signatureOfPiece(piece); signature != nil {
			a.signByPiece(signature, optional.Value(piece.ID), a.at("reasoning_details", i))
		}
	}
	return a.add(a.turn)
}

// signByPiece gives a signature to the call of an id. Without such a call it is the first call's, or the last text's.
func (a *answer) signByPiece(signature *string, id string, at location) {
	part := a.callOfPiece(id)
	if part == nil {
		if id != "" {
			a.report.Add(transform.Approximated, at.pointer("/id"), "the message has no call of that id")
		}
		part = cmp.Or(firstCall(a.turn.parts), lastText(a.turn.parts))
	}
	switch {
	case part == nil:
		a.keep(&geminiapi.Part{ThoughtSignature: signature})
	case optional.Value(part.ThoughtSignature) == "":
		part.ThoughtSignature = signature
	case *part.ThoughtSignature != *signature:
		a.report.Add(transform.Lost, at.pointer("/data"), "the message has another signature besides, which counts")
	}
}

// callOfPiece returns the part of the call of an id, nil where there is none.
func (a *answer) callOfPiece(id string) *geminiapi.Part {
	calls := a.turn.calls
	for i := range a.turn.parts {
		part := &a.turn.parts[i]
		if part.FunctionCall == nil || len(calls) == 0 {
			continue
		}
		if id != "" && calls[0].id == callid.WithoutSignature(id) {
			return part
		}
		calls = calls[1:]
	}
	return nil
}
