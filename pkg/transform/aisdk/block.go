package aisdk

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// openBlock is the block that the next delta may continue. The zero value is no block.
type openBlock struct {
	kind    blockKind
	id      string
	hasText bool
	signed  bool
}

// blockKind is text or reasoning.
type blockKind int

const (
	noBlock blockKind = iota
	textBlock
	reasoningBlock
)

func (s *Stream) text(e *normalize.Event) { s.delta(textBlock, e.Text, metadataOf(e)) }

func (s *Stream) thinking(e *normalize.Event) { s.delta(reasoningBlock, e.Text, metadataOf(e)) }

// signature signs a part whose text is empty or was already sent, with a delta without text.
func (s *Stream) signature(e *normalize.Event) {
	switch {
	case e.BlockType == normalize.BlockToolCall:
		s.addInput(aisdkapi.ToolInputDelta{ID: s.input.id,
			ProviderMetadata: metadataOf(e).provider()})
	case e.BlockType == normalize.BlockThinking:
		s.delta(reasoningBlock, "", metadataOf(e))
	case e.BlockType == normalize.BlockText:
		s.delta(textBlock, "", metadataOf(e))
	default:
		s.delta(s.kindOfSigned(e), "", metadataOf(e))
	}
}

// kindOfSigned returns the kind of block for a part that has only a signature. It is the kind of
// the open block, because the SDK does not send back a block without text.
func (s *Stream) kindOfSigned(e *normalize.Event) blockKind {
	switch {
	case e.Thought:
		return reasoningBlock
	case s.open.kind != noBlock && !s.open.signed:
		return s.open.kind
	default:
		return textBlock
	}
}

func (s *Stream) redactedThinking(b *normalize.Block) {
	m := blockMetadata(b)
	m.Thought = false // the kind of the block shows it
	m.RedactedData = b.Data
	s.delta(reasoningBlock, "", m)
}

// delta adds a delta to the open block of a kind, or to a new block. The SDK sends a block back as
// one part, with the metadata of its last delta. So nothing in a block may follow a signature. A
// signed text is a block of its own, because the signature is for exactly that text. A signature
// without text signs the block before it, because the SDK does not send back a block without text.
func (s *Stream) delta(kind blockKind, text string, m partMetadata) {
	signs := m.ThoughtSignature != ""
	if s.open.kind != kind || s.open.signed && !m.isEmpty() ||
		signs && text != "" && s.open.hasText {
		s.closeBlock()
		s.openBlock(kind)
	}
	s.open.signed = s.open.signed || signs
	s.open.hasText = s.open.hasText || text != ""
	if kind == textBlock {
		s.add(aisdkapi.TextDelta{ID: s.open.id, Delta: text, ProviderMetadata: m.provider()})
	} else {
		s.add(aisdkapi.ReasoningDelta{ID: s.open.id, Delta: text, ProviderMetadata: m.provider()})
	}
	if signs && s.open.hasText {
		s.closeBlock()
	}
}

func (s *Stream) openBlock(kind blockKind) {
	s.open = openBlock{kind: kind, id: strconv.Itoa(s.blocks)}
	s.blocks++
	if kind == textBlock {
		s.add(aisdkapi.TextStart{ID: s.open.id})
	} else {
		s.add(aisdkapi.ReasoningStart{ID: s.open.id})
	}
}

// closeBlock ends the open block, if any.
func (s *Stream) closeBlock() {
	switch s.open.kind {
	case textBlock:
		s.add(aisdkapi.TextEnd{ID: s.open.id})
	case reasoningBlock:
		s.add(aisdkapi.ReasoningEnd{ID: s.open.id})
	}
	s.open = openBlock{}
}
