package interactions

import (
	"cmp"
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	wire "github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform/internal/answer"
)

// FromError converts an error to the terms of the Interactions API: the HTTP status and the body
// that a client understands. It knows the errors of the packages gemini and normalize, deadlines
// and network failures, through [normalize.FromError]. That function also returns the retry delay
// for the header retry-after. For nil it returns 0 and nil.
func FromError(err error) (httpStatus int, body *interactionsapi.ErrorResponse) {
	if err == nil {
		return 0, nil
	}
	e := normalize.FromError(err)
	message := answer.ErrorMessage(e)
	code := errorCode(e, message)
	return wire.StatusOf(code), wire.ErrorBody(code, strings.ToValidUTF8(message, "\ufffd"))
}

// errorCodes maps error categories to codes. It is never written to.
var errorCodes = map[normalize.Category]string{
	normalize.CategoryAuth:          wire.CodeAuthentication,
	normalize.CategoryRateLimit:     wire.CodeRateLimitExceeded,
	normalize.CategoryInvalidArg:    wire.CodeInvalidRequest,
	normalize.CategoryNotFound:      wire.CodeNotFound,
	normalize.CategoryServer:        wire.CodeInternal,
	normalize.CategoryTimeout:       wire.CodeGatewayTimeout,
	normalize.CategoryContentFilter: wire.CodeContentBlocked,
	normalize.CategoryNetwork:       wire.CodeUnavailable,
	normalize.CategoryUnknown:       wire.CodeInternal,
}

// canonicalCodes maps Google's canonical codes that are narrower than a category. It is never
// written to.
var canonicalCodes = map[string]string{
	"FAILED_PRECONDITION": wire.CodeFailedPrecondition,
	"OUT_OF_RANGE":        wire.CodeOutOfRange,
	"PERMISSION_DENIED":   wire.CodePermissionDenied,
	"CANCELLED":           wire.CodeCancelled,
	"UNIMPLEMENTED":       wire.CodeNotImplemented,
	"UNAVAILABLE":         wire.CodeUnavailable,
}

// errorCode returns the code of an error: by Google's canonical code if that is narrower than the
// category of the error.
func errorCode(e *normalize.Error, message string) string {
	code := cmp.Or(canonicalCodes[e.ProviderCode], errorCodes[e.Category], wire.CodeInternal)
	switch {
	case code == wire.CodeAuthentication && e.HTTPStatus == http.StatusForbidden:
		return wire.CodePermissionDenied
	case code == wire.CodeNotFound && strings.Contains(message, "models/"):
		return wire.CodeModelNotFound
	case code == wire.CodeRateLimitExceeded && isDaily(message):
		return wire.CodeQuotaExceeded
	case code == wire.CodeInternal && e.HTTPStatus == http.StatusServiceUnavailable:
		return wire.CodeUnavailable
	default:
		return code
	}
}

// isDaily reports whether a message is about a limit per day.
func isDaily(message string) bool {
	text := strings.ToLower(message)
	return strings.Contains(text, "per day") || strings.Contains(text, "perday")
}
