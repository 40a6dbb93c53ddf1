package request

import (
	"cmp"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/messages/internal/callid"
	"github.com/gemwire/gemwire/pkg/wiretype"
)

// result converts a tool result. If no call waits for it, for example because the beginning of the
// history was cut off, it returns the result as parts of the user's turn.
func (b *history) result(block *anthropicapi.ContentBlock,
	at conversation.Location) ([]geminiapi.Part, error) {
	b.loseBlockMembers(block, at, inToolResult)
	id := callid.WithoutToken(jsonx.Deref(block.ToolUseID))
	call, err := b.Answered(at, conversation.ToID(id))
	if err != nil {
		return nil, err
	}
	given, err := b.given(block, at)
	if err != nil {
		return nil, err
	}
	if call == nil {
		b.Report.Add(report.Approximated, at.Pointer(""), conversation.DetailNoCall)
		return conversation.UserResult("", id, given.parts("")), nil
	}
	response := &geminiapi.FunctionResponse{}
	for i := range given.media {
		b.AddMedia(response, &given.media[i].part, given.media[i].at, "/source")
	}
	if given.isIncomplete {
		b.MissPart()
	}
	b.setGivenText(response, block, &given, at)
	b.SetResult(call, response, at)
	return nil, nil
}

// given is the content of a tool result.
type given struct {
	texts int
	first string   // the first text
	more  []string // the other texts
	media []givenMedia

	isIncomplete bool // A block was lost.
}

// givenMedia is a part of media with its location.
type givenMedia struct {
	part geminiapi.Part
	at   conversation.Location
}

// addText adds a text. Most results have one.
func (g *given) addText(text string) {
	if g.texts++; g.texts == 1 {
		g.first = text
		return
	}
	g.more = append(g.more, text)
}

// text returns the joined texts of a result.
func (g *given) text() string {
	if g.texts <= 1 {
		return g.first
	}
	return g.first + "\n" + strings.Join(g.more, "\n")
}

// parts returns a result as parts of a turn: its text, or instead if it has none, followed by the
// media.
func (g *given) parts(instead string) []geminiapi.Part {
	parts := conversation.AppendPart(nil, &geminiapi.Part{Text: new(cmp.Or(g.text(), instead))})
	for i := range g.media {
		parts = append(parts, g.media[i].part)
	}
	return parts
}

// within returns the location of a block in the content of another block, or of the content if that
// is a single block.
func within(at conversation.Location, content wiretype.OneOrList[anthropicapi.ContentBlock],
	index int) conversation.Location {
	if content.AsOne() != nil {
		index = conversation.Whole
	}
	return conversation.Of(at.Pointer("/content"), index)
}

// saysNothing lists the blocks of a result that may produce no part: an empty text, and a
// reference, which declares a tool.
var saysNothing = map[anthropicapi.BlockType]bool{
	anthropicapi.BlockTypeText: true, anthropicapi.BlockTypeToolReference: true,
}

// given reads the content of a result: a string, or blocks of texts, media, documents and search
// results.
func (b *history) given(block *anthropicapi.ContentBlock, at conversation.Location) (given, error) {
	var out given
	if text, ok := block.Content.AsString(); ok {
		out.addText(text)
		return out, nil
	}
	content, _ := block.Content.AsValue()
	list := content.All()
	var found []string // tools, by a search
	for i := range list {
		inner := within(at, content, i)
		if blockType(&list[i]) == anthropicapi.BlockTypeToolReference {
			found = append(found, jsonx.Deref(list[i].ToolName))
		}
		parts, err := b.said(&list[i], inner)
		if err != nil {
			return out, err
		}
		out.isIncomplete = out.isIncomplete || len(parts) == 0 && !saysNothing[blockType(&list[i])]
		for _, part := range parts {
			if part.Text != nil {
				out.addText(*part.Text)
			} else {
				out.media = append(out.media, givenMedia{part, inner})
			}
		}
	}
	if len(found) > 0 && out.texts == 0 { // the model would take an empty result for no tools
		out.addText("Found tools, which are declared now: " + strings.Join(found, ", "))
	}
	return out, nil
}

// setGivenText sets the text of a result, or of an error.
func (b *history) setGivenText(response *geminiapi.FunctionResponse,
	block *anthropicapi.ContentBlock, given *given, at conversation.Location) {
	text := given.text()
	if jsonx.Deref(block.IsError) {
		b.SetError(response, text, at, "/content")
		return
	}
	b.SetResponse(response, text, at, "/content")
}
