package request

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/openai/internal/callid"
)

// withThoughts returns the message with its thoughts in reasoning_content, also where it has them in the members of
// other servers: in reasoning, in the pieces of reasoning_details, or in several of the three.
func (b *history) withThoughts(m *openaiapi.ChatMessage, at int) *openaiapi.ChatMessage {
	if m.Reasoning == nil && len(m.ReasoningDetails) == 0 {
		return m
	}
	inPieces := ""
	for i := range m.ReasoningDetails {
		piece := &m.ReasoningDetails[i]
		inPieces += optional.Value(piece.Text) + optional.Value(piece.Summary)
		b.reportPiece(piece, b.At(at).In("reasoning_details", i))
	}
	thoughts := cmp.Or(optional.Value(m.ReasoningContent), optional.Value(m.Reasoning), inPieces)
	if reasoning := optional.Value(m.Reasoning); reasoning != "" && reasoning != thoughts {
		b.Report.Add(transform.Lost, b.At(at).Pointer("/reasoning"), "reasoning_content counts")
	}
	if inPieces != "" && inPieces != thoughts {
		b.losePieces(m, at)
	}
	out := *m
	out.ReasoningContent = &thoughts
	return &out
}

// losePieces reports the texts of pieces that differ from the thoughts of the message.
func (b *history) losePieces(m *openaiapi.ChatMessage, at int) {
	for i := range m.ReasoningDetails {
		visitMembersOfReasoningDetail(&m.ReasoningDetails[i], func(name string) {
			if name == "text" || name == "summary" {
				b.Report.Add(transform.Lost, b.At(at).In("reasoning_details", i).Pointer("/"+name), "the message tells other thoughts besides, which count")
			}
		})
	}
}

// reportPiece reports the members of a piece that are no thoughts, except what is used: Gemini's signatures, with the
// ids of their calls.
func (b *history) reportPiece(piece *openaiapi.ReasoningDetail, at conversation.Location) {
	signs := signatureOfPiece(piece) != nil
	visitMembersOfReasoningDetail(piece, func(name string) {
		switch name {
		case "type":
			if !pieceTypes[piece.Type] {
				b.Report.Add(transform.Approximated, at.Pointer("/type"), "no such type; what the piece has counts")
			}
		case "index":
			if *piece.Index != at.Item {
				b.Report.Add(transform.Approximated, at.Pointer("/index"), "the order of the list counts")
			}
		case "format", "id":
			if !signs {
				b.Report.Add(transform.Approximated, at.Pointer("/"+name), "describes the thoughts; Gemini is told their text alone")
			}
		case "data", "signature":
			if !signs || name == "signature" {
				b.Report.Add(transform.Lost, at.Pointer("/"+name), "only the maker of another model understands it")
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
	return a.add(&a.turn)
}

// signByPiece gives a signature to the call of an id. Without such a call it is the first call's, or the last text's.
func (a *answer) signByPiece(signature *string, id string, at conversation.Location) {
	part := a.callOfPiece(id)
	if part == nil {
		if id != "" {
			a.Report.Add(transform.Approximated, at.Pointer("/id"), "the message has no call of that id")
		}
		part = cmp.Or(conversation.FirstCall(a.turn.Parts), conversation.LastText(a.turn.Parts))
	}
	switch {
	case part == nil:
		a.keep(&geminiapi.Part{ThoughtSignature: signature})
	case optional.Value(part.ThoughtSignature) == "":
		part.ThoughtSignature = signature
	case *part.ThoughtSignature != *signature:
		a.Report.Add(transform.Lost, at.Pointer("/data"), "the message has another signature besides, which counts")
	}
}

// callOfPiece returns the part of the call of an id, nil where there is none.
func (a *answer) callOfPiece(id string) *geminiapi.Part {
	calls := a.turn.Calls
	for i := range a.turn.Parts {
		part := &a.turn.Parts[i]
		if part.FunctionCall == nil || len(calls) == 0 {
			continue
		}
		if id != "" && calls[0].ID == callid.WithoutSignature(id) {
			return part
		}
		calls = calls[1:]
	}
	return nil
}
