package responses

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/envelope"
)

// heldCode is code that Google runs. It is held until something other than its result follows. Only
// then its signatures are known, which go before its item.
type heldCode struct {
	isHeld  bool
	source  string
	outputs []openaiapi.ResponseCodeOutput
	status  openaiapi.ResponseItemStatus // of the last result, "" without one
	entries []envelope.Entry
}

// code holds code.
func (e *encoder) code(b *normalize.Block, part int, at answer.PartLocation) {
	e.writeCode(openaiapi.ResponseItemStatusCompleted)
	e.held = heldCode{isHeld: true, source: b.Code.Source,
		outputs: []openaiapi.ResponseCodeOutput{}}
	e.signCode(b, part)
	e.keepRest(b, part, at)
}

// codeResult adds the result of code. A result without code belongs to hidden code.
func (e *encoder) codeResult(b *normalize.Block, part int, at answer.PartLocation) {
	e.held.isHeld = true
	e.held.outputs = append(e.held.outputs, openaiapi.ResponseCodeOutput{
		Type: openaiapi.ResponseCodeOutputTypeLogs, Logs: new(b.CodeResult.Output),
	})
	e.held.status = codeStatus(b.CodeResult.Outcome)
	e.signCode(b, part)
	e.keepRest(b, part, at)
}

func (e *encoder) signCode(b *normalize.Block, part int) {
	if b.Signature != "" {
		e.held.entries = append(e.held.entries,
			envelope.Entry{Kind: envelope.Other, Ordinal: part, Signature: b.Signature})
	}
}

// writeCode sends the held code, if any. Gemini has no name for its container. Code without a
// result is incomplete; ended is the status of completed code.
func (e *encoder) writeCode(ended openaiapi.ResponseItemStatus) {
	if e.held.isHeld {
		e.writeHeldCode(ended)
	}
}

func (e *encoder) writeHeldCode(ended openaiapi.ResponseItemStatus) {
	held := e.held
	e.held = heldCode{}
	for _, entry := range held.entries {
		e.wait(entry)
	}
	e.begin("ci_", &openaiapi.ResponseItem{
		Type:        openaiapi.ResponseItemTypeCodeInterpreterCall,
		Status:      openaiapi.ResponseItemStatusInProgress,
		ContainerID: "cntr_" + e.suffix + "0", Code: new(""),
		Outputs: []openaiapi.ResponseCodeOutput{},
	})
	switch e.item.Status = held.status; e.item.Status {
	case "":
		e.item.Status = openaiapi.ResponseItemStatusIncomplete
	case openaiapi.ResponseItemStatusCompleted:
		e.item.Status = ended
	}
	e.item.Code, e.item.Outputs = &held.source, held.outputs
	e.emitCode(held.source)
	e.done()
}

// emitCode adds the events between the start and the end of a code item.
func (e *encoder) emitCode(source string) {
	if !e.streams {
		return
	}
	e.emitOf(openaiapi.ResponseEventTypeCodeInterpreterCallInProgress)
	if source != "" {
		e.emitOf(openaiapi.ResponseEventTypeCodeInterpreterCallCodeDelta).Delta = delta(source)
	}
	e.emitOf(openaiapi.ResponseEventTypeCodeInterpreterCallCodeDone).Code = &source
	e.emitOf(openaiapi.ResponseEventTypeCodeInterpreterCallInterpreting)
	if e.item.Status == openaiapi.ResponseItemStatusCompleted {
		e.emitOf(openaiapi.ResponseEventTypeCodeInterpreterCallCompleted)
	}
}

// codeStatuses maps outcomes of code to statuses. Any other outcome is completed.
var codeStatuses = map[geminiapi.CodeExecutionOutcome]openaiapi.ResponseItemStatus{
	geminiapi.CodeExecutionOutcomeOK:               openaiapi.ResponseItemStatusCompleted,
	geminiapi.CodeExecutionOutcomeFailed:           openaiapi.ResponseItemStatusFailed,
	geminiapi.CodeExecutionOutcomeDeadlineExceeded: openaiapi.ResponseItemStatusIncomplete,
}

func codeStatus(outcome geminiapi.CodeExecutionOutcome) openaiapi.ResponseItemStatus {
	if status, ok := codeStatuses[outcome]; ok {
		return status
	}
	return openaiapi.ResponseItemStatusCompleted
}

// codeRest returns what the item does not show of code: an id, and a language other than Python.
// All code so far has been Python.
func codeRest(code *normalize.Code, more *geminiapi.ExecutableCode) *geminiapi.ExecutableCode {
	var rest geminiapi.ExecutableCode
	if more != nil {
		rest = *more
	}
	rest.ID = jsonx.NonEmpty(code.ID)
	if code.Language != geminiapi.CodeLanguagePython {
		rest.Language = jsonx.NonEmpty(code.Language)
	}
	if rest.IsEmpty() {
		return nil
	}
	return &rest
}

// resultRest returns what the item does not show of a result.
func resultRest(result *normalize.CodeResult,
	more *geminiapi.CodeExecutionResult) *geminiapi.CodeExecutionResult {
	var rest geminiapi.CodeExecutionResult
	if more != nil {
		rest = *more
	}
	rest.ID = jsonx.NonEmpty(result.ID)
	if _, isKnown := codeStatuses[result.Outcome]; !isKnown {
		rest.Outcome = jsonx.NonEmpty(result.Outcome)
	}
	if rest.IsEmpty() {
		return nil
	}
	return &rest
}
