package line

import (
	"fmt"
	"strings"
)

// Problem is a fault of one line of an input, or of the whole input.
type Problem struct {
	// Line is the line number, from 1. 0 is the whole input.
	Line int `json:"line,omitzero"`
	// Code is one of the codes of this package, such as [CodeDuplicateID].
	Code string `json:"code"`
	// Message says what is wrong and what is expected. It contains nothing of a body.
	Message string `json:"message"`
	// Param is the location in the line as a JSON pointer such as "/body/messages/0", or "" for the
	// whole line.
	Param string `json:"param,omitzero"`
}

// Codes of problems. The first six are OpenAI's own codes for the errors of a batch that failed
// validation.
const (
	CodeInvalidJSON     = "invalid_json_line"
	CodeDuplicateID     = "duplicate_custom_id"
	CodeURLMismatch     = "url_mismatch"
	CodeModelMismatch   = "mismatched_model"
	CodeEmptyFile       = "empty_file"
	CodeTooManyTasks    = "too_many_tasks"
	CodeMissing         = "missing_required_parameter"
	CodeInvalidValue    = "invalid_value"
	CodeInvalidURL      = "invalid_url"
	CodeInvalidMethod   = "invalid_method"
	CodeInvalidRequest  = "invalid_request"
	CodeTooLong         = "line_too_long"
	CodeUnknownVariable = "unknown_variable"
)

// String returns the problem as one line, such as "line 3: /body/model: must be set
// (missing_required_parameter)".
func (p Problem) String() string {
	var b strings.Builder
	if p.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", p.Line)
	}
	if p.Param != "" {
		b.WriteString(p.Param + ": ")
	}
	b.WriteString(p.Message + " (" + p.Code + ")")
	return b.String()
}

// InputError reports an invalid input. Then nothing of the input is run.
type InputError struct {
	// Problems are the first problems, in the order of the lines; see [WithMaxProblems].
	Problems []Problem
	// Total is the number of all problems, including those that Problems omits.
	Total int
}

// Error returns the first problem and the number of others.
func (e *InputError) Error() string {
	if len(e.Problems) == 0 {
		return fmt.Sprintf("line: the input has %d problems", e.Total)
	}
	text := "line: the input cannot be run: " + e.Problems[0].String()
	if e.Total > 1 {
		text += fmt.Sprintf(", and %d more problems", e.Total-1)
	}
	return text
}
