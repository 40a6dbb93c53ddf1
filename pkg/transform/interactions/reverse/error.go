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
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/internal/retryafter"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeError converts an error response of the Interactions API to a Gemini error. Its body, which
// [gemini.Error.RawBody] returns, is the envelope of generateContent. It has the canonical status
// of the code and the server's message. A detail of type ErrorInfo has the code. A detail of type
// RetryInfo has the delay of Retry-After. A body that has the envelope of generateContent already,
// an HTML page and a text are read by [gemini.DecodeError].
func DecodeError(httpStatus int, header http.Header, body []byte) *gemini.Error {
	said, ok := envelope(body)
	if !ok {
		return gemini.DecodeError(httpStatus, header, body)
	}
	return newError(httpStatus, &said.Error, retryafter.Delay(header))
}

// envelope reads the body of an error of the Interactions API. Google ends a long stream with a
// list of one envelope. ok is false for any other body.
func envelope(body []byte) (said *interactionsapi.ErrorResponse, ok bool) {
	if list := jsonx.Elements(body); len(list) == 1 {
		body = list[0]
	}
	said, err := interactions.DecodeErrorResponse(body)
	if err != nil {
		return nil, false
	}
	_, hasWord := said.Error.Code.AsString()
	return said, hasWord
}

// FromError converts a failure to a Gemini error: an error within a stream, an interaction that
// failed, a stream that breaks off, an expired deadline. It returns nil for nil, and an
// *[gemini.Error] in the chain unchanged.
func FromError(err error) *gemini.Error {
	if err == nil {
		return nil
	}
	if known, ok := errors.AsType[*gemini.Error](err); ok {
		return known
	}
	if reported, ok := errors.AsType[*interactions.Error](err); ok {
		return newError(0, &reported.Response.Error, 0)
	}
	code := interactions.CodeUnavailable
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		code = interactions.CodeGatewayTimeout
	case errors.Is(err, context.Canceled):
		code = interactions.CodeCancelled
	}
	message := errortext.WithoutPackage(err.Error())
	return plainError(interactions.StatusOf(code), interactions.CanonicalOf(code), message, nil)
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

// newError returns an error with the envelope of generateContent. An HTTP status of 0 is that of
// the code.
func newError(httpStatus int, said *interactionsapi.Error, delay time.Duration) *gemini.Error {
	code := codeOf(said)
	if number, ok := said.Code.AsValue(); ok && httpStatus == 0 {
		httpStatus = number
	}
	if httpStatus == 0 {
		httpStatus = interactions.StatusOf(code)
	}
	canonical := interactions.CanonicalOf(code)
	if status := jsonx.Deref(said.Status); status != "" {
		canonical = status
	} else if canonical == unknownStatus {
		canonical = interactions.CanonicalOf(interactions.CodeOf(httpStatus))
	}
	message := cmp.Or(jsonx.Deref(said.Message), http.StatusText(httpStatus), "the request failed")
	return plainError(httpStatus, canonical, message, details(said, code, delay))
}

// unknownStatus is the canonical status of a code that is not known.
const unknownStatus = "UNKNOWN"

// details returns the details of an error: what the server sent, its code, and the delay.
func details(said *interactionsapi.Error, code string,
	delay time.Duration) (out []geminiapi.ErrorDetail) {
	for _, detail := range said.Details {
		var d geminiapi.ErrorDetail
		if json.Unmarshal(detail, &d) == nil {
			out = append(out, d)
		}
	}
	if _, hasWord := said.Code.AsString(); hasWord && code != "" {
		out = append(out, geminiapi.ErrorDetail{
			Type:   new("type.googleapis.com/google.rpc.ErrorInfo"),
			Reason: new(strings.ToUpper(code)), Domain: new(errorDomain),
			Metadata: map[string]string{"code": code},
		})
	}
	if delay > 0 {
		out = append(out, geminiapi.ErrorDetail{
			Type:       new("type.googleapis.com/google.rpc.RetryInfo"),
			RetryDelay: new(strconv.FormatFloat(delay.Seconds(), 'f', -1, 64) + "s"),
		})
	}
	return out
}

// errorDomain is the domain of the codes of the Interactions API.
const errorDomain = "interactions"

// plainError returns an error with the envelope of generateContent as its body.
func plainError(httpStatus int, canonical, message string,
	list []geminiapi.ErrorDetail) *gemini.Error {
	out := geminiapi.Error{Code: &httpStatus, Message: &message,
		Status: new(geminiapi.ErrorStatus(canonical)), Details: list}
	body, _ := json.Marshal(&geminiapi.ErrorResponse{Error: &out}, jsonx.Canonical,
		jsontext.AllowInvalidUTF8(true)) // details were decoded, so they are JSON
	return gemini.DecodeError(httpStatus, nil, body)
}

// IsBlockedPrompt reports whether an error means that a filter refused the prompt. Gemini reports
// this with a response instead of an error; see [BlockedAnswer].
func IsBlockedPrompt(e *gemini.Error) bool {
	for i := range e.Details {
		if jsonx.Deref(e.Details[i].Domain) == errorDomain &&
			e.Details[i].Metadata["code"] == interactions.CodeContentBlocked {
			return true
		}
	}
	return false
}

// BlockedAnswer returns Gemini's response to a refused prompt, with the message of the error.
func BlockedAnswer(e *gemini.Error) *geminiapi.GenerateContentResponse {
	return &geminiapi.GenerateContentResponse{PromptFeedback: feedbackOf(e.Message)}
}
