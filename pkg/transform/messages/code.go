package messages

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// code adds code that Google ran: as a call of the server tool if the client knows it, else as
// text.
func (e *encoder) code(b *normalize.Block, at answer.PartLocation) {
	if !e.codeExecution {
		e.fence(strings.ToLower(string(b.Code.Language)), b.Code.Source, at)
		return
	}
	e.signed(envelope.Other, b.Signature, at)
	e.settle()
	e.codeID = e.serverToolID()
	e.call(anthropicapi.BlockTypeServerToolUse, e.codeID, "code_execution",
		object("code", b.Code.Source))
	e.entries.AddUnshown(at, unsigned(b), shownCode, detailNoCounterpart)
}

// codeResult adds the result of running code.
func (e *encoder) codeResult(b *normalize.Block, at answer.PartLocation) {
	if e.codeID == "" {
		e.fence("", b.CodeResult.Output, at)
		return
	}
	e.signed(envelope.Other, b.Signature, at)
	e.settle()
	isFailure := b.CodeResult.Outcome != "" &&
		b.CodeResult.Outcome != geminiapi.CodeExecutionOutcomeOK
	result := anthropicapi.ContentBlock{
		Type: anthropicapi.BlockTypeCodeExecutionResult, Stdout: new(b.CodeResult.Output),
		Stderr: new(""), ReturnCode: new(0),
		Content: wiretype.ValueOf(wiretype.ListOf[anthropicapi.ContentBlock](nil)),
	}
	if isFailure {
		result.Stdout, result.Stderr, result.ReturnCode = result.Stderr, result.Stdout, new(1)
	}
	e.whole(&anthropicapi.ContentBlock{
		Type: anthropicapi.BlockTypeCodeExecutionToolResult, ToolUseID: new(e.codeID),
		Content: wiretype.ValueOf(wiretype.OneOf(result)),
	})
	e.codeID = ""
	if isFailure {
		e.entries.Add(report.Approximated, at, "/codeExecutionResult/outcome",
			"converted to return code 1, which stands for any failure")
	}
	e.entries.AddUnshown(at, unsigned(b), shownCode, detailNoCounterpart)
}

// fence adds code, or its output, as text between fences.
func (e *encoder) fence(language, content string, at answer.PartLocation) {
	e.text("\n```"+language+"\n"+strings.TrimSuffix(content, "\n")+"\n```\n", "", at)
	e.entries.Add(report.Approximated, at, "",
		"converted to text, because the request did not declare code_execution")
}

// unsigned returns the part of a block without its signature, which is carried or reported
// elsewhere.
func unsigned(b *normalize.Block) *geminiapi.Part {
	part := *b.WirePart()
	part.ThoughtSignature = nil
	return &part
}

// shownCode reports whether a block of the server tool shows a value of a part.
func shownCode(path []string, _ string) bool {
	switch strings.Join(path, "/") {
	case "executableCode/code", "codeExecutionResult/output", "codeExecutionResult/outcome":
		return true
	default:
		return false
	}
}

// serverToolID returns an id for a server tool call.
func (e *encoder) serverToolID() string {
	response := strings.ReplaceAll(safe(cmp.Or(e.responseID, unknownName)), "-", "_")
	return "srvtoolu_" + response + "_" + strconv.Itoa(e.begun)
}

// object returns a JSON object with one text member. Invalid UTF-8 is replaced.
func object(name, text string) jsontext.Value {
	out, _ := jsontext.AppendQuote([]byte(`{"`+name+`":`), strings.ToValidUTF8(text, "\ufffd"))
	return append(out, '}')
}
