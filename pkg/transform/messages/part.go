package messages

import (
	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

// text adds a piece of the answer's text, with the signature of its part or "". The signature is
// carried by thoughts directly before the block, else by an extension of the block. A separate
// empty thinking block would be the first block, and the client has not asked for it. A stream also
// has the signature only after the text.
func (e *encoder) text(text, signature string, at answer.PartLocation) {
	isOpen := e.open == anthropicapi.BlockTypeText
	switch {
	case text == "" && !isOpen:
		e.signed(envelope.Text, signature, at)
		return
	case isOpen && len(e.signing) > 0: // the signature of an empty thought within the text
		e.loseSigning()
	case isOpen:
	default:
		if e.open == anthropicapi.BlockTypeThinking || len(e.held) > 0 {
			e.signed(envelope.Text, signature, at)
			signature = ""
		}
		e.beginText()
	}
	e.extension.Add(text, signature)
	if text != "" {
		e.addText(text)
	}
}

// loseSigning reports the waiting signatures as lost, because nothing can carry them.
func (e *encoder) loseSigning() {
	for _, s := range e.signing {
		e.loseSignature(s.entry.Kind, s.at)
	}
	e.signing = e.signing[:0]
}

func (e *encoder) beginText() {
	e.settle()
	block := e.newBlock(anthropicapi.BlockTypeText)
	block.Text = &noText
	e.begin(block)
}

// noText is never modified.
var noText string

// unshownPart reports what the message does not show of a part, apart from what its block shows.
func (e *encoder) unshownPart(rest *geminiapi.Part, at answer.PartLocation) {
	if rest != nil {
		e.entries.AddUnshown(at, rest, unshown.Nothing, detailNoCounterpart)
	}
}

// block adds a complete block that is not a text, a thought or a call.
func (e *encoder) block(b *normalize.Block, at answer.PartLocation) {
	switch {
	case b.Type == normalize.BlockCode && !b.Thought:
		e.code(b, at)
	case b.Type == normalize.BlockCodeResult && !b.Thought:
		e.codeResult(b, at)
	case b.Type == normalize.BlockSignature:
		e.text("", b.Signature, at)
		e.unshownPart(b.Extra, at)
	default:
		e.entries.Add(report.Lost, at, "", detailNoCounterpart)
	}
}

// startCall starts a call of a client's function. A thinking block before the call carries the
// signature if it is allowed, otherwise the id does. A client that has not asked for thinking gets
// no empty block.
func (e *encoder) startCall(id, name, signature string, at answer.PartLocation) {
	entry := envelope.Entry{Kind: envelope.Call, Ordinal: e.visible, Signature: signature}
	isInID := false
	if signature != "" && (e.noThinking || e.unaskedThinking || e.signedIDs) {
		if id, isInID = envelope.AppendToID(id, entry); !isInID && e.noThinking {
			e.loseSignature(entry.Kind, at)
		}
	}
	hasThoughts := e.open == anthropicapi.BlockTypeThinking || len(e.held) > 0
	if !e.noThinking && (!e.unaskedThinking || hasThoughts || !isInID) {
		e.signed(envelope.Call, signature, at)
	}
	e.settle()
	e.beginCall(anthropicapi.BlockTypeToolUse, id, request.ToolName(e.tools, name))
}

// callID returns the unique id of a call: Gemini's own, or a generated one.
func (e *encoder) callID(id string, isMade bool, part int, at answer.PartLocation) string {
	out := e.safeCallID(id, isMade, part)
	if isMade {
		e.entries.Add(report.Added, at, "/functionCall/id", "the call has no id")
	}
	if unique := e.unique(out); unique != out {
		e.entries.Add(report.Approximated, at, "/functionCall/id", "replaced, because an earlier call has the id")
		out = unique
	}
	return out
}

// reportCall reports what a block does not show of a function call part, or of a piece of it.
func reportCall(entries *report.Report, part *geminiapi.Part) {
	answer.ReportCall(entries, part, callPartMembers, callMembers)
}
