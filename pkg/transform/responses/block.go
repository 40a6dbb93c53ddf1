package responses

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/media"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/transform/internal/unshown"
	"github.com/go-json-experiment/json"
)

// block adds a complete part that is not a text, a thought or a call.
func (e *encoder) block(b *normalize.Block, part int, at answer.PartLocation) {
	if b.Thought {
		e.writeCode(openaiapi.ResponseItemStatusCompleted) // no result of it is a thought
	}
	switch {
	case b.Type == normalize.BlockCode && !b.Thought:
		e.code(b, part, at)
	case b.Type == normalize.BlockCodeResult && !b.Thought:
		e.codeResult(b, part, at)
	case b.Type == normalize.BlockMedia && !b.Thought && media.HasType(b.Media.MIMEType, "image/"):
		e.image(b, part, at)
	case b.Type == normalize.BlockMedia:
		e.keepMedia(b, part, at)
	default:
		e.carry(b, part, at)
		if b.Type == normalize.BlockServerToolCall {
			e.serverCall(b.ServerToolCall)
		}
	}
}

// image adds a complete image.
func (e *encoder) image(b *normalize.Block, part int, at answer.PartLocation) {
	if b.Signature != "" {
		e.wait(envelope.Entry{Kind: envelope.Other, Ordinal: part, Signature: b.Signature})
	}
	e.begin("ig_", &openaiapi.ResponseItem{
		Type:   openaiapi.ResponseItemTypeImageGenerationCall,
		Status: openaiapi.ResponseItemStatusInProgress,
	})
	if e.streams {
		e.emitOf(openaiapi.ResponseEventTypeImageGenerationCallInProgress)
		e.emitOf(openaiapi.ResponseEventTypeImageGenerationCallGenerating)
		e.emitOf(openaiapi.ResponseEventTypeImageGenerationCallCompleted)
	}
	e.item.Status, e.item.Result = openaiapi.ResponseItemStatusCompleted, &b.Media.Data
	_, e.item.OutputFormat, _ = strings.Cut(b.Media.MIMEType, "/")
	e.done()
	e.keepRest(b, part, at)
}

// keepMedia keeps media that have no item, such as sounds and drafts of images, in the extension.
// They would be large in a token, so only signed media go into a token.
func (e *encoder) keepMedia(b *normalize.Block, part int, at answer.PartLocation) {
	if b.Signature != "" {
		e.carry(b, part, at)
		return
	}
	if e.plain {
		e.entries.Add(report.Lost, at, "", detailNoCounterpart)
		return
	}
	e.rest.add(part, b.WirePart())
}

// carry puts a part without an item into the next token, from which it is restored unchanged.
func (e *encoder) carry(b *normalize.Block, part int, at answer.PartLocation) {
	wire := *b.WirePart()
	wire.ThoughtSignature = nil
	data, err := json.Marshal(&wire, jsonx.Canonical)
	if err != nil { // a free-form value is not JSON
		e.entries.Add(report.Lost, at, "", "it is not JSON")
		return
	}
	e.entries.Add(report.Approximated, at, "", detailCarried)
	e.wait(envelope.Entry{Kind: envelope.Other, Ordinal: part, Signature: b.Signature,
		Part: string(data)})
}

const (
	detailNoCounterpart = "the Responses API has no member for it"
	detailCarried       = "moved to encrypted_content of a reasoning item, from which it is restored"
)

// partsRest collects parts, or remainders of parts, that no item shows, with their positions.
type partsRest struct {
	out []openaiapi.PreservedPart
}

func (r *partsRest) add(index int, part *geminiapi.Part) {
	r.out = append(r.out, openaiapi.PreservedPart{Index: &index, Part: part})
}

// keepRest keeps what an item does not show of its part, or reports it as lost.
func (e *encoder) keepRest(b *normalize.Block, part int, at answer.PartLocation) {
	rest := partRest(b)
	if rest == nil {
		return
	}
	if !e.plain {
		if answer.HasOtherArguments(b.Extra) {
			e.entries.Add(report.Approximated, at, "/functionCall/args", detailOtherArguments)
		}
		e.rest.add(part, rest)
		return
	}
	if e.entries.Stream != nil && b.ToolCall != nil {
		return // reported piece by piece
	}
	if b.Extra != nil && merge.HasLeftOver(b.Extra.FunctionCall) {
		e.entries.Add(report.Lost, at, "/functionCall", answer.DetailLeftOver)
	}
	e.entries.AddUnshown(at, rest, unshown.Nothing, detailNoCounterpart)
}

// partRest returns, in Gemini's form, what the item and the token do not show of a part, or nil.
// The result holds no pointer into the block, which may be reused.
func partRest(b *normalize.Block) *geminiapi.Part {
	var rest geminiapi.Part
	if b.Extra != nil {
		rest = *b.Extra
	}
	if b.Thought {
		rest.Thought = new(true)
	}
	switch {
	case b.Media != nil && b.Media.DisplayName != "":
		var data geminiapi.Blob
		if rest.InlineData != nil {
			data = *rest.InlineData
		}
		data.DisplayName = new(b.Media.DisplayName)
		rest.InlineData = &data
	case b.Code != nil:
		rest.ExecutableCode = codeRest(b.Code, rest.ExecutableCode)
	case b.CodeResult != nil:
		rest.CodeExecutionResult = resultRest(b.CodeResult, rest.CodeExecutionResult)
	}
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}
