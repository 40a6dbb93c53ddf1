package messages

import (
	"slices"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

// thinking adds a piece of the summary of the model's thoughts.
func (e *encoder) thinking(text string, at answer.PartLocation) {
	switch {
	case e.noThinking:
		e.entries.Add(report.Lost, at, "", detailNoThinking)
	case text == "":
	case e.visible > 0:
		e.end()
		e.held = append(e.held, heldThought{text, at})
	default:
		e.think(text)
	}
}

// thought adds a part of the model's thoughts, with the signature that it has, if any.
func (e *encoder) thought(text, signature string, at answer.PartLocation) {
	e.thinking(text, at)
	if !e.noThinking {
		e.signed(envelope.Thought, signature, at)
	}
}

// think adds to the thinking block, which it begins if it must.
func (e *encoder) think(text string) {
	if e.open != anthropicapi.BlockTypeThinking {
		e.beginThinking()
	}
	if text != "" {
		e.addThinking(text)
	}
}

func (e *encoder) beginThinking() {
	e.end()
	block := e.newBlock(anthropicapi.BlockTypeThinking)
	block.Thinking, block.Signature = &noText, &noText
	e.begin(block)
}

// signed takes the signature of a part that the next block, or none, stands for: it is that of the
// thinking block before it. Behind a text, it waits for a block.
func (e *encoder) signed(kind envelope.Kind, value string, at answer.PartLocation) {
	if value == "" {
		return
	}
	if e.noThinking {
		e.loseSignature(at)
		return
	}
	e.signing = append(e.signing,
		signature{envelope.Entry{Kind: kind, Ordinal: e.visible, Signature: value}, at})
}

func (e *encoder) loseSignature(at answer.PartLocation) {
	e.entries.Add(report.Lost, at, "/thoughtSignature", detailNoSignature)
}

// settle adds the thinking that has to stand before the next block: thoughts that were held, and a
// block for signatures that wait. It ends the block before.
func (e *encoder) settle() {
	for _, held := range e.held {
		e.think(held.text)
	}
	e.held = e.held[:0]
	if e.unaskedThinking && e.open != anthropicapi.BlockTypeThinking {
		e.loseUnasked()
	}
	if len(e.signing) > 0 && e.open != anthropicapi.BlockTypeThinking {
		e.beginThinking()
	}
	e.end()
}

// loseUnasked reports the signatures of empty texts and empty thoughts: no block is added for them
// that the client has not asked for.
func (e *encoder) loseUnasked() {
	e.signing = slices.DeleteFunc(e.signing, func(s signature) bool {
		if s.entry.Kind != envelope.Text && s.entry.Kind != envelope.Thought {
			return false
		}
		e.loseSignature(s.at)
		return true
	})
}

// sign gives the open thinking block its one signature, which clients want from each.
func (e *encoder) sign() {
	var room [2]envelope.Entry
	entries := room[:0]
	for _, s := range e.signing {
		entries = append(entries, s.entry)
	}
	if len(entries) == 0 {
		entries = append(entries, envelope.Entry{Kind: envelope.None})
	}
	e.signing = e.signing[:0]
	e.addSignature(string(envelope.Append(nil, entries...)))
}

// endThinking ends the thinking at the end of a message: what stands behind the last text, or
// behind the last call, has no place.
func (e *encoder) endThinking() {
	for _, held := range e.held {
		e.entries.Add(report.Lost, held.at, "", detailBehindText)
	}
	e.held = nil
	if e.open == anthropicapi.BlockTypeThinking || len(e.signing) > 0 && e.begun == 0 {
		e.settle()
		return
	}
	e.loseSigning()
}

const (
	detailNoThinking  = "the request does not allow thinking"
	detailNoSignature = "no thinking block can stand where it would have to"
	detailBehindText  = "it is the last of the message, which must not end in thinking"
)
