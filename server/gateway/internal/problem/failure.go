package problem

import (
	"cmp"
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/gemwire/gemwire/server/gateway/internal/inbound"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
)

// located is an error with a location in the request.
type located interface {
	error
	Location() (pointer string, offset int64)
	Reason() string
}

// Unreadable is the problem of an invalid request body, or of a request that cannot be converted.
func Unreadable(err error) *Problem {
	var at located
	if !errors.As(err, &at) {
		return Invalid("", "", errortext.WithoutPackage(err.Error()))
	}
	pointer, _ := at.Location()
	reason := at.Reason()
	// which may be a body member in HTTP
	if rest, isOfInput := strings.CutPrefix(reason, "the input "); isOfInput {
		reason = "the body " + rest
	}
	p := Invalid("", cmp.Or(pointer, FirstFault(err)), MessageAt(pointer, reason))
	var coded interface{ ErrorCode() string }
	if errors.As(err, &coded) {
		p.Code = coded.ErrorCode()
	}
	return p
}

// FirstFault returns the pointer of the first fault of a request that has several. It returns ""
// for other errors. The message lists all faults.
func FirstFault(err error) string {
	found, ok := errors.AsType[*validation.Error](err)
	if !ok {
		return ""
	}
	return found.Violations[0].Pointer
}

// MessageAt puts a location before a message.
func MessageAt(pointer, reason string) string {
	if pointer == "" {
		return reason
	}
	return pointer + ": " + reason
}

// Lossy is the problem of a request that forbids losses. It lists the losses.
func Lossy(lost report.Report) *Problem {
	lines := make([]string, len(lost))
	for i, entry := range lost {
		lines[i] = MessageAt(entry.Pointer, entry.Detail)
	}
	p := Invalid("lossy_conversion", lost[0].Pointer,
		"strict: the conversion would lose "+strings.Join(lines, "; "))
	p.IsFinal = true
	return p
}

// OfCall returns the problem of a failed Gemini call.
func OfCall(err error, to Caller) *Problem {
	if name, ok := errors.AsType[*gemini.ModelError](err); ok {
		return &Problem{
			Status: http.StatusNotFound, Type: TypeInvalidRequest, Code: CodeModelNotFound,
			Param:   "/model",
			Message: errortext.WithoutPackage(name.Error()), Err: err,
		}
	}
	if p := OfInbound(err); p != nil {
		return p
	}
	status, body := chat.FromError(err)
	p := &Problem{
		Status: status, Type: body.Error.Type, Code: jsonx.Deref(body.Error.Code),
		Message: body.Error.Message, Err: err,
	}
	reported, _ := errors.AsType[*gemini.Error](err)
	resting, isResting := errors.AsType[*upstream.RestError](err)
	part, isPart := errors.AsType[*normalize.PartError](err)
	switch {
	case isResting:
		p.RetryAfter = resting.Wait
	case isPart:
		p.Message = "the model's answer cannot be used: " + MessageAt(part.Pointer, part.Problem)
	case reported != nil:
		p.RetryAfter = reported.RetryAfter
	default:
		p.Message = cmp.Or(to.connectionMessage(err),
			errortext.WithoutPackage(transporterror.Text(err)))
	}
	p.RetryAfter = min(p.RetryAfter, longestHint)
	switch {
	case errors.Is(err, context.Canceled):
		p.Status, p.Type, p.Code = StatusClientLeft, TypeInvalidRequest, codeClientLeft
	case reported == nil && p.Status == http.StatusInternalServerError &&
		hasAnswered(err): // the reply is not an answer
		p.Status, p.Type, p.Code = http.StatusBadGateway, TypeServer, codeBadAnswer
	case reported == nil:
	case !reported.FromAPI() &&
		reported.HTTPStatus < http.StatusBadRequest: // a page in place of an answer
		p.Status, p.Type, p.Code = http.StatusBadGateway, TypeServer, codeBadAnswer
	case reported.RefusesCredential() && !to.HasOwnKey:
		p.refuseKey()
	case reported.IsDailyQuota():
		p.Type, p.Code, p.RetryAfter, p.IsFinal = TypeQuota, TypeQuota, 0, true
	case reported.Category() == gemini.CategoryRateLimit && p.RetryAfter > 0:
		p.Message = rateLimitMessage(reported.Message, p.RetryAfter)
	case isTooLong(reported):
		p.Code = CodeTooLong
	case reported.HTTPStatus == http.StatusNotImplemented: // which clients try again
		p.Status, p.Type, p.Code, p.IsFinal = http.StatusBadRequest, TypeInvalidRequest,
			"not_implemented", true
	case p.Type == TypeServer && isClients[p.Status]:
		p.Type = TypeInvalidRequest
	}
	if !IsErrorStatus(p.Status) { // by the code of an error within a stream
		p.Status, p.Type, p.Code = http.StatusBadGateway, TypeServer, codeBadAnswer
	}
	p.addRetryWords(err)
	return p
}

// IsErrorStatus reports whether a status may be sent to clients as an error status.
func IsErrorStatus(status int) bool { return status >= 400 && status < 600 }

// OfInbound returns the problem of an upstream answer that the gateway refuses. It returns nil for
// other errors.
func OfInbound(err error) *Problem {
	if wrong, ok := errors.AsType[*inbound.StatusError](err); ok {
		return &Problem{Status: http.StatusBadGateway, Type: TypeServer, Code: codeBadAnswer,
			Message: wrong.Error(), Err: err}
	}
	if unread, ok := errors.AsType[*inbound.AnswerError](err); ok {
		return &Problem{Status: http.StatusBadGateway, Type: TypeServer, Code: codeBadAnswer,
			Message: unread.Error(), Err: err}
	}
	if large, ok := errors.AsType[*inbound.SizeError](err); ok {
		return &Problem{
			Status: http.StatusBadGateway, Type: TypeServer, Code: "upstream_answer_too_large",
			Message: large.Error(), Err: err, IsFinal: true,
		}
	}
	return nil
}

// isClients are the statuses without their own category that are about the request.
var isClients = map[int]bool{
	http.StatusPaymentRequired: true, http.StatusMethodNotAllowed: true,
	http.StatusRequestEntityTooLarge: true,
	http.StatusRequestURITooLong:     true, http.StatusUnsupportedMediaType: true,
	http.StatusUnprocessableEntity:         true,
	http.StatusRequestHeaderFieldsTooLarge: true,
}

// usedUpMessage is the start of Google's message for every exhausted quota, also per minute.
const usedUpMessage = "You exceeded your current quota"

// rateLimitMessage returns the message for a temporary limit. Google's message refers to plan and
// billing, as OpenAI's does for a permanently exhausted quota. npm @langchain/core 1.4 does not
// retry after such a message. The lines that name the quota stay.
func rateLimitMessage(message string, wait time.Duration) string {
	if !strings.HasPrefix(message, usedUpMessage) {
		return message
	}
	out := "Gemini's rate limit is reached"
	for line := range strings.Lines(message) {
		if quota, ok := strings.CutPrefix(line, "* "); ok {
			// pi 0.73 gives up after "quota exceeded"
			out += "; " + strings.TrimPrefix(strings.TrimSpace(quota), "Quota exceeded for ")
		}
	}
	tenths := math.Ceil(wait.Seconds()*10) / 10
	return out + "; try again in " + strconv.FormatFloat(tenths, 'f', -1, 64) + "s"
}

// hasAnswered reports whether a call failed because of what the server sent with the status 200,
// such as a call without a name.
func hasAnswered(err error) bool {
	if _, isPart := errors.AsType[*normalize.PartError](err); isPart {
		return true
	}
	failed, ok := errors.AsType[*gemini.CallError](err)
	return ok && failed.HTTPStatus == http.StatusOK
}

// StatusClientLeft is the status of a request whose client disconnected before the answer. Google's
// APIs use it for CANCELLED, and logs of proxies use it in this sense.
const StatusClientLeft = 499

const codeClientLeft = "client_left"

const (
	CodeKeyRefused    = "upstream_key_refused"
	CodeTooLong       = transform.CodeTooLong
	CodeModelNotFound = transform.CodeModelNotFound
	codeBadAnswer     = "bad_upstream_answer"
	// CodeEmptyAnswer is the code of an answer without content.
	CodeEmptyAnswer = "empty_answer"
)

// refuseKey reports that the upstream refused the gateway's own key. The client is not at fault,
// and a retry does not help.
func (p *Problem) refuseKey() {
	p.Status, p.Type, p.Code, p.IsFinal = http.StatusForbidden, TypeInvalidRequest, CodeKeyRefused,
		true
	p.RetryAfter = 0
	p.Message = "the upstream refused this gateway's key: " + p.Message
}

// isTooLong reports whether the prompt has more tokens than the model accepts. Only the message
// shows that, or the code of a server of OpenAI's API.
func isTooLong(e *gemini.Error) bool {
	for i := range e.Details {
		if e.Details[i].Metadata["code"] == CodeTooLong {
			return true
		}
	}
	return e.Category() == gemini.CategoryInvalidArg &&
		strings.Contains(e.Message, "token count") &&
		strings.Contains(e.Message, "exceeds the maximum number of tokens")
}
