package compaction

import (
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai/responses"
)

// Content is what a compaction item stands for.
type Content struct {
	// Instructions are the messages of system and developer, and the items that declare tools or
	// change settings.
	Instructions []openaiapi.ResponseItem `json:"instructions,omitzero"`
	// LastTurn has the last messages of the user.
	LastTurn []openaiapi.ResponseItem `json:"last_turn,omitzero"`
	// Summary is the model's summary of everything.
	Summary string `json:"summary"`
	// Files are names of files that tool calls have touched, the latest last.
	Files []string `json:"files,omitzero"`
	// LastStep is the last step of the model, with its calls and the results so far.
	LastStep []openaiapi.ResponseItem `json:"last_step,omitzero"`
	// StandsForAll reports that the item was made during a turn. It stands for all items before it,
	// which the client may send again. Otherwise the client has chosen the items around it.
	StandsForAll bool `json:"stands_for_all,omitzero"`
}

const (
	headingSummary = "Summary of the conversation so far, which was shortened:\n\n"
	headingFiles   = "\n\nFiles that tool calls have touched, the latest last:\n"
)

// message returns the message of the user that has the summary.
func (c *Content) message() openaiapi.ResponseItem {
	text := headingSummary + c.Summary
	if len(c.Files) > 0 {
		text += headingFiles + "- " + strings.Join(c.Files, "\n- ")
	}
	return responses.UserText(text)
}

// Items returns the items that the content stands for, in order.
func (c *Content) Items() []Item {
	out := make([]Item, 0, len(c.Instructions)+len(c.LastTurn)+1+len(c.LastStep))
	add := func(items []openaiapi.ResponseItem) {
		for i := range items {
			out = append(out, Item{ResponseItem: items[i], IsRestored: true})
		}
	}
	add(c.Instructions)
	add(c.LastTurn)
	out = append(out, Item{ResponseItem: c.message(), IsRestored: true, summary: c})
	add(c.LastStep)
	return out
}

// Item is an item of a conversation whose compaction items were opened.
type Item struct {
	openaiapi.ResponseItem
	// From is the index of the item in the conversation, or of the compaction item that stands for
	// it. IsRestored reports that the item comes from a compaction item.
	From       int
	IsRestored bool

	summary *Content // nil unless the item is the message with a summary
}
