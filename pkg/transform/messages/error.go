package messages

import (
	"cmp"
	"net/http"
	"regexp"

	"github.com/gemwire/gemwire/gen/anthropicapi"
	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// FromError converts an error to Anthropic's terms: the HTTP status and the body that a client of
// Anthropic understands. It knows the errors of the packages gemini and normalize, deadlines and
// network failures, through [normalize.FromError]. That function also returns the retry delay for
// the header retry-after.
//
// A prompt that is too long gets the wording that Claude Code recognizes. Google's own message is
// in the details. For nil it returns 0 and nil.
func FromError(err error) (httpStatus int, body *anthropicapi.ErrorResponse) {
	if err == nil {
		return 0, nil
	}
	e := normalize.FromError(err)
	kind := errorType(e)
	message := answer.ErrorMessage(e)
	body = anthropic.ErrorBody(kind, message, "")
	if known := tooLongPrompt(message); kind == anthropicapi.ErrorTypeInvalidRequestError &&
		known != "" {
		body.Error.Message = known
		body.Error.Details = object("native_message", message)
	}
	return errorStatus(kind, e.HTTPStatus), body
}

// tooLongPrompt returns the wording by which Claude Code recognizes a prompt with too many tokens.
// It returns "" for any other message of Google.
func tooLongPrompt(message string) string {
	counts := tokenCounts.FindStringSubmatch(message)
	if counts == nil {
		return ""
	}
	return "prompt is too long: " + counts[1] + " tokens > " + counts[2] + " maximum"
}

// tokenCounts finds the prompt's token count and its limit in Google's message.
var tokenCounts = regexp.MustCompile(`token count \(?(\d+)\)? exceeds the maximum number of tokens allowed \(?(\d+)\)?`)

// errorTypes maps error categories to types. It is never modified.
var errorTypes = map[normalize.Category]anthropicapi.ErrorType{
	normalize.CategoryAuth:          anthropicapi.ErrorTypeAuthenticationError,
	normalize.CategoryRateLimit:     anthropicapi.ErrorTypeRateLimitError,
	normalize.CategoryInvalidArg:    anthropicapi.ErrorTypeInvalidRequestError,
	normalize.CategoryNotFound:      anthropicapi.ErrorTypeNotFoundError,
	normalize.CategoryServer:        anthropicapi.ErrorTypeAPIError,
	normalize.CategoryTimeout:       anthropicapi.ErrorTypeTimeoutError,
	normalize.CategoryContentFilter: anthropicapi.ErrorTypeInvalidRequestError,
	normalize.CategoryNetwork:       anthropicapi.ErrorTypeAPIError,
	normalize.CategoryUnknown:       anthropicapi.ErrorTypeAPIError,
}

// errorType returns the type of an error, from its category. If the category is too broad, Google's
// status decides.
func errorType(e *normalize.Error) anthropicapi.ErrorType {
	switch {
	case e.HTTPStatus == http.StatusForbidden:
		return anthropicapi.ErrorTypePermissionError
	case e.HTTPStatus == http.StatusConflict || e.ProviderCode == "ABORTED":
		return anthropicapi.ErrorTypeConflictError
	case e.HTTPStatus == http.StatusRequestEntityTooLarge:
		return anthropicapi.ErrorTypeRequestTooLarge
	case e.HTTPStatus == http.StatusServiceUnavailable || e.ProviderCode == "UNAVAILABLE":
		return anthropicapi.ErrorTypeOverloadedError
	default:
		return cmp.Or(errorTypes[e.Category], anthropicapi.ErrorTypeAPIError)
	}
}

// errorStatus returns the HTTP status of an error type. It keeps 499, 501 and 502 if the type is
// not more specific.
func errorStatus(kind anthropicapi.ErrorType, upstream int) int {
	isKept := upstream == http.StatusNotImplemented || upstream == http.StatusBadGateway ||
		upstream == statusClientClosed
	if isKept && kind == anthropicapi.ErrorTypeAPIError {
		return upstream
	}
	return anthropic.StatusOf(kind)
}

// statusClientClosed is Google's status for a cancelled call.
const statusClientClosed = 499
