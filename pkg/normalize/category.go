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

// Category is a kind of failure that a caller treats alike, whichever provider it comes from.
type Category = gemini.Category

// The categories of errors.
const (
	// CategoryAuth is a missing, wrong or insufficient credential.
	CategoryAuth = gemini.CategoryAuth
	// CategoryRateLimit is a quota that is used up.
	CategoryRateLimit = gemini.CategoryRateLimit
	// CategoryInvalidArg is a request that the server does not accept.
	CategoryInvalidArg = gemini.CategoryInvalidArg
	// CategoryNotFound is a model, file or cache that does not exist.
	CategoryNotFound = gemini.CategoryNotFound
	// CategoryServer is a failure on the server's side.
	CategoryServer = gemini.CategoryServer
	// CategoryTimeout is an answer that did not come in time.
	CategoryTimeout = gemini.CategoryTimeout
	// CategoryContentFilter is a prompt that was refused.
	CategoryContentFilter = gemini.CategoryContentFilter
	// CategoryNetwork is a failure between here and the server.
	CategoryNetwork = gemini.CategoryNetwork
	// CategoryUnknown is everything else.
	CategoryUnknown = gemini.CategoryUnknown
)

// Error is a failure in terms that do not depend on the provider.
type Error struct {
	// Category is the kind of failure.
	Category Category
	// HTTPStatus is the status code, 0 when the failure has none.
	HTTPStatus int
	// Message is what happened, for people: "403: API key invalid" for an answer of the API, "HTTP
	// 403" when it did not explain itself, and the explanation alone within a stream and where no
	// status is known. It quotes no address.
	Message string
	// ProviderCode is the provider's own name of the failure, such as RESOURCE_EXHAUSTED, or for a
	// refused prompt the reason; "" when there is none.
	ProviderCode string
	// RetryAfter is how long the server asks to wait before the next try, 0 when it does not say.
	RetryAfter time.Duration
	// Err is the error that this one describes.
	Err error
}

// ParseError describes an answer with another status than one of success. With httpStatus 0, or one
// of success, it describes an error object within a stream. It understands everything that
// [gemini.DecodeError] does, header included, which may be nil, and never fails.
func ParseError(httpStatus int, header http.Header, body []byte) *Error {
	cause := gemini.DecodeError(httpStatus, header, body)
	if httpStatus < http.StatusMultipleChoices {
		return newStreamError(cause, cause)
	}
	return newError(cause, cause)
}

// FromError describes any error: those of this package and of package gemini, deadlines and
// network failures. What it does not know is CategoryUnknown. It returns nil for nil, and an
// *Error in the chain as it is.
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

// messageOf returns the text of an error for people: without addresses, and without the name of the
// package that made it, which [Error.Error] has already.
func messageOf(err error) string {
	text := transporterror.Text(err)
	for _, pkg := range []string{"normalize: ", "gemini: "} {
		text = strings.TrimPrefix(text, pkg)
	}
	return text
}

// newError describes an answer of the API by its HTTP status, which gemini.Error also fills in for
// errors within a stream. The error that it describes has e in its chain.
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

// unknownError is the message of an error that has none and no status.
const unknownError = "Unknown error"

// newStreamError describes an error object within a stream, which began with a status of success:
// the canonical status decides.
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

// CategoryOfHTTP returns the category of an HTTP status, CategoryUnknown for those that say nothing
// more.
func CategoryOfHTTP(status int) Category { return gemini.CategoryOfHTTP(status) }

// CategoryOfStatus returns the category of a canonical status, which is that of the HTTP status
// that Google answers with for it. An error within a stream has no other status.
func CategoryOfStatus(status geminiapi.ErrorStatus) Category {
	return CategoryOfHTTP(gemini.HTTPStatusOf(status))
}

// localCategory classifies what went wrong before there was an answer of the API.
func localCategory(err error) Category {
	if errors.Is(err, ErrNoCandidates) {
		return CategoryServer
	}
	return gemini.CategoryOf(err)
}

// Retryable reports whether the same request may well succeed later: if its category says so, but
// not when the server said that the quota of a day is used up.
func (e *Error) Retryable() bool {
	reported, ok := errors.AsType[*gemini.Error](e.Err)
	return e.Category.Retryable() && (!ok || !reported.IsDailyQuota())
}

// Error returns one line such as "normalize: auth: 403: API key invalid".
func (e *Error) Error() string { return "normalize: " + string(e.Category) + ": " + e.Message }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
