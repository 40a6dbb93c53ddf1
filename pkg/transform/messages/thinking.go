package messages

import (
	"slices"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

// thinking adds a piece of a thought summary.
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

// thought adds a thought part, with its signature or "".
func (e *encoder) thought(text, signature string, at answer.PartLocation) {
	e.thinking(text, at)
	if !e.noThinking {
		e.signed(envelope.Thought, signature, at)
	}
}

// think adds a text to the thinking block. It starts the block if needed.
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

// signed takes the signature of a part whose block, if any, comes next. The thinking block before
// it carries the signature. After a text, the signature waits for a thinking block.
func (e *encoder) signed(kind envelope.Kind, value string, at answer.PartLocation) {
	if value == "" {
		return
	}
	if e.noThinking {
		e.loseSignature(kind, at)
		return
	}
	e.signing = append(e.signing,
		signature{envelope.Entry{Kind: kind, Ordinal: e.visible, Signature: value}, at})
}

// loseSignature reports a signature that the message does not have. Gemini requires only those of
// calls.
func (e *encoder) loseSignature(kind envelope.Kind, at answer.PartLocation) {
	if kind == envelope.Text || kind == envelope.Thought {
		e.entries.Add(report.Approximated, at, "/thoughtSignature", detailOptionalSignature)
		return
	}
	e.entries.Add(report.Lost, at, "/thoughtSignature", detailNoSignature)
}

// settle adds the thinking that must precede the next block: held thoughts, and a block for waiting
// signatures. It ends the open block.
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

// loseUnasked reports the signatures of empty texts and empty thoughts as lost. The client has not
// asked for the block that they would need.
func (e *encoder) loseUnasked() {
	e.signing = slices.DeleteFunc(e.signing, func(s signature) bool {
		if s.entry.Kind != envelope.Text && s.entry.Kind != envelope.Thought {
			return false
		}
		e.loseSignature(s.entry.Kind, s.at)
		return true
	})
}

// sign sets the signature of the open thinking block. Clients require one in each block.
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

// endThinking ends the thinking at the end of a message. Thoughts after the last text or call are
// lost.
func (e *encoder) endThinking() {
	for _, held := range e.held {
		e.entries.Add(report.Lost, held.at, "", detailAfterText)
	}
	e.held = nil
	if e.open == anthropicapi.BlockTypeThinking || len(e.signing) > 0 && e.begun == 0 {
		e.settle()
		return
	}
	e.loseSigning()
}

const (
	detailNoThinking        = "the request does not allow thinking"
	detailOptionalSignature = "omitted, because Gemini does not require the signature of a text"
	detailNoSignature       = "no thinking block is allowed where the signature would have to be"
	detailAfterText         = "a message must not end in thinking"
)
