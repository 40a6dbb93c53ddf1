package line

import (
	"fmt"
	"strings"
)

// Problem is what is wrong with one line of an input, or with all of it.
type Problem struct {
	// Line is the number of the line, from 1; 0 is the input as a whole.
	Line int `json:"line,omitzero"`
	// Code is one of the codes of this package, such as [CodeDuplicateID].
	Code string `json:"code"`
	// Message says in words what is wrong, and what would be right. It holds nothing of a body.
	Message string `json:"message"`
	// Param is where in the line it is, as a JSON pointer such as "/body/messages/0", "" for the
	// whole line.
	Param string `json:"param,omitzero"`
}

// The codes of problems. The first six are OpenAI's own, by the errors of a batch that failed to
// validate.
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

// InputError says what is wrong with an input, of which nothing is run then.
type InputError struct {
	// Problems are the first of all, in the order of the lines; see [WithMaxProblems].
	Problems []Problem
	// Total counts all problems, also those that Problems leaves out.
	Total int
}

// Error names the first problem and counts the others.
func (e *InputError) Error() string {
	if len(e.Problems) == 0 {
		return fmt.Sprintf("line: the input has %d problems", e.Total)
	}
	text := "line: the input cannot be run: " + e.Problems[0].String()
	if e.Total > 1 {
		text += fmt.Sprintf(", and %d problems more", e.Total-1)
	}
	return text
}
