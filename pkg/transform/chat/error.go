package chat

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
	"github.com/gemwire/gemwire/pkg/transform/internal/openaianswer"
)

// FromError converts an error to OpenAI's terms: the HTTP status and the body that a client of
// OpenAI understands. It knows the errors of the packages gemini and normalize, deadlines and
// network failures, through [normalize.FromError]. That function also returns the retry delay for
// the header Retry-After.
//
// The status is the status of Google's response if there was one. For nil it returns 0 and nil.
func FromError(err error) (httpStatus int, body *openaiapi.ErrorResponse) {
	if err == nil {
		return 0, nil
	}
	e := normalize.FromError(err)
	return openaianswer.FromError(e, openaianswer.KindOf(e), answer.ErrorMessage(e))
}
