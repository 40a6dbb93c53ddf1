package request

import (
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/go-json-experiment/json/jsontext"
)

//go:generate go run ../../../../tools/codecgen members .:openaiapi.CreateResponseRequest,openaiapi.ResponseItem,openaiapi.ResponseContentPart,openaiapi.ResponseTool,openaiapi.ResponseToolChoice,openaiapi.ResponseCodeOutput ../../../../gen/geminiapi ../../../../gen/openaiapi

// The functions of this file define which members of items and parts are used where. They report
// all other members, including members that the description gets later. So nothing of a request is
// lost silently.

const (
	detailNotHere    = "Gemini has no member for it here"
	detailDescribes  = "not sent, because it only describes the item"
	detailNoSuchPart = "such a part is not allowed here"
)

// itemMembers lists the members that the conversion of a kind of items uses, apart from its type.
// It is never modified.
var itemMembers = map[openaiapi.ResponseItemType][]string{
	openaiapi.ResponseItemTypeMessage:              {"role", "content"},
	openaiapi.ResponseItemTypeReasoning:            {"summary", "content", "encrypted_content"},
	openaiapi.ResponseItemTypeFunctionCall:         {"call_id", "name", "namespace", "arguments"},
	openaiapi.ResponseItemTypeFunctionCallOutput:   {"call_id", "name", "namespace", "output"},
	openaiapi.ResponseItemTypeCustomToolCall:       {"call_id", "name", "namespace", "input"},
	openaiapi.ResponseItemTypeCustomToolCallOutput: {"call_id", "name", "namespace", "output"},
	openaiapi.ResponseItemTypeToolSearchCall:       {"call_id", "execution", "arguments"},
	openaiapi.ResponseItemTypeToolSearchOutput:     {"call_id", "execution", "tools"},
	openaiapi.ResponseItemTypeComputerCallOutput:   {"call_id", "output"},
	openaiapi.ResponseItemTypeLocalShellCallOutput: {"call_id", "id", "output"},
	openaiapi.ResponseItemTypeShellCallOutput:      {"call_id", "output"},
	openaiapi.ResponseItemTypeApplyPatchCallOutput: {"call_id", "output", "status"},
	openaiapi.ResponseItemTypeAdditionalTools:      {"role", "tools"},
	openaiapi.ResponseItemTypeCodeInterpreterCall:  {"code", "outputs", "status"},
	openaiapi.ResponseItemTypeImageGenerationCall:  {"result", "output_format"},
	openaiapi.ResponseItemTypeMCPCall: {"server_label", "name", "arguments", "output",
		"error"},
	openaiapi.ResponseItemTypeItemReference:       {"id"},
	openaiapi.ResponseItemTypeConfigurationUpdate: {"reasoning", "text"},
}

// describing lists the members of an item that only describe it. It is never modified.
var describing = map[string]bool{
	"id": true, "status": true, "phase": true, "created_by": true, "container_id": true,
	"caller": true, "size": true,
	"quality": true, "background": true, "revised_prompt": true, "svg_usage": true,
}

// loseItemMembers reports the members of an item that its conversion does not use.
func (b *history) loseItemMembers(item *openaiapi.ResponseItem, kind openaiapi.ResponseItemType,
	at conversation.Location) {
	used := itemMembers[kind]
	visitMembersOfResponseItem(item, func(name string) {
		switch {
		case name == "type" || slices.Contains(used, name):
		case describing[name]:
			b.Report.Add(report.Approximated, at.Pointer("/"+name), detailDescribes)
		default:
			b.Report.Add(report.Lost, at.Pointer("/"+name), detailNotHere)
		}
	})
	b.loseUnknownIn(at, "", item.Unknown)
}

// partMembers lists the members that the conversion of a kind of parts uses, apart from its type.
// It is never modified.
var partMembers = map[openaiapi.ResponseContentType][]string{
	openaiapi.ResponseContentTypeInputText:          {"text"},
	openaiapi.ResponseContentTypeOutputText:         {"text"},
	openaiapi.ResponseContentTypeSummaryText:        {"text"},
	openaiapi.ResponseContentTypeReasoningText:      {"text"},
	openaiapi.ResponseContentTypeText:               {"text"},
	openaiapi.ResponseContentTypeRefusal:            {"refusal"},
	openaiapi.ResponseContentTypeInputImage:         {"image_url", "file_id", "detail"},
	openaiapi.ResponseContentTypeComputerScreenshot: {"image_url", "file_id", "detail"},
	openaiapi.ResponseContentTypeInputFile: {"file_data", "file_url", "file_id",
		"filename", "detail"},
	openaiapi.ResponseContentTypeInputAudio: {"input_audio"},
}

// losePartMembers reports the members of a part that its conversion does not use.
func (b *history) losePartMembers(p *openaiapi.ResponseContentPart,
	kind openaiapi.ResponseContentType, at conversation.Location) {
	if p.Type == "" {
		b.GuessType(at, string(kind))
	}
	used := partMembers[kind]
	visitMembersOfResponseContentPart(p, func(name string) {
		switch {
		case name == "type" || slices.Contains(used, name):
		case name == "annotations" || name == "logprobs":
			b.Report.Add(report.Approximated, at.Pointer("/"+name),
				"omitted, because it describes an answer, and requests do not repeat it")
		case name == "prompt_cache_breakpoint":
			b.Report.Add(report.Approximated, at.Pointer("/"+name), detailCached)
		default:
			b.Report.Add(report.Lost, at.Pointer("/"+name), detailNotHere)
		}
	})
	b.loseUnknownIn(at, "", p.Unknown)
}

// loseUnknownIn reports the unknown members of a member; "" is the value at the location itself.
// Without unknown members, which is the usual case, it makes no pointer.
func (b *history) loseUnknownIn(at conversation.Location, member string, unknown jsontext.Value) {
	if unknown != nil {
		b.LoseUnknown(at.Pointer(member), unknown)
	}
}
