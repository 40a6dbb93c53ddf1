package reverse

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/internal/retryafter"
	"github.com/go-json-experiment/json"
)

// DecodeError converts an error response of a chat completions server to a Gemini error. Its body,
// which [gemini.Error.RawBody] returns, is Gemini's error envelope. It has the canonical status for
// the HTTP status and the server's message. A detail of type ErrorInfo has the error's type, code,
// param and the texts of its metadata. A detail of type RetryInfo has the retry delay of
// Retry-After-Ms or Retry-After.
func DecodeError(httpStatus int, header http.Header, body []byte) *gemini.Error {
	said := openai.DecodeForeignError(body)
	if said == nil || said.Error.Message == "" && said.Error.Type == "" {
		plain := gemini.DecodeError(httpStatus, header, body) // for an HTML page or a text
		said = &openaiapi.ErrorResponse{Error: openaiapi.Error{Message: plain.Message}}
	}
	return newError(httpStatus, &said.Error, retryDelay(header))
}

// FromError converts a failure to a Gemini error: an error within a stream, a stream that breaks
// off, an expired deadline. It returns nil for nil, and an *[gemini.Error] in the chain unchanged.
func FromError(err error) *gemini.Error {
	if err == nil {
		return nil
	}
	if known, ok := errors.AsType[*gemini.Error](err); ok {
		return known
	}
	status, message := http.StatusServiceUnavailable, errortext.WithoutPackage(err.Error())
	if reported, ok := errors.AsType[*openai.Error](err); ok {
		return newError(statusOf(&reported.Response.Error), &reported.Response.Error, 0)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		status = http.StatusGatewayTimeout
	case errors.Is(err, context.Canceled):
		status = 499
	}
	return newError(status, &openaiapi.Error{Message: message}, 0)
}

// ErrorBody returns the body that Gemini would send for an error.
func ErrorBody(e *gemini.Error) *geminiapi.ErrorResponse {
	var out geminiapi.ErrorResponse
	if json.Unmarshal(e.RawBody(), &out) == nil && out.Error != nil {
		return &out
	}
	return &geminiapi.ErrorResponse{Error: &geminiapi.Error{
		Code: new(e.HTTPStatus), Message: &e.Message, Status: jsonx.NonEmpty(e.Status),
		Details: e.Details,
	}}
}

// statusOf returns the HTTP status of an error within a stream. The error's code may be a status;
// otherwise its type determines the status.
func statusOf(e *openaiapi.Error) int {
	if status, err := strconv.Atoi(jsonx.Deref(e.Code)); err == nil && status >= 400 &&
		status < 600 {
		return status
	}
	for _, word := range []string{jsonx.Deref(e.Code), e.Type} {
		if status, known := statusByWord[word]; known {
			return status
		}
	}
	return http.StatusInternalServerError
}

// statusByWord maps the types and codes of OpenAI's errors to statuses. It is never modified.
var statusByWord = map[string]int{
	"invalid_request_error":   http.StatusBadRequest,
	"context_length_exceeded": http.StatusBadRequest,
	"content_filter":          http.StatusBadRequest,
	"invalid_api_key":         http.StatusUnauthorized,
	"authentication_error":    http.StatusUnauthorized,
	"permission_error":        http.StatusForbidden,
	"not_found_error":         http.StatusNotFound,
	"model_not_found":         http.StatusNotFound,
	"rate_limit_error":        http.StatusTooManyRequests,
	"rate_limit_exceeded":     http.StatusTooManyRequests,
	"insufficient_quota":      http.StatusTooManyRequests,
	"overloaded_error":        http.StatusServiceUnavailable,
	"timeout":                 http.StatusGatewayTimeout,
}

// canonicalStatuses maps HTTP statuses to Google's names. It is never modified.
var canonicalStatuses = map[int]geminiapi.ErrorStatus{
	http.StatusUnauthorized:       geminiapi.ErrorStatusUnauthenticated,
	http.StatusPaymentRequired:    geminiapi.ErrorStatusResourceExhausted,
	http.StatusForbidden:          geminiapi.ErrorStatusPermissionDenied,
	http.StatusNotFound:           geminiapi.ErrorStatusNotFound,
	http.StatusRequestTimeout:     geminiapi.ErrorStatusDeadlineExceeded,
	http.StatusConflict:           geminiapi.ErrorStatusAborted,
	http.StatusTooManyRequests:    geminiapi.ErrorStatusResourceExhausted,
	499:                           geminiapi.ErrorStatusCancelled,
	http.StatusNotImplemented:     geminiapi.ErrorStatusUnimplemented,
	http.StatusBadGateway:         geminiapi.ErrorStatusUnavailable,
	http.StatusServiceUnavailable: geminiapi.ErrorStatusUnavailable,
	http.StatusGatewayTimeout:     geminiapi.ErrorStatusDeadlineExceeded,
	529:                           geminiapi.ErrorStatusUnavailable,
}

func canonicalStatus(httpStatus int) geminiapi.ErrorStatus {
	if status, known := canonicalStatuses[httpStatus]; known {
		return status
	}
	if httpStatus >= 400 && httpStatus < 500 {
		return geminiapi.ErrorStatusInvalidArgument
	}
	return geminiapi.ErrorStatusInternal
}

// newError returns an error with Gemini's error envelope as its body.
func newError(httpStatus int, said *openaiapi.Error, delay time.Duration) *gemini.Error {
	out := geminiapi.Error{
		Code:    &httpStatus,
		Message: new(cmp.Or(said.Message, http.StatusText(httpStatus), "the request failed")),
		Status:  new(canonicalStatus(httpStatus)),
	}
	if info, ok := errorInfo(said); ok {
		out.Details = append(out.Details, info)
	}
	if delay > 0 {
		out.Details = append(out.Details, geminiapi.ErrorDetail{
			Type:       new("type.googleapis.com/google.rpc.RetryInfo"),
			RetryDelay: new(strconv.FormatFloat(delay.Seconds(), 'f', -1, 64) + "s"),
		})
	}
	body, err := json.Marshal(&geminiapi.ErrorResponse{Error: &out}, jsonx.Canonical)
	if err != nil { // a message is not UTF-8
		out.Message = new(strings.ToValidUTF8(*out.Message, "\uFFFD"))
		out.Details = nil
		body, _ = json.Marshal(&geminiapi.ErrorResponse{Error: &out}, jsonx.Canonical)
	}
	return gemini.DecodeError(httpStatus, nil, body)
}

// errorInfo returns OpenAI's type, code and param of an error, and OpenRouter's information about
// the upstream server. ok is false if the error has none of these.
func errorInfo(said *openaiapi.Error) (info geminiapi.ErrorDetail, ok bool) {
	words := map[string]string{}
	for name, word := range map[string]string{"type": said.Type, "code": jsonx.Deref(said.Code),
		"param": jsonx.Deref(said.Param)} {
		if word != "" {
			words[name] = word
		}
	}
	// metadata is OpenRouter's.
	for name, value := range jsonx.Members(jsonx.Member(said.Unknown, "metadata")) {
		if word := stringOf(value); word != "" && words[name] == "" {
			words[name] = word
		}
	}
	if len(words) == 0 {
		return geminiapi.ErrorDetail{}, false
	}
	code := words["code"]
	if _, err := strconv.Atoi(code); err == nil { // a number repeats the status
		code = ""
	}
	reason := strings.ToUpper(cmp.Or(code, words["type"], "unknown"))
	return geminiapi.ErrorDetail{
		Type: new("type.googleapis.com/google.rpc.ErrorInfo"), Reason: &reason,
		Domain: new("chat_completions"), Metadata: words,
	}, true
}

// retryDelay returns the retry delay that a server asks for. It is 0 or less if the server asks for
// none.
func retryDelay(header http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	return retryafter.Delay(header)
}

// IsBlockedPrompt reports whether an error means that a filter refused the prompt. Azure reports
// this with status 400 and code content_filter. Gemini reports it with a response instead of an
// error; see [BlockedAnswer].
func IsBlockedPrompt(e *gemini.Error) bool {
	for i := range e.Details {
		if e.HTTPStatus == http.StatusBadRequest &&
			e.Details[i].Metadata["code"] == "content_filter" {
			return true
		}
	}
	return false
}

// BlockedAnswer returns Gemini's response to a refused prompt, with the message of the error.
func BlockedAnswer(e *gemini.Error) *geminiapi.GenerateContentResponse {
	return &geminiapi.GenerateContentResponse{PromptFeedback: &geminiapi.PromptFeedback{
		BlockReason:        new(geminiapi.BlockReasonSafety),
		BlockReasonMessage: jsonx.NonEmpty(e.Message),
	}}
}
