package chatupstream

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json"
)

// refusalError is an answer without a success status.
type refusalError struct{ reply *gemini.Error }

func (e *refusalError) Error() string { return e.reply.Error() }

// newReply returns an answer with a body.
func newReply(r *http.Request, status int, contentType string, body io.ReadCloser,
	size int64) *http.Response {
	return &http.Response{
		StatusCode: status, Status: strconv.Itoa(status) + " " + http.StatusText(status),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {contentType}}, Body: body, ContentLength: size,
		Request: r,
	}
}

const contentTypeJSON = "application/json; charset=UTF-8"

func jsonReply(r *http.Request, status int, body []byte) *http.Response {
	return newReply(r, status, contentTypeJSON, io.NopCloser(bytes.NewReader(body)),
		int64(len(body)))
}

// answerWith returns an answer with a value as its body.
func answerWith(r *http.Request, record any) (*http.Response, error) {
	body, err := json.Marshal(record, jsonx.Canonical)
	if err != nil {
		return nil, err
	}
	return jsonReply(r, http.StatusOK, body), nil
}

// failed returns an error answer.
func failed(r *http.Request, e *gemini.Error) *http.Response {
	out := jsonReply(r, e.HTTPStatus, e.RawBody())
	if e.RetryAfter > 0 {
		out.Header.Set("Retry-After", strconv.Itoa(int(e.RetryAfter.Seconds()+0.999)))
	}
	return out
}

// located is an error with a location in the request.
type located interface {
	error
	Location() (pointer string, offset int64)
	Reason() string
}

// invalid is the error of a request that cannot be sent on. It gives the location as Google does.
func invalid(err error) error {
	detail := geminiapi.ErrorDetail{Type: new("type.googleapis.com/google.rpc.BadRequest")}
	message := err.Error()
	var at located
	if errors.As(err, &at) {
		pointer, _ := at.Location()
		message = at.Reason()
		if pointer != "" {
			message = pointer + ": " + message
			detail.FieldViolations = []geminiapi.FieldViolation{{Field: &pointer,
				Description: new(at.Reason())}}
		}
	}
	return &refusalError{newError(http.StatusBadRequest, geminiapi.ErrorStatusInvalidArgument,
		message, detail)}
}

// unimplemented is the error of a method that the server does not have.
func unimplemented(method, path string) *gemini.Error {
	return newError(http.StatusNotImplemented, geminiapi.ErrorStatusUnimplemented,
		"the upstream speaks OpenAI's API, which does not support "+method+" "+path)
}

func newError(status int, canonical geminiapi.ErrorStatus, message string,
	details ...geminiapi.ErrorDetail) *gemini.Error {
	out := geminiapi.Error{Code: &status, Message: &message, Status: &canonical}
	for _, detail := range details {
		if detail.FieldViolations != nil {
			out.Details = append(out.Details, detail)
		}
	}
	body, err := json.Marshal(&geminiapi.ErrorResponse{Error: &out}, jsonx.Canonical)
	if err != nil {
		body = []byte(`{"error":{"code":500,"message":"the error cannot be encoded","status":"INTERNAL"}}`)
	}
	return gemini.DecodeError(status, nil, body)
}
