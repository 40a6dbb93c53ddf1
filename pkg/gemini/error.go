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

// Error is an error that the API answered with. [DecodeError] makes one from a reply; it never
// fails, so that even an HTML page from a proxy between here and Google becomes an Error.
//
// API keys that Google's messages sometimes quote are blanked out in all fields and in everything
// that the methods print; only RawBody returns what was received. An Error is not changed after it
// was made, and safe for use by several goroutines.
type Error struct {
	// HTTPStatus is the status code of the reply. Within a stream that began with 200 it is the
	// code that the error object names, or else the one that belongs to Status; 0 when nothing
	// tells.
	HTTPStatus int
	// Status is the canonical code, such as RESOURCE_EXHAUSTED; "" when the body names none.
	Status geminiapi.ErrorStatus
	// Message explains the error in English. For a body that is no error of the API it is the title
	// of an HTML page, the beginning of a text, or that it is compressed; "" when there is nothing
	// to read.
	Message string
	// Details are the typed facts of google.rpc, in the order in which they came.
	Details []geminiapi.ErrorDetail
	// RetryAfter is how long the server asks to wait before the next try, at most a year; 0 when it
	// does not say.
	RetryAfter time.Duration
	// RequestID identifies the call in a report to Google; "" when the reply holds no identifier.
	RequestID string

	fromAPI bool
	legacy  []geminiapi.LegacyError
	// body is a pointer because package fmt prints the slices of a struct, but not what a pointer
	// in it points to.
	body *[]byte
}

// DecodeError makes an error of a reply that is none of success, or of an error object within a
// stream, for which httpStatus is 0 and header is nil.
//
// It understands the envelope {"error": {...}}, a list with the envelope in it, the error object by
// itself if its status is a canonical one, the older list of errors, HTML, plain text and an empty
// body. A member of the wrong type is passed over and the rest is read. RetryAfter comes from a
// RetryInfo detail, else from a retryDelay member of the error or beside it, else from the
// Retry-After header, else from the message.
//
// The result holds on to body.
func DecodeError(httpStatus int, header http.Header, body []byte) *Error {
	facts := errorbody.Read(httpStatus, header, body)
	e := &Error{
		HTTPStatus: facts.HTTPStatus, Status: facts.Status, Message: facts.Message,
		Details:    facts.Details,
		RetryAfter: facts.RetryAfter, RequestID: facts.RequestID, fromAPI: facts.FromAPI,
		legacy: facts.Legacy,
	}
	if len(body) > 0 {
		e.body = &body
	}
	return e
}

// blank blanks out credentials that a server quotes, such as one of a gateway, which has not the
// form of Google's. RawBody stays what was received.
func (e *Error) blank(secrets []string) {
	body := string(e.RawBody())
	if clean := redact.Text(body, secrets...); clean != body {
		own := DecodeError(e.HTTPStatus, nil, []byte(clean))
		e.Status, e.Message, e.Details, e.legacy = own.Status, own.Message, own.Details, own.legacy
	}
	e.Message = redact.Text(e.Message, secrets...)
	e.RequestID = redact.Text(e.RequestID, secrets...)
}

// HTTPStatusOf returns the HTTP status that Google's services answer with for a canonical status, 0
// for one that is not known.
func HTTPStatusOf(status geminiapi.ErrorStatus) int { return errorbody.HTTPStatusOf(status) }

// Error returns one line such as "gemini: 429 RESOURCE_EXHAUSTED: quota exceeded", in which the
// message is that of the server and may itself have several lines. The body is never part of it.
func (e *Error) Error() string {
	return "gemini: " + e.Summary()
}

// Summary returns what [Error.Error] says without the name of the package.
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

// Is reports whether target is an *Error whose HTTPStatus and Status, as far as they are set, are
// those of e. So errors.Is(err, &gemini.Error{HTTPStatus: 429}) finds every error of that status.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && (t.HTTPStatus != 0 || t.Status != "") &&
		(t.HTTPStatus == 0 || t.HTTPStatus == e.HTTPStatus) &&
		(t.Status == "" || t.Status == e.Status)
}

// FromAPI reports whether the body was an error object of the API with a message, which may be
// empty. It is false for everything that a proxy, a load balancer or a captive portal says.
func (e *Error) FromAPI() bool { return e.fromAPI }

// RawBody returns the body as it was received, which may hold what should not be logged: prompts,
// keys, project numbers. It must not be changed. It is nil when the reply had no body.
func (e *Error) RawBody() []byte {
	if e.body == nil {
		return nil
	}
	return *e.body
}

// Detail returns the first detail of a kind, named by the last part of its type URL, for example
// "ErrorInfo", "QuotaFailure" or "Help"; nil when there is none.
func (e *Error) Detail(kind string) *geminiapi.ErrorDetail {
	return errorbody.Detail(e.Details, kind)
}

// Reason returns the stable name of the cause, such as API_KEY_INVALID, from ErrorInfo or else from
// the older list of errors (where it looks like rateLimitExceeded); "" when there is none.
func (e *Error) Reason() string {
	if info := e.Detail("ErrorInfo"); info != nil && info.Reason != nil {
		return *info.Reason
	}
	for _, legacy := range e.legacy {
		if legacy.Reason != nil {
			return *legacy.Reason
		}
	}
	return ""
}

// FieldViolations returns the faults that a BadRequest detail lists, nil when there are none.
func (e *Error) FieldViolations() []geminiapi.FieldViolation {
	if bad := e.Detail("BadRequest"); bad != nil {
		return bad.FieldViolations
	}
	return nil
}

// QuotaViolations returns the limits that a QuotaFailure detail lists, nil when there are none.
// The quota's id tells the period: it holds PerMinute or PerDay.
func (e *Error) QuotaViolations() []geminiapi.Violation {
	if quota := e.Detail("QuotaFailure"); quota != nil {
		return quota.Violations
	}
	return nil
}

// QuotaIDs returns the ids of the limits of QuotaViolations that have one.
func (e *Error) QuotaIDs() []string {
	var ids []string
	for _, violation := range e.QuotaViolations() {
		if violation.QuotaID != nil {
			ids = append(ids, *violation.QuotaID)
		}
	}
	return ids
}
