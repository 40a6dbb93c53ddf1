// Package reasoning reads the thoughts of messages and deltas of chat_completions, which has no
// member for them, in the members that servers have for them: reasoning_content, which DeepSeek
// began with, OpenRouter's reasoning and reasoning_details, and LiteLLM's thinking_blocks.
package reasoning

//go:generate go run ../../../../../tools/codecgen members .:openaiapi.ReasoningDetail ../../../../../gen/geminiapi ../../../../../gen/openaiapi

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// Members are the members of a message or a delta that may have its thoughts.
type Members struct {
	// Content is reasoning_content, and Reasoning is reasoning.
	Content, Reasoning string
	// ContentMember is the name of the member that Content is of; "" stands for reasoning_content.
	ContentMember string
	// Details are the pieces in reasoning_details.
	Details []openaiapi.ReasoningDetail
	// Blocks are those in thinking_blocks.
	Blocks []Block
}

// Block is a block in thinking_blocks, in which LiteLLM passes on what Anthropic has
// (docs.litellm.ai/docs/reasoning_content).
type Block struct {
	Type      string         `json:"type"`
	Thinking  *string        `json:"thinking"`
	Signature *string        `json:"signature"`
	Data      *string        `json:"data"` // of redacted_thinking
	Unknown   jsontext.Value `json:",embed"`
}

// Text returns the thoughts: those of the first member that has any, as servers that send several
// say the same in each.
func (m *Members) Text() string { return cmp.Or(m.Content, m.Reasoning, m.inPieces(), m.inBlocks()) }

// Member returns the pointer below the message of the member that [Members.Text] is of.
func (m *Members) Member() string {
	switch {
	case m.Content != "":
		return "/" + cmp.Or(m.ContentMember, "reasoning_content")
	case m.Reasoning != "":
		return "/reasoning"
	case m.inPieces() != "":
		return "/reasoning_details"
	default:
		return "/thinking_blocks"
	}
}

// inPieces returns the thoughts in the pieces.
func (m *Members) inPieces() string {
	if len(m.Details) == 1 && m.Details[0].Summary == nil {
		return jsonx.Deref(m.Details[0].Text)
	}
	var out strings.Builder
	for i := range m.Details {
		out.WriteString(jsonx.Deref(m.Details[i].Text))
		out.WriteString(jsonx.Deref(m.Details[i].Summary))
	}
	return out.String()
}

// inBlocks returns the thoughts in the blocks.
func (m *Members) inBlocks() string {
	var out strings.Builder
	for i := range m.Blocks {
		out.WriteString(jsonx.Deref(m.Blocks[i].Thinking))
	}
	return out.String()
}

// Report reports what of the members the thoughts do not show, but for members of pieces that no
// description knows. Pointers are those below the message.
func (m *Members) Report(add func(kind report.Kind, pointer, detail string)) {
	thoughts, inPieces := m.Text(), m.inPieces()
	if m.Reasoning != "" && m.Reasoning != thoughts {
		add(report.Lost, "/reasoning", "reasoning_content counts")
	}
	for i := range m.Details {
		at := "/reasoning_details/" + strconv.Itoa(i) + "/"
		p := piece{&m.Details[i], i, inPieces == "" || inPieces == thoughts}
		p.report(func(kind report.Kind, member, detail string) { add(kind, at+member, detail) })
	}
	isShown := m.inBlocks() == thoughts
	for i := range m.Blocks {
		at := "/thinking_blocks/" + strconv.Itoa(i) + "/"
		m.Blocks[i].report(isShown,
			func(kind report.Kind, member, detail string) { add(kind, at+member, detail) })
	}
}

// report reports the members of a block that are no thoughts, and its thoughts unless they are
// those of the message.
func (b *Block) report(isShown bool, add func(kind report.Kind, member, detail string)) {
	if b.Type != "thinking" && b.Type != "redacted_thinking" {
		add(report.Approximated, "type", "no such type; what the block has counts")
	}
	if b.Thinking != nil && !isShown {
		add(report.Lost, "thinking", detailOtherThoughts)
	}
	if b.Signature != nil {
		add(report.Lost, "signature", detailForeign)
	}
	if b.Data != nil {
		add(report.Lost, "data", detailForeign)
	}
}

const (
	detailOtherThoughts = "the message tells other thoughts besides, which count"
	detailForeign       = "only the maker of another model understands it"
)

// piece is a piece of reasoning_details at a position.
type piece struct {
	*openaiapi.ReasoningDetail
	position int
	isShown  bool // Its text is one of the thoughts.
}

// report reports the members of a piece that are no thoughts, except what is used: Gemini's
// signatures, with the ids of their calls. Those of other makers Gemini would refuse.
func (p piece) report(add func(kind report.Kind, member, detail string)) {
	signs := Signature(p.ReasoningDetail) != nil
	visitMembersOfReasoningDetail(p.ReasoningDetail, func(name string) {
		switch name {
		case "type":
			if !pieceTypes[p.Type] {
				add(report.Approximated, name, "no such type; what the piece has counts")
			}
		case "index":
			if *p.Index != p.position {
				add(report.Approximated, name, "the order of the list counts")
			}
		case "text", "summary":
			if !p.isShown {
				add(report.Lost, name, detailOtherThoughts)
			}
		case "format", "id":
			if !signs || name == "format" && *p.Format != geminiFormat {
				add(report.Approximated, name,
					"describes the thoughts; Gemini is told their text alone")
			}
		default:
			if !signs || name != "data" {
				add(report.Lost, name, detailForeign)
			}
		}
	})
}

// pieceTypes are the types of pieces that OpenRouter names
// (openrouter.ai/docs/use-cases/reasoning-tokens). It is never written to.
var pieceTypes = map[string]bool{"reasoning.text": true, "reasoning.summary": true,
	"reasoning.encrypted": true}
