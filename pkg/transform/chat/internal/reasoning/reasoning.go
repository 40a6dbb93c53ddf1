// Package reasoning reads the thoughts in messages and deltas of chat completions. OpenAI has no
// member for thoughts, so it reads the members of other servers: reasoning_content (DeepSeek),
// reasoning and reasoning_details (OpenRouter), and thinking_blocks (LiteLLM).
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

// Members are the members of a message or a delta that may hold its thoughts.
type Members struct {
	// Content is reasoning_content, and Reasoning is reasoning.
	Content, Reasoning string
	// ContentMember is the name of the member that Content comes from; "" means reasoning_content.
	ContentMember string
	// Details are the pieces in reasoning_details.
	Details []openaiapi.ReasoningDetail
	// Blocks are the blocks in thinking_blocks.
	Blocks []Block
}

// Block is a block of thinking_blocks, in which LiteLLM passes on Anthropic's thinking
// (docs.litellm.ai/docs/reasoning_content).
type Block struct {
	Type      string         `json:"type"`
	Thinking  *string        `json:"thinking"`
	Signature *string        `json:"signature"`
	Data      *string        `json:"data"` // of redacted_thinking
	Unknown   jsontext.Value `json:",embed"`
}

// Text returns the thoughts of the first member that has any. Servers that send several members
// repeat the same thoughts in each.
func (m *Members) Text() string { return cmp.Or(m.Content, m.Reasoning, m.inPieces(), m.inBlocks()) }

// Member returns the pointer, relative to the message, of the member that [Members.Text] comes
// from.
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

// inPieces returns the thoughts of the pieces.
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

// inBlocks returns the thoughts of the blocks.
func (m *Members) inBlocks() string {
	var out strings.Builder
	for i := range m.Blocks {
		out.WriteString(jsonx.Deref(m.Blocks[i].Thinking))
	}
	return out.String()
}

// Report reports the members that the thoughts do not show, except unknown members of pieces.
// Pointers are relative to the message.
func (m *Members) Report(add func(kind report.Kind, pointer, detail string)) {
	thoughts, inPieces := m.Text(), m.inPieces()
	if m.Reasoning != "" && m.Reasoning != thoughts {
		add(report.Lost, "/reasoning", "reasoning_content is used instead")
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

// report reports the members of a block that are not thoughts. It reports the block's thoughts too,
// unless they are the thoughts of the message.
func (b *Block) report(isShown bool, add func(kind report.Kind, member, detail string)) {
	if b.Type != "thinking" && b.Type != "redacted_thinking" {
		add(report.Approximated, "type", "unknown type; the members of the block determine its type")
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
	detailOtherThoughts = "the message has other thoughts, which are used"
	detailForeign       = "only the provider of another model can read it"
)

// piece is a piece of reasoning_details at a position.
type piece struct {
	*openaiapi.ReasoningDetail
	position int
	isShown  bool // Its text is one of the thoughts.
}

// report reports the members of a piece that are not thoughts, except those that are used: Gemini's
// signatures and the ids of their calls. Gemini would refuse the signatures of other providers.
func (p piece) report(add func(kind report.Kind, member, detail string)) {
	signs := Signature(p.ReasoningDetail) != nil
	visitMembersOfReasoningDetail(p.ReasoningDetail, func(name string) {
		switch name {
		case "type":
			if !pieceTypes[p.Type] {
				add(report.Approximated, name, "unknown type; the members of the piece determine its type")
			}
		case "index":
			if *p.Index != p.position {
				add(report.Approximated, name, "the order of the list is used instead")
			}
		case "text", "summary":
			if !p.isShown {
				add(report.Lost, name, detailOtherThoughts)
			}
		case "format", "id":
			if !signs || name == "format" && *p.Format != geminiFormat {
				add(report.Approximated, name,
					"omitted, because it describes the thoughts, and Gemini gets only their text")
			}
		default:
			if !signs || name != "data" {
				add(report.Lost, name, detailForeign)
			}
		}
	})
}

// pieceTypes lists the types of pieces that OpenRouter documents
// (openrouter.ai/docs/use-cases/reasoning-tokens). It is never modified.
var pieceTypes = map[string]bool{"reasoning.text": true, "reasoning.summary": true,
	"reasoning.encrypted": true}
