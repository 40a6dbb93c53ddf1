package request

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/messages/internal/textsignature"
)

// answer is a message of the model while it is converted to a turn.
type answer struct {
	*history
	message *anthropicapi.InputMessage
	turn    conversation.Turn
	// seals are the signatures that thinking carries for later parts, by kind and in order.
	seals [envelope.Other + 1][]seal
	// hasCode is true after code whose output could follow. hasContent is true if content of the
	// message becomes text of the user.
	hasCode, hasContent bool
	// mcpTools are the tools that calls of MCP servers use, by the ids of the calls.
	mcpTools map[string]string
}

// answer converts a message of the model, block by block.
func (b *history) answer(m *anthropicapi.InputMessage, index int) error {
	a := answer{history: b, message: m,
		turn: conversation.Turn{Role: conversation.Model, Index: index}}
	blocks := blocksOf(m)
	a.turn.Parts = make([]geminiapi.Part, 0, len(blocks))
	for i := range blocks {
		if err := a.block(&blocks[i], b.blockLocation(m, index, i)); err != nil {
			return err
		}
	}
	a.endSeals()
	switch {
	case len(a.turn.Parts) > 0 || isEmpty(m):
		return b.add(&a.turn)
	case !a.hasContent:
		b.Report.Add(report.Approximated, b.At(index).Pointer(""),
			"omitted, because no member of it is for Gemini")
	}
	return nil
}

// block converts a block of the model's message.
func (a *answer) block(block *anthropicapi.ContentBlock, at conversation.Location) error {
	switch blockType(block) {
	case anthropicapi.BlockTypeText:
		a.addText(block, at)
	case anthropicapi.BlockTypeThinking:
		a.loseBlockMembers(block, at, inThinking)
		a.addThinking(block, at)
	case anthropicapi.BlockTypeRedactedThinking:
		a.loseBlockMembers(block, at, inRedacted)
		a.addRedacted(block, at)
	case anthropicapi.BlockTypeToolUse:
		a.loseBlockMembers(block, at, inToolUse)
		return a.addCall(block, at)
	case anthropicapi.BlockTypeImage, anthropicapi.BlockTypeDocument:
		return a.addMedia(block, at)
	case anthropicapi.BlockTypeFallback:
		a.Report.Add(report.Approximated, at.Pointer(""),
			"omitted, because it says which model has answered, which Gemini does not use")
	case anthropicapi.BlockTypeCompaction:
		a.loseBlockMembers(block, at, inCompaction)
		return a.addCompaction(block, at)
	default:
		return a.serverBlock(block, at)
	}
	return nil
}

// addText adds a text. Citations describe an answer and are not repeated in a request.
func (a *answer) addText(block *anthropicapi.ContentBlock, at conversation.Location) {
	rest := *block
	rest.Unknown = textsignature.Without(block.Unknown)
	a.loseBlockMembers(&rest, at, inText)
	before := len(a.turn.Parts)
	a.addPieces(block, at)
	switch isKept := len(a.turn.Parts) > before; {
	case isKept:
	case block.Text == nil:
		a.LoseText(at)
	case at.List != "":
		a.Report.Add(report.Approximated, at.Pointer(""), "omitted, because it is empty")
	}
}

// addPieces adds the parts that the text of a block was made from: one part, unless the extension
// lists several. A signature of the extension takes precedence over one that thinking carries,
// because it cannot belong to another text.
func (a *answer) addPieces(block *anthropicapi.ContentBlock, at conversation.Location) {
	text, brought := jsonx.Deref(block.Text), a.sealOf(envelope.Text)
	pieces, ok := textsignature.Of(block.Unknown, text)
	if !ok {
		const detail = "it signs another text, or cannot be read"
		a.Report.Add(report.Lost, at.Pointer("/"+textsignature.Member), detail)
	}
	if !ok || pieces == nil {
		whole := geminiapi.Part{Text: block.Text, ThoughtSignature: brought}
		a.turn.Parts = conversation.AppendPart(a.turn.Parts, &whole)
		return
	}
	for i := range pieces {
		part := geminiapi.Part{Text: new(text[:pieces[i].Length])}
		part.ThoughtSignature = jsonx.NonEmpty(pieces[i].Signature)
		if i == 0 && part.ThoughtSignature == nil {
			part.ThoughtSignature = brought
		}
		a.turn.Parts = conversation.AppendPart(a.turn.Parts, &part)
		text = text[pieces[i].Length:]
	}
}

// addMedia adds media of the model. Anthropic's models do not produce media.
func (a *answer) addMedia(block *anthropicapi.ContentBlock, at conversation.Location) error {
	parts, err := a.media(block, at)
	if err != nil {
		return err
	}
	if signature := a.sealOf(envelope.Other); signature != nil && len(parts) > 0 {
		parts[len(parts)-1].ThoughtSignature = signature
	}
	a.turn.Parts = append(a.turn.Parts, parts...)
	return nil
}

// addCompaction adds the summary that replaces the conversation so far. It becomes text of the
// user, before what follows.
func (a *answer) addCompaction(block *anthropicapi.ContentBlock, at conversation.Location) error {
	if len(a.turn.Parts) > 0 {
		if err := a.Add(&a.turn); err != nil {
			return err
		}
		a.turn, a.hasCode = conversation.Turn{Role: conversation.Model, Index: a.turn.Index}, false
	}
	parts, err := a.compaction(block, at)
	if err != nil || len(parts) == 0 {
		return err
	}
	a.hasContent = true
	a.Report.Add(report.Approximated, at.Pointer(""), "converted to text of the user, before what follows")
	return a.Add(&conversation.Turn{Role: conversation.User, Parts: parts, Index: a.turn.Index})
}

// keepCall adds the part of a call, and registers the call because it needs a result.
func (a *answer) keepCall(part *geminiapi.Part, id string, at conversation.Location) {
	a.turn.Calls = append(a.turn.Calls, conversation.Call{
		ID: id, WireID: part.FunctionCall.ID, Name: jsonx.Deref(part.FunctionCall.Name), At: at,
	})
	a.turn.Parts = append(a.turn.Parts, *part)
}
