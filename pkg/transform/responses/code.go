package responses

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// code tells code that Google runs. Its results come as parts of their own, which go into the same item.
func (e *encoder) code(b *normalize.Block, part int, at place) {
	e.signOther(b, part)
	e.beginCode(b.Code.Source)
	e.keepRest(b, part, at)
}

// beginCode begins the item of code, whose container has no name in Gemini.
func (e *encoder) beginCode(source string) {
	e.begin("ci_", &openaiapi.ResponseItem{
		Type: openaiapi.ResponseItemTypeCodeInterpreterCall, Status: openaiapi.ResponseItemStatusInProgress,
		ContainerID: "cntr_" + e.suffix + "0", Code: new(""), Outputs: []openaiapi.ResponseCodeOutput{},
	})
	e.item.Code = &source
	if !e.streams {
		return
	}
	e.emitOf(openaiapi.ResponseEventTypeCodeInterpreterCallInProgress)
	if source != "" {
		e.emitOf(openaiapi.ResponseEventTypeCodeInterpreterCallCodeDelta).Delta = delta(source)
	}
	e.emitOf(openaiapi.ResponseEventTypeCodeInterpreterCallCodeDone).Code = &source
	e.emitOf(openaiapi.ResponseEventTypeCodeInterpreterCallInterpreting)
}

// codeResult adds what code gave to its item. A result without code is one of code that nobody shows.
func (e *encoder) codeResult(b *normalize.Block, part int, at place) {
	if e.open != openaiapi.ResponseItemTypeCodeInterpreterCall {
		e.signOther(b, part)
		e.beginCode("")
	} else {
		e.signOther(b, part) // behind the item, which was told
	}
	e.item.Outputs = append(e.item.Outputs, openaiapi.ResponseCodeOutput{
		Type: openaiapi.ResponseCodeOutputTypeLogs, Logs: new(b.CodeResult.Output),
	})
	e.item.Status = codeStatus(b.CodeResult.Outcome)
	e.keepRest(b, part, at)
}

// codeStatuses tell how code ended. An outcome without one is told as completed.
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

// endCode ends the item of code, which is incomplete without a result.
func (e *encoder) endCode(status openaiapi.ResponseItemStatus) {
	if len(e.item.Outputs) == 0 {
		e.item.Status = openaiapi.ResponseItemStatusIncomplete
	}
	if e.item.Status == openaiapi.ResponseItemStatusCompleted {
		e.item.Status = status
	}
	if e.streams && e.item.Status == openaiapi.ResponseItemStatusCompleted {
		e.emitOf(openaiapi.ResponseEventTypeCodeInterpreterCallCompleted)
	}
}

// codeRest returns what of code the item does not show: an id, and another language than Python, which all has been so far.
func codeRest(code *normalize.Code, more *geminiapi.ExecutableCode) *geminiapi.ExecutableCode {
	var rest geminiapi.ExecutableCode
	if more != nil {
		rest = *more
	}
	rest.ID = optional.Text(code.ID)
	if code.Language != geminiapi.CodeLanguagePython {
		rest.Language = optional.Text(code.Language)
	}
	if rest.IsEmpty() {
		return nil
	}
	return &rest
}

// resultRest returns what of a result the item does not show.
func resultRest(result *normalize.CodeResult, more *geminiapi.CodeExecutionResult) *geminiapi.CodeExecutionResult {
	var rest geminiapi.CodeExecutionResult
	if more != nil {
		rest = *more
	}
	rest.ID = optional.Text(result.ID)
	if _, isKnown := codeStatuses[result.Outcome]; !isKnown {
		rest.Outcome = optional.Text(result.Outcome)
	}
	if rest.IsEmpty() {
		return nil
	}
	return &rest
}
