package request

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/conversation"
	"github.com/gemwire/gemwire/pkg/transform/internal/mediapart"
)

// runCode adds code that the model has run, with its output.
func (b *history) runCode(item *openaiapi.ResponseItem, at conversation.Location) {
	language := geminiapi.CodeLanguagePython
	code := jsonx.Deref(item.Code)
	hasResult := item.Outputs != nil || item.Status != openaiapi.ResponseItemStatusInProgress
	b.keep(&geminiapi.Part{ExecutableCode: &geminiapi.ExecutableCode{Language: &language,
		Code: &code}}, at, 2)
	if hasResult {
		outcome, output := b.outcome(item, at), b.codeOutput(item, at)
		b.keep(&geminiapi.Part{CodeExecutionResult: &geminiapi.CodeExecutionResult{Outcome: &outcome,
			Output: jsonx.NonEmpty(output)}},
			at, 1)
		b.answer.shift += len(item.Outputs) - 1 // package responses makes an output of each result
	}
	b.answer.pass()
}

// outcome returns the outcome of code from the status of its item.
func (b *history) outcome(item *openaiapi.ResponseItem,
	at conversation.Location) geminiapi.CodeExecutionOutcome {
	outcome, known := outcomes[item.Status]
	if !known {
		b.Report.Add(report.Approximated, at.Pointer("/status"),
			"replaced by success, because it is not a final status of code")
		return geminiapi.CodeExecutionOutcomeOK
	}
	return outcome
}

// outcomes maps statuses of items to outcomes of code. It is never modified.
var outcomes = map[openaiapi.ResponseItemStatus]geminiapi.CodeExecutionOutcome{
	"":                                     geminiapi.CodeExecutionOutcomeOK,
	openaiapi.ResponseItemStatusCompleted:  geminiapi.CodeExecutionOutcomeOK,
	openaiapi.ResponseItemStatusFailed:     geminiapi.CodeExecutionOutcomeFailed,
	openaiapi.ResponseItemStatusIncomplete: geminiapi.CodeExecutionOutcomeDeadlineExceeded,
}

// codeOutput returns the joined text output of code, and reports its images.
func (b *history) codeOutput(item *openaiapi.ResponseItem, at conversation.Location) string {
	var logs []string
	for i := range item.Outputs {
		output, at := &item.Outputs[i], at.In("outputs", i)
		visitMembersOfResponseCodeOutput(output, func(name string) {
			if name != "type" && name != "logs" {
				b.Report.Add(report.Lost, at.Pointer("/"+name),
					"Gemini's code results can have only texts")
			}
		})
		b.loseUnknownIn(at, "", output.Unknown)
		if output.Type != "" && output.Type != openaiapi.ResponseCodeOutputTypeLogs {
			b.Report.Add(report.Lost, at.Pointer("/type"), "Gemini's code results can have only texts")
		}
		logs = append(logs, jsonx.Deref(output.Logs))
	}
	return strings.Join(logs, "")
}

// draw adds an image that the model has made.
func (b *history) draw(item *openaiapi.ResponseItem, at conversation.Location) {
	data := jsonx.Deref(item.Result)
	if data == "" {
		b.Report.Add(report.Approximated, at.Pointer(""), "it contains no image")
		return
	}
	media := mediapart.Media{URL: mediapart.Bare(data), Member: "/result"}
	if item.OutputFormat != "" {
		media.Suggested = "image/" + item.OutputFormat
	}
	part, entries, err := b.Media.Part(media, at.Pointer)
	b.Report = append(b.Report, entries...)
	if err != nil {
		b.Report.Add(report.Lost, at.Pointer("/result"), "not an image in base64")
		return
	}
	b.keep(&part, at, 1)
	b.answer.pass()
}
