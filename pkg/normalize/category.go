package normalize

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// Category is a kind of failure that a caller handles in one way, whatever the provider.
type Category = gemini.Category

// The categories of errors.
const (
	// CategoryAuth is a missing, wrong or insufficient credential.
	CategoryAuth = gemini.CategoryAuth
	// CategoryRateLimit is an exhausted quota.
	CategoryRateLimit = gemini.CategoryRateLimit
	// CategoryInvalidArg is a request that the server rejects as invalid.
	CategoryInvalidArg = gemini.CategoryInvalidArg
	// CategoryNotFound is a model, file or cache that does not exist.
	CategoryNotFound = gemini.CategoryNotFound
	// CategoryServer is a failure on the server's side.
	CategoryServer = gemini.CategoryServer
	// CategoryTimeout is an answer that did not arrive in time.
	CategoryTimeout = gemini.CategoryTimeout
	// CategoryContentFilter is a prompt that was refused.
	CategoryContentFilter = gemini.CategoryContentFilter
	// CategoryNetwork is a failure of the connection to the server.
	CategoryNetwork = gemini.CategoryNetwork
	// CategoryUnknown is any other failure.
	CategoryUnknown = gemini.CategoryUnknown
)

// Error is a failure in terms that are the same for every provider.
type Error struct {
	// Category is the kind of failure.
	Category Category
	// HTTPStatus is the status code, 0 if the failure has none.
	HTTPStatus int
	// Message describes the failure for people. It is "403: API key invalid" for an answer of the
	// API and "HTTP 403" for an answer without an explanation. Within a stream, and where the
	// status is unknown, it is the explanation alone. It never contains an address.
	Message string
	// ProviderCode is the provider's own name for the failure, such as RESOURCE_EXHAUSTED. For a
	// refused prompt it is the reason. It is "" if the provider gave none.
	ProviderCode string
	// RetryAfter is the delay that the server asks for before the next try, 0 if it names none.
	RetryAfter time.Duration
	// Err is the error that this one describes.
	Err error
}

// ParseError describes an answer whose status is not a success. If httpStatus is 0 or a success, it
// describes an error object within a stream. It understands everything that [gemini.DecodeError]
// understands, including the header, which may be nil. It never fails.
func ParseError(httpStatus int, header http.Header, body []byte) *Error {
	cause := gemini.DecodeError(httpStatus, header, body)
	if httpStatus < http.StatusMultipleChoices {
		return newStreamError(cause, cause)
	}
	return newError(cause, cause)
}

// FromError describes any error: errors of this package and of package gemini, deadlines and
// network failures. The category of an unknown error is CategoryUnknown. FromError returns nil for
// nil, and an *Error in the chain unchanged.
func FromError(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if cause, ok := errors.AsType[*gemini.Error](err); ok {
		return newError(cause, err)
	}
	out := &Error{Category: localCategory(err), Err: err}
	if blocked, ok := errors.AsType[*BlockedError](err); ok {
		out.Category, out.ProviderCode = blocked.Category(), string(blocked.Reason)
	}
	if root := rootErrorOf(err); root != nil {
		out.Err = root
	}
	out.Message = messageOf(out.Err)
	return out
}

// messageOf returns the text of an error for people. It leaves out addresses and the package
// prefix, which [Error.Error] adds itself.
func messageOf(err error) string {
	text := transporterror.Text(err)
	for _, pkg := range []string{"normalize: ", "gemini: "} {
		text = strings.TrimPrefix(text, pkg)
	}
	return text
}

// newError describes an answer of the API by its HTTP status. gemini.Error has that status for
// errors within a stream, too. The chain of the result contains e.
func newError(e *gemini.Error, err error) *Error {
	out := &Error{
		Category:     e.Category(),
		HTTPStatus:   e.HTTPStatus,
		Message:      "HTTP " + strconv.Itoa(e.HTTPStatus),
		ProviderCode: string(e.Status),
		RetryAfter:   e.RetryAfter,
		Err:          err,
	}
	switch {
	case isPage(e):
		out.describePage(e)
	case e.HTTPStatus == 0:
		out.Message = cmp.Or(e.Message, unknownError)
	case e.FromAPI():
		out.Message = strconv.Itoa(e.HTTPStatus) + ": " + e.Message
	}
	return out
}

// unknownError is the message of an error that has neither a message nor a status.
const unknownError = "Unknown error"

// newStreamError describes an error object within a stream. The stream began with a success status,
// so the canonical status decides the category.
func newStreamError(e *gemini.Error, err error) *Error {
	out := newError(e, err)
	if isPage(e) {
		return out
	}
	out.Message = cmp.Or(e.Message, unknownError)
	if e.Status != "" {
		byStatus := *e
		byStatus.HTTPStatus = gemini.HTTPStatusOf(e.Status)
		out.Category = byStatus.Category()
	}
	return out
}

// CategoryOfHTTP returns the category of an HTTP status. It is CategoryUnknown if the status does
// not decide one.
func CategoryOfHTTP(status int) Category { return gemini.CategoryOfHTTP(status) }

// CategoryOfStatus returns the category of a canonical status. It is the category of the HTTP
// status that Google answers with for it. An error within a stream has only a canonical status.
func CategoryOfStatus(status geminiapi.ErrorStatus) Category {
	return CategoryOfHTTP(gemini.HTTPStatusOf(status))
}

// localCategory classifies failures that happen before the API answers.
func localCategory(err error) Category {
	if errors.Is(err, ErrNoCandidates) {
		return CategoryServer
	}
	return gemini.CategoryOf(err)
}

// Retryable reports whether the same request may succeed later. The category decides, except that
// an exhausted daily quota is never retryable.
func (e *Error) Retryable() bool {
	reported, ok := errors.AsType[*gemini.Error](e.Err)
	return e.Category.Retryable() && (!ok || !reported.IsDailyQuota())
}

// Error returns one line such as "normalize: auth: 403: API key invalid".
func (e *Error) Error() string { return "normalize: " + string(e.Category) + ": " + e.Message }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
