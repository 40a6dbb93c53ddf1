package structured

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
)

// ErrNoModel is returned by [Generate] and [GenerateStream] if no model is given.
var ErrNoModel = errors.New("structured: no model is given")

// GenerateError reports that no answer of a model was a value of the Go type after all tries.
type GenerateError struct {
	// Tries is the number of requests.
	Tries int
	// Response is the last answer.
	Response *geminiapi.GenerateContentResponse
	// Usage is the sum of all answers, nil if none reported its usage.
	Usage *geminiapi.UsageMetadata
	// Err is the error of [Parse] about the last answer.
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

// NoTextError reports an answer without text, for a reason that a retry cannot change: the prompt
// was refused, the model called a function, or the answer did not end normally.
type NoTextError struct {
	// Response is the answer.
	Response *geminiapi.GenerateContentResponse
	// Usage is the sum of all answers, nil if none reported its usage.
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

// Try is one answer of a model to [Generate].
type Try struct {
	// Number counts from 1.
	Number int
	// Text is the text of the answer.
	Text string
	// Err is the error of [Parse] about the answer, nil for the answer that Generate returns.
	Err error
}
