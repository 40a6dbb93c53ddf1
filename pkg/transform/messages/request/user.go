package request

import (
	"cmp"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
)

// ask converts a user message. Tool results follow their calls; everything else becomes a separate
// turn after them.
func (b *history) ask(m *anthropicapi.InputMessage, index int) error {
	if m.Content.IsZero() {
		return conversation.MissingContent(b.At(index))
	}
	blocks := blocksOf(m)
	lastResult := lastResultOf(blocks)
	var parts []geminiapi.Part
	results := false
	for i := range blocks {
		at := b.blockLocation(m, index, i)
		if blocks[i].Type == anthropicapi.BlockTypeToolResult {
			media, err := b.result(&blocks[i], at)
			if err != nil {
				return err
			}
			parts, results = append(parts, media...), true
			continue
		}
		said, err := b.said(&blocks[i], at)
		if err != nil {
			return err
		}
		if len(said) > 0 && i < lastResult {
			b.Report.Add(report.Approximated, at.Pointer(""),
				"moved after the results of calls that follow it")
		}
		if parts == nil {
			parts = said // a message with one block has only this one
		} else {
			parts = append(parts, said...)
		}
	}
	if len(parts) == 0 && results {
		return nil
	}
	if len(parts) == 0 {
		var err error
		if parts, err = b.Silence(b.At(index), isEmpty(m)); err != nil {
			return err
		}
	}
	return b.add(&conversation.Turn{Role: conversation.User, Parts: parts, Index: index})
}

// lastResultOf returns the index of the last block that is a tool result, or -1.
func lastResultOf(blocks []anthropicapi.ContentBlock) int {
	for i := len(blocks) - 1; i >= 0; i-- {
		if blocks[i].Type == anthropicapi.BlockTypeToolResult {
			return i
		}
	}
	return -1
}

// said converts a block of the user, or a nested block. It omits an empty text, which Claude Code
// has sent.
func (b *history) said(block *anthropicapi.ContentBlock,
	at conversation.Location) ([]geminiapi.Part, error) {
	switch blockType(block) {
	case anthropicapi.BlockTypeText:
		b.loseBlockMembers(block, at, inText)
		return b.text(block, at), nil
	case anthropicapi.BlockTypeImage, anthropicapi.BlockTypeDocument:
		return b.media(block, at)
	case anthropicapi.BlockTypeSearchResult:
		return b.searchResult(block, at), nil
	case anthropicapi.BlockTypeToolReference:
		b.loseBlockMembers(block, at, inToolReference)
		b.find(jsonx.Deref(block.ToolName))
		b.Report.Add(report.Approximated, at.Pointer(""),
			"sent at the start, where Gemini gets all tools")
		return nil, nil
	case anthropicapi.BlockTypeCompaction:
		b.loseBlockMembers(block, at, inCompaction)
		return b.compaction(block, at)
	case anthropicapi.BlockTypeContainerUpload:
		b.Report.Add(report.Lost, at.Pointer(""), "it is for a container at Anthropic")
	default:
		b.Report.Add(report.Lost, at.Pointer(""), "no such block is allowed here")
	}
	return nil, nil
}

// blockType returns the type of a block. Clients have omitted the type of text blocks.
func blockType(block *anthropicapi.ContentBlock) anthropicapi.BlockType {
	if block.Type == "" && block.Text != nil {
		return anthropicapi.BlockTypeText
	}
	return block.Type
}

// text returns the parts of a text block.
func (b *history) text(block *anthropicapi.ContentBlock,
	at conversation.Location) []geminiapi.Part {
	if block.Text == nil {
		b.LoseText(at)
		return nil
	}
	if *block.Text == "" {
		if at.List != "" {
			b.Report.Add(report.Approximated, at.Pointer(""), "omitted, because it is empty")
		}
		return nil
	}
	return []geminiapi.Part{{Text: block.Text}}
}

// compaction returns the summary of a part of the conversation as parts. It returns none if the
// server could not summarize.
func (b *history) compaction(block *anthropicapi.ContentBlock,
	at conversation.Location) ([]geminiapi.Part, error) {
	given, err := b.given(block, at)
	if err != nil {
		return nil, err
	}
	parts := given.parts(jsonx.Deref(block.Text))
	if len(parts) == 0 {
		b.Report.Add(report.Approximated, at.Pointer(""), "omitted, because it is empty")
	}
	return parts, nil
}

// searchResult returns a search result of the client as texts: its source and its content.
func (b *history) searchResult(block *anthropicapi.ContentBlock,
	at conversation.Location) []geminiapi.Part {
	b.loseBlockMembers(block, at, inSearchResult)
	source, isText := block.Source.AsString()
	if !isText && !block.Source.IsZero() {
		b.Report.Add(report.Lost, at.Pointer("/source"),
			"must be set, with a text that names the source")
	}
	title, _ := block.Title.Value()
	lines := []string{cmp.Or(title, "Search result")}
	if source != "" {
		lines[0] += " (" + source + ")"
	}
	if text, isText := block.Content.AsString(); isText {
		lines = append(lines, text)
	}
	content, _ := block.Content.AsValue()
	for i, inner := range content.All() {
		lines = append(lines, jsonx.Deref(inner.Text))
		b.reportInner(&inner, within(at, content, i))
	}
	text := strings.Join(lines, "\n")
	b.Report.Add(report.Approximated, at.Pointer("/type"), "converted to a text")
	return []geminiapi.Part{{Text: &text}}
}

// reportInner reports the members of a text within a block that are not sent.
func (b *history) reportInner(inner *anthropicapi.ContentBlock, at conversation.Location) {
	if blockType(inner) != anthropicapi.BlockTypeText {
		b.Report.Add(report.Lost, at.Pointer(""), "only texts are sent")
		return
	}
	b.loseBlockMembers(inner, at, inText)
	if inner.Text == nil {
		b.LoseText(at)
	}
}
