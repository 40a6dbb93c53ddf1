package structured

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
)

// ErrNoModel is returned by [Generate] and [GenerateStream] without a model to ask.
var ErrNoModel = errors.New("structured: there is no model")

// GenerateError reports that no answer of a model was a value of the Go type, however often it was
// asked.
type GenerateError struct {
	// Tries is how often the model was asked.
	Tries int
	// Response is its last answer.
	Response *geminiapi.GenerateContentResponse
	// Usage is what all answers cost together; nil when none said.
	Usage *geminiapi.UsageMetadata
	// Err is what [Parse] says of the last answer.
	Err error
}

// Error returns one line such as "structured: the answer is wrong after 3 tries: /reasons: ...".
func (e *GenerateError) Error() string {
	tries := "1 try"
	if e.Tries != 1 {
		tries = fmt.Sprintf("%d tries", e.Tries)
	}
	return "structured: the answer is wrong after " + tries + ": " +
		strings.TrimPrefix(fmt.Sprint(e.Err), "structured: ")
}

// Unwrap returns Err.
func (e *GenerateError) Unwrap() error { return e.Err }

// NoTextError reports an answer without a text, for a reason that asking again does not mend: the
// prompt was refused, the model called a function, or it ended for another reason than that it was
// done.
type NoTextError struct {
	// Response is the answer.
	Response *geminiapi.GenerateContentResponse
	// Usage is what all answers cost together; nil when none said.
	Usage *geminiapi.UsageMetadata
}

// Error returns one line such as "structured: no text: the prompt was refused: SAFETY".
func (e *NoTextError) Error() string {
	const text = "structured: no text"
	if e.Response == nil {
		return text
	}
	if hasCall(firstContent(e.Response)) {
		return text + ": the model called a function"
	}
	if first := merge.FirstCandidate(e.Response); first != nil && first.FinishReason != nil {
		return text + ": the model ended with " + string(*first.FinishReason)
	}
	if feedback := e.Response.PromptFeedback; feedback != nil && feedback.BlockReason != nil {
		return text + ": the prompt was refused: " + string(*feedback.BlockReason)
	}
	return text
}

// Try is one answer of a model that [Generate] was given.
type Try struct {
	// Number counts from 1.
	Number int
	// Text is the text of the answer.
	Text string
	// Err is what [Parse] says of it; nil for the answer that is returned.
	Err error
}
