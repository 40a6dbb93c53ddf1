package gemini

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/redact"
	"github.com/gemwire/gemwire/pkg/gemini/internal/errorbody"
)

// Error is an error that the API reported. [DecodeError] makes it from a reply. That never fails,
// so even an HTML page from a proxy becomes an Error.
//
// Google's messages sometimes quote API keys. They are redacted in all fields and in everything
// that the methods print; only RawBody returns the received bytes. An Error never changes and is
// safe for use by several goroutines.
type Error struct {
	// HTTPStatus is the status code of the reply. In a stream that began with 200 it is the code of
	// the error object, or else the code that belongs to Status. It is 0 if unknown.
	HTTPStatus int
	// Status is the canonical code, such as RESOURCE_EXHAUSTED, or "" if the body has none.
	Status geminiapi.ErrorStatus
	// Message explains the error in English. If the body is not an API error, it is the title of an
	// HTML page, the beginning of a text, or a note that the body is compressed. It is "" if there
	// is nothing to read.
	Message string
	// Details are the typed details of google.rpc, in the order of the reply.
	Details []geminiapi.ErrorDetail
	// RetryAfter is how long the server asks to wait before a retry, at most a year. It is 0 if the
	// server does not say.
	RetryAfter time.Duration
	// RequestID identifies the call in a report to Google, or is "" if the reply has no id.
	RequestID string

	fromAPI bool
	legacy  []geminiapi.LegacyError
	code    string // of an error of the Interactions API
	// body is a pointer because package fmt prints the slices of a struct, but not what a pointer
	// in it points to.
	body *[]byte
}

// DecodeError makes an error from an unsuccessful reply, or from an error object in a stream. For
// an error object, httpStatus is 0 and header is nil.
//
// It understands the envelope {"error": {...}}, a list that holds the envelope, a bare error object
// with a canonical status, the older list of errors, HTML, plain text and an empty body. It ignores
// a member of the wrong type and reads the rest. RetryAfter comes from a RetryInfo detail, else
// from a retryDelay member in or next to the error, else from the Retry-After header, else from the
// message.
//
// The result keeps body.
func DecodeError(httpStatus int, header http.Header, body []byte) *Error {
	facts := errorbody.Read(httpStatus, header, body)
	e := &Error{
		HTTPStatus: facts.HTTPStatus, Status: facts.Status, Message: facts.Message,
		Details:    facts.Details,
		RetryAfter: facts.RetryAfter, RequestID: facts.RequestID, fromAPI: facts.FromAPI,
		legacy: facts.Legacy, code: facts.Code,
	}
	if len(body) > 0 {
		e.body = &body
	}
	return e
}

// blank redacts credentials that a server quotes and that do not look like Google's, such as a
// gateway's. RawBody stays as received.
func (e *Error) blank(secrets []string) {
	body := string(e.RawBody())
	if clean := redact.Text(body, secrets...); clean != body {
		own := DecodeError(e.HTTPStatus, nil, []byte(clean))
		e.Status, e.Message, e.Details, e.legacy = own.Status, own.Message, own.Details, own.legacy
	}
	e.Message = redact.Text(e.Message, secrets...)
	e.RequestID = redact.Text(e.RequestID, secrets...)
}

// HTTPStatusOf returns the HTTP status that Google's services use for a canonical status, or 0 for
// an unknown one.
func HTTPStatusOf(status geminiapi.ErrorStatus) int { return errorbody.HTTPStatusOf(status) }

// Error returns one line such as "gemini: 429 RESOURCE_EXHAUSTED: quota exceeded". The message is
// the server's and may have several lines itself. The body is never part of it.
func (e *Error) Error() string {
	return "gemini: " + e.Summary()
}

// Summary returns the text of [Error.Error] without the name of the package.
func (e *Error) Summary() string {
	var words []string
	if e.HTTPStatus != 0 {
		words = append(words, strconv.Itoa(e.HTTPStatus))
	}
	switch {
	case e.Status != "":
		words = append(words, string(e.Status))
	case e.Message == "" && e.HTTPStatus >= 200 && e.HTTPStatus < 300:
		words = append(words, "without an answer")
	case e.Message == "":
		words = append(words,
			cmp.Or(strings.ToLower(http.StatusText(e.HTTPStatus)), "error without a message"))
	}
	line := strings.Join(words, " ")
	if e.Message == "" {
		return line
	}
	if line == "" {
		return e.Message
	}
	return line + ": " + e.Message
}

// GoString returns the fields without the body.
func (e *Error) GoString() string {
	return fmt.Sprintf("&gemini.Error{HTTPStatus:%d, Status:%q, Message:%q, RetryAfter:%v, RequestID:%q}",
		e.HTTPStatus, e.Status, e.Message, e.RetryAfter, e.RequestID)
}

// LogValue groups the fields for package slog, without the body.
func (e *Error) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Int("http_status", e.HTTPStatus),
		slog.String("status", string(e.Status)),
		slog.String("message", e.Message),
		slog.String("reason", e.Reason()),
		slog.Duration("retry_after", e.RetryAfter),
		slog.String("request_id", e.RequestID),
	)
}

// Is reports whether target is an *Error whose HTTPStatus and Status equal those of e. Unset fields
// of target match any value, so errors.Is(err, &gemini.Error{HTTPStatus: 429}) finds every error
// with that status.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && (t.HTTPStatus != 0 || t.Status != "") &&
		(t.HTTPStatus == 0 || t.HTTPStatus == e.HTTPStatus) &&
		(t.Status == "" || t.Status == e.Status)
}

// FromAPI reports whether the body was an error object of the API with a message, which may be
// empty. It is false for errors from a proxy, a load balancer or a captive portal.
func (e *Error) FromAPI() bool { return e.fromAPI }

// RawBody returns the body as received, or nil without a body. It may hold data that should not be
// logged: prompts, keys, project numbers. It must not be changed.
func (e *Error) RawBody() []byte {
	if e.body == nil {
		return nil
	}
	return *e.body
}

// Detail returns the first detail of a kind, or nil. The kind is the last part of the type URL, for
// example "ErrorInfo", "QuotaFailure" or "Help".
func (e *Error) Detail(kind string) *geminiapi.ErrorDetail {
	return errorbody.Detail(e.Details, kind)
}

// Reason returns the stable name of the cause, such as API_KEY_INVALID, or "". It comes from
// ErrorInfo, or else from the older list of errors, in the form rateLimitExceeded. An error of the
// Interactions API has its code, in the form rate_limit_exceeded.
func (e *Error) Reason() string {
	if info := e.Detail("ErrorInfo"); info != nil && info.Reason != nil {
		return *info.Reason
	}
	for _, legacy := range e.legacy {
		if legacy.Reason != nil {
			return *legacy.Reason
		}
	}
	return e.code
}

// FieldViolations returns the violations that a BadRequest detail lists, or nil.
func (e *Error) FieldViolations() []geminiapi.FieldViolation {
	if bad := e.Detail("BadRequest"); bad != nil {
		return bad.FieldViolations
	}
	return nil
}

// QuotaViolations returns the limits that a QuotaFailure detail lists, or nil. The id of a quota
// includes its period: PerMinute or PerDay.
func (e *Error) QuotaViolations() []geminiapi.Violation {
	if quota := e.Detail("QuotaFailure"); quota != nil {
		return quota.Violations
	}
	return nil
}

// QuotaIDs returns the ids in QuotaViolations, without empty ones.
func (e *Error) QuotaIDs() []string {
	var ids []string
	for _, violation := range e.QuotaViolations() {
		if violation.QuotaID != nil {
			ids = append(ids, *violation.QuotaID)
		}
	}
	return ids
}
