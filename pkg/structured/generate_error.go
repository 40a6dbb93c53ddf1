package structured

import (
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// GenerateError reports that no answer of a model was a value of the Go type, however often it was asked.
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
	return "structured: the answer is wrong after " + tries + ": " + strings.TrimPrefix(e.Err.Error(), "structured: ")
}

// Unwrap returns Err.
func (e *GenerateError) Unwrap() error { return e.Err }

// NoTextError reports an answer without a text, for a reason that asking again does not mend: the prompt was
// refused, the model called a function, or it ended for another reason than that it was done.
type NoTextError struct {
	// Response is the answer.
	Response *geminiapi.GenerateContentResponse
	// Usage is what all answers cost together; nil when none said.
	Usage *geminiapi.UsageMetadata
}

// Error returns one line such as "structured: no text: the prompt was refused: SAFETY".
func (e *NoTextError) Error() string {
	if hasCall(firstContent(e.Response)) {
		return "structured: no text: the model called a function"
	}
	if len(e.Response.Candidates) > 0 && e.Response.Candidates[0].FinishReason != nil {
		return "structured: no text: the model ended with " + string(*e.Response.Candidates[0].FinishReason)
	}
	if feedback := e.Response.PromptFeedback; feedback != nil && feedback.BlockReason != nil {
		return "structured: no text: the prompt was refused: " + string(*feedback.BlockReason)
	}
	return "structured: no text"
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
