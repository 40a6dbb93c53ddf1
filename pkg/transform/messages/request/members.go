package request

import (
	"slices"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/go-json-experiment/json/jsontext"
)

//go:generate go run ../../../../tools/codecgen members .:anthropicapi.CreateMessageRequest,anthropicapi.InputMessage,anthropicapi.ContentBlock,anthropicapi.Source,anthropicapi.Tool ../../../../gen/geminiapi ../../../../gen/anthropicapi

// The functions of this file define which members of a message and of a block are used where. They
// report all other members, including members that the description gets later. So nothing of a
// message is lost silently.

const detailNotHere = "Gemini has no member for it here"

func contains(list []string, name string) bool { return slices.Contains(list, name) }

// loseMessageMembers reports the members that messages of the role do not have.
func (b *history) loseMessageMembers(m *anthropicapi.InputMessage, index int) {
	visitMembersOfInputMessage(m, func(name string) {
		switch {
		case name == "role" || name == "content":
		case name == "clear_at" && m.Role == anthropicapi.RoleSystem:
			if *m.ClearAt != "next_user_message" && *m.ClearAt != "never" {
				b.Report.Add(report.Lost, b.At(index).Pointer("/clear_at"),
					"must be next_user_message or never")
			} else {
				b.Report.Add(report.Approximated, b.At(index).Pointer("/clear_at"),
					"used to decide whether the message is sent")
			}
		case name == "output_config":
			b.Report.Add(report.Lost, b.At(index).Pointer("/output_config"),
				"Gemini has one setting for the whole request")
		default:
			b.Report.Add(report.Lost, b.At(index).Pointer("/"+name), detailNotHere)
		}
	})
	b.loseUnknownAt(b.At(index), m.Unknown)
}

// blockHolder says what a block is used as.
type blockHolder int

const (
	inText blockHolder = iota
	inMedia
	inSearchResult
	inToolReference
	inToolResult
	inToolChange
	inToolUse
	inThinking
	inRedacted
	inCompaction
	inServerCall
	inServerResult
	inOutput
	inMCPCall
	inMCPResult
)

// usedMembers lists the members of a block that each use needs, apart from its type. It is never
// written to.
var usedMembers = [...][]string{
	inText:          {"text"},
	inMedia:         {"source", "title", "context"},
	inSearchResult:  {"source", "title", "content"},
	inToolReference: {"tool_name"},
	inToolResult:    {"tool_use_id", "content", "is_error"},
	inToolChange:    {"tool"},
	inToolUse:       {"id", "name", "input"},
	inThinking:      {"thinking", "signature"},
	inRedacted:      {"data"},
	inCompaction:    {"content", "text"},
	inServerCall:    {"input", "name"},
	inServerResult:  {"content"},
	inOutput:        {"stdout", "stderr", "return_code", "error_code"},
	inMCPCall:       {"input", "name", "server_name"},
	inMCPResult:     {"content", "is_error"},
}

// loseBlockMembers reports the members of a block that its use does not need.
func (b *history) loseBlockMembers(block *anthropicapi.ContentBlock, at conversation.Location,
	used blockHolder) {
	if used == inText && block.Type == "" {
		b.GuessType(at, string(anthropicapi.BlockTypeText))
	}
	visitMembersOfContentBlock(block, func(name string) {
		if name == "type" || contains(usedMembers[used], name) {
			return
		}
		kind, detail := memberFate(block, name, used)
		b.Report.Add(kind, at.Pointer("/"+name), detail)
	})
	b.loseUnknownAt(at, block.Unknown)
}

// memberFate returns the report entry for a member that is not used.
func memberFate(block *anthropicapi.ContentBlock, name string, used blockHolder) (report.Kind,
	string) {
	switch {
	case name == target.MemberCacheControl:
		return report.Approximated, target.DetailCached
	case name == "caller":
		return report.Approximated, "Gemini calls tools itself"
	case name == "citations" && used == inText:
		return report.Approximated, "omitted, because they describe an answer, and requests do not repeat them"
	case name == "citations" && !mayBeCited(block):
		return report.Approximated, "omitted, because Gemini does not cite content of the request"
	case name == "citations":
		return report.Lost, "Gemini decides what it cites"
	case name == "id" && used == inServerCall, name == "tool_use_id" && used == inServerResult:
		return report.Approximated, "not needed, because Gemini identifies the output of code by its position"
	case name == "id" && used == inMCPCall, name == "tool_use_id" && used == inMCPResult:
		return report.Approximated, "not needed, because the texts of calls and results are in order"
	case name == "encrypted_content" || name == "signature":
		return report.Lost, detailForeign
	default:
		return report.Lost, detailNotHere
	}
}

// mayBeCited reports whether a document or a search result may be cited, unless its citations
// member disables that.
func mayBeCited(block *anthropicapi.ContentBlock) bool {
	setting := block.Citations.AsOne()
	return setting == nil || setting.Enabled == nil || *setting.Enabled
}

// loseUnknownAt reports unknown members. Without unknown members, which is the usual case, it makes
// no pointer.
func (b *history) loseUnknownAt(at conversation.Location, unknown jsontext.Value) {
	if unknown != nil {
		b.LoseUnknown(at.Pointer(""), unknown)
	}
}
