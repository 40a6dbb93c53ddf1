package gemini

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"github.com/gemwire/gemwire/pkg/wire"
)

// Category is a kind of failure that a caller treats alike, whichever provider it comes from.
type Category string

// The categories of errors.
const (
	// CategoryAuth is a missing, wrong or insufficient credential.
	CategoryAuth Category = "auth"
	// CategoryRateLimit is a quota that is used up.
	CategoryRateLimit Category = "rate_limit"
	// CategoryInvalidArg is a request that the server does not accept.
	CategoryInvalidArg Category = "invalid_arg"
	// CategoryNotFound is a model, file or cache that does not exist.
	CategoryNotFound Category = "not_found"
	// CategoryServer is a failure on the server's side.
	CategoryServer Category = "server"
	// CategoryTimeout is an answer that did not come in time.
	CategoryTimeout Category = "timeout"
	// CategoryContentFilter is a prompt that was refused.
	CategoryContentFilter Category = "content_filter"
	// CategoryNetwork is a failure between here and the server.
	CategoryNetwork Category = "network"
	// CategoryUnknown is everything else.
	CategoryUnknown Category = "unknown"
)

// Retryable reports whether the same request may well succeed later: after rate limits, server
// failures, timeouts and network failures. A category does not know for how long: see [Error.Retryable], which is
// false for the quota of a day.
func (c Category) Retryable() bool {
	switch c {
	case CategoryRateLimit, CategoryServer, CategoryTimeout, CategoryNetwork:
		return true
	default:
		return false
	}
}

// CategoryOf returns the category of an error of this package or of a connection. What it does not know is
// CategoryUnknown, as are nil and the end of a context by its caller.
func CategoryOf(err error) Category {
	if reported, ok := errors.AsType[*Error](err); ok {
		return reported.Category()
	}
	return localCategory(err)
}

// Category returns the category of the HTTP status, except for a wrong API key, which is INVALID_ARGUMENT (400) to
// the API.
func (e *Error) Category() Category {
	if e.Reason() == "API_KEY_INVALID" {
		return CategoryAuth
	}
	return CategoryOfHTTP(e.HTTPStatus)
}

// CategoryOfHTTP returns the category of an HTTP status, CategoryUnknown for those that say nothing
// more.
func CategoryOfHTTP(status int) Category {
	if category, ok := httpCategories[status]; ok {
		return category
	}
	return CategoryUnknown
}

var httpCategories = map[int]Category{
	http.StatusBadRequest:          CategoryInvalidArg,
	http.StatusUnauthorized:        CategoryAuth,
	http.StatusForbidden:           CategoryAuth,
	http.StatusNotFound:            CategoryNotFound,
	http.StatusTooManyRequests:     CategoryRateLimit,
	http.StatusInternalServerError: CategoryServer,
	http.StatusBadGateway:          CategoryServer,
	http.StatusServiceUnavailable:  CategoryServer,
	http.StatusGatewayTimeout:      CategoryTimeout,
}

// localCategory classifies what went wrong before there was an answer of the API. The deadline
// comes first: net/http reports one as a network error too.
func localCategory(err error) Category {
	netErr, isNet := errors.AsType[net.Error](err)
	if _, isErrno := netErr.(syscall.Errno); isErrno { // of a file, as likely as not
		isNet = false
	}
	_, isCertificate := errors.AsType[*tls.CertificateVerificationError](err)
	unwritten, isUnwritten := errors.AsType[*wire.EncodeError](err)
	switch {
	case isUnwritten && strings.HasSuffix(strings.ToLower(unwritten.Payload), "request"):
		return CategoryInvalidArg
	case isUnwritten: // JSON that ends too early has io.ErrUnexpectedEOF in the chain
		return CategoryUnknown
	case errors.Is(err, context.Canceled), isCertificate:
		return CategoryUnknown
	case errors.Is(err, context.DeadlineExceeded), isNet && netErr.Timeout():
		return CategoryTimeout
	case isNet, errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), errors.Is(err, wire.ErrTruncated):
		return CategoryNetwork
	default:
		return CategoryUnknown
	}
}
