package responseframe

import (
	"net/http"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// errorFrame is a frame about an error. Clients drop a frame without a status, or without a code in
// its error.
type errorFrame struct {
	Type   string            `json:"type"`
	Status int               `json:"status"`
	Error  errorBody         `json:"error"`
	Header map[string]string `json:"headers,omitzero"`
	Lane   string            `json:"stream_id,omitempty"`
}

// errorBody is the error of a frame. OpenAI's description has the headers here, and codex reads
// them in the frame itself.
type errorBody struct {
	Type    string            `json:"type"`
	Code    string            `json:"code"`
	Message string            `json:"message"`
	Param   *string           `json:"param"`
	Header  map[string]string `json:"headers,omitzero"`
}

// shownHeaders are the response headers that an error frame repeats.
var shownHeaders = []string{"Retry-After", "Retry-After-Ms", "X-Should-Retry", "X-Request-Id",
	"X-Gemwire-Max-Body-Size",
	"X-Ratelimit-Limit-Requests", "X-Ratelimit-Remaining-Requests", "X-Ratelimit-Reset-Requests",
	"X-Ratelimit-Limit-Tokens", "X-Ratelimit-Remaining-Tokens", "X-Ratelimit-Reset-Tokens"}

// Error returns the frame of an HTTP error with an OpenAI error body. A body without a code gets
// the code of its kind.
func Error(status int, header http.Header, body []byte, lane string) []byte {
	var in struct {
		Error errorBody `json:"error"`
	}
	if err := json.Unmarshal(body, &in, jsontext.AllowInvalidUTF8(true)); err != nil ||
		in.Error.Message == "" {
		in.Error = errorBody{Message: http.StatusText(status)}
	}
	if in.Error.Type == "" {
		in.Error.Type = "server_error"
	}
	if in.Error.Code == "" {
		in.Error.Code = in.Error.Type
	}
	frame := &errorFrame{Type: "error", Status: status, Error: in.Error, Lane: lane}
	for _, name := range shownHeaders {
		if value := header.Get(name); value != "" {
			if frame.Header == nil {
				frame.Header = map[string]string{}
			}
			frame.Header[strings.ToLower(name)] = value
		}
	}
	frame.Error.Header = frame.Header
	return encode(frame)
}

// Refused returns the frame for a refusal.
func Refused(r *Refusal) []byte {
	return encode(&errorFrame{Type: "error", Status: http.StatusBadRequest, Lane: r.Lane,
		Error: errorBody{Type: codeInvalid, Code: r.Code, Message: r.Message,
			Param: jsonx.NonEmpty(r.Param)}})
}

// NotSteered returns the answer to a response.steer: no model of Gemini can be steered.
func NotSteered(e *Event, id string) []byte {
	type steer struct {
		ID       string `json:"id"`
		Previous string `json:"previous_response_id"`
	}
	return encode(&struct {
		Type     string         `json:"type"`
		Sequence int            `json:"sequence_number"`
		Steer    steer          `json:"steer"`
		Input    jsontext.Value `json:"input"`
		Error    errorBody      `json:"error"`
	}{"response.steer.failed", 0, steer{id, e.PreviousResponseID}, inputOf(e),
		errorBody{Type: codeInvalid, Code: "steering_not_supported",
			Message: "Gemini models cannot be steered; send a response.create after this response"}})
}

// NotInjected returns the answer to a response.inject.
func NotInjected(e *Event) []byte {
	return encode(&struct {
		Type       string         `json:"type"`
		ResponseID string         `json:"response_id"`
		Input      jsontext.Value `json:"input"`
		Error      errorBody      `json:"error"`
	}{"response.inject.failed", e.ResponseID, inputOf(e),
		errorBody{Type: codeInvalid, Code: "response_not_found",
			Message: "no response in progress accepts items; send a response.create with them"}})
}

// inputOf returns the input of an event, which clients expect in the answer.
func inputOf(e *Event) jsontext.Value {
	if e.Input == nil {
		return jsontext.Value("[]")
	}
	return e.Input
}

// encode returns a value as JSON. The value's texts may hold bytes of the client that are not
// UTF-8.
func encode(value any) []byte {
	out, err := json.Marshal(value, jsonx.Canonical, jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true))
	if err != nil {
		return []byte(`{"type":"error","status":500,"error":{"type":"server_error",` +
			`"code":"server_error","message":"internal error","param":null}}`)
	}
	return out
}
