package request

import (
	"cmp"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// serverBlock converts a server tool call or its result in a message of the model. Gemini has the
// same code execution. Search results are in the answer's text. Calls of MCP servers become texts.
func (a *answer) serverBlock(block *anthropicapi.ContentBlock, at conversation.Location) error {
	switch block.Type {
	case anthropicapi.BlockTypeServerToolUse:
		a.serverCall(block, at)
	case anthropicapi.BlockTypeCodeExecutionToolResult,
		anthropicapi.BlockTypeBashCodeExecutionToolResult:
		a.loseBlockMembers(block, at, inServerResult)
		a.addOutput(block, at)
	case anthropicapi.BlockTypeWebSearchToolResult, anthropicapi.BlockTypeWebFetchToolResult:
		a.Report.Add(report.Approximated, at.Pointer(""),
			"omitted, because the text of the answer has the results")
	case anthropicapi.BlockTypeMCPToolUse:
		a.addMCPCall(block, at)
	case anthropicapi.BlockTypeMCPToolResult:
		return a.addMCPResult(block, at)
	case anthropicapi.BlockTypeToolSearchToolResult:
		a.findAll(block)
		a.Report.Add(report.Approximated, at.Pointer(""),
			"sent at the start, where Gemini gets all tools")
	default:
		a.Report.Add(report.Lost, at.Pointer(""), "no such block is allowed here")
	}
	return nil
}

// serverCall converts a server tool call.
func (a *answer) serverCall(block *anthropicapi.ContentBlock, at conversation.Location) {
	code := codeOf(block)
	if code == "" {
		a.Report.Add(report.Approximated, at.Pointer(""),
			"omitted, because the text of the answer has the results")
		return
	}
	a.loseBlockMembers(block, at, inServerCall)
	if len(block.Input) > 0 {
		for name := range jsonx.Members(block.Input) {
			if name != "code" && name != "command" {
				a.Report.Add(report.Lost, at.Pointer("/input/"+name), detailNotHere)
			}
		}
	}
	a.hasCode = true
	a.turn.Parts = append(a.turn.Parts, geminiapi.Part{
		ExecutableCode: &geminiapi.ExecutableCode{Language: new(geminiapi.CodeLanguagePython),
			Code: &code},
		ThoughtSignature: a.sealOf(envelope.Other),
	})
}

// codeOf returns the code that a call has run, or "".
func codeOf(block *anthropicapi.ContentBlock) string {
	member := "code"
	switch jsonx.Deref(block.Name) {
	case "code_execution":
	case "bash_code_execution":
		member = "command"
	default:
		return ""
	}
	code, err := jsontext.AppendUnquote(nil, jsonx.Member(block.Input, member))
	if err != nil {
		return ""
	}
	return string(code)
}

// addOutput adds the output of code.
func (a *answer) addOutput(block *anthropicapi.ContentBlock, at conversation.Location) {
	content, _ := block.Content.AsValue()
	result := content.AsOne()
	if result == nil || !a.hasCode {
		a.Report.Add(report.Lost, at.Pointer(""),
			"Gemini accepts output of code only after the code")
		return
	}
	// nearly always the case
	if files, isList := result.Content.AsValue(); isList && len(files.All()) == 0 {
		result = new(*result)
		result.Content = wiretype.StringOr[wiretype.OneOrList[anthropicapi.ContentBlock]]{}
	}
	a.loseBlockMembers(result, within(at, content, 0), inOutput)
	if result.Type != "" && !outputTypes[result.Type] {
		a.Report.Add(report.Approximated, at.Pointer("/content/type"),
			"unknown type; the members determine the type")
	}
	outcome, output := geminiapi.CodeExecutionOutcomeOK, jsonx.Deref(result.Stdout)
	if jsonx.Deref(result.ReturnCode) != 0 || result.ErrorCode != nil {
		outcome = geminiapi.CodeExecutionOutcomeFailed
		output += cmp.Or(jsonx.Deref(result.Stderr), jsonx.Deref(result.ErrorCode))
	} else if jsonx.Deref(result.Stderr) != "" {
		a.Report.Add(report.Lost, at.Pointer("/content/stderr"),
			"Gemini has output only for code that succeeded")
	}
	a.turn.Parts = append(a.turn.Parts, geminiapi.Part{
		CodeExecutionResult: &geminiapi.CodeExecutionResult{Outcome: &outcome, Output: &output},
		ThoughtSignature:    a.sealOf(envelope.Other),
	})
}

// outputTypes are the block types of code output. It is never modified.
var outputTypes = map[anthropicapi.BlockType]bool{
	anthropicapi.BlockTypeCodeExecutionResult:              true,
	anthropicapi.BlockTypeCodeExecutionToolResultError:     true,
	anthropicapi.BlockTypeBashCodeExecutionResult:          true,
	anthropicapi.BlockTypeBashCodeExecutionToolResultError: true,
}

// findAll registers the tools that a tool search has found.
func (a *answer) findAll(block *anthropicapi.ContentBlock) {
	content, _ := block.Content.AsValue()
	for _, inner := range content.All() {
		for _, reference := range inner.ToolReferences {
			a.find(jsonx.Deref(reference.ToolName))
		}
	}
}
