package answer

import (
	"cmp"
	"errors"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// ErrorMessage returns the message of a failure: Google's own message without the status prefix, if
// there is one.
func ErrorMessage(e *normalize.Error) string {
	if cause, ok := errors.AsType[*gemini.Error](e.Err); ok && cause.Message != "" {
		return cause.Message
	}
	return cmp.Or(e.Message, "the request failed")
}
