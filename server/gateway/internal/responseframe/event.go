package responseframe

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The types of the client's events.
const (
	TypeCreate    = "response.create"
	TypeSteer     = "response.steer"
	TypeInject    = "response.inject"
	TypeProcessed = "response.processed"
)

// knownTypes is the list of types for messages. response.steer and response.inject are known, but
// always fail.
const knownTypes = TypeCreate + ", " + TypeProcessed + ", " + TypeSteer + " and " + TypeInject

// Event is an event of a client.
type Event struct {
	Type string
	// Lane is the stream_id. HasLane reports that the event has one.
	Lane    string
	HasLane bool
	// IsWarmUp reports that a response.create has generate:false, so that no model is called.
	IsWarmUp bool
	// IsBackground reports that a response.create has background:true.
	IsBackground bool
	// PreviousResponseID is the response that the event continues, or "". ResponseID is the
	// response of a response.inject.
	PreviousResponseID, ResponseID string
	// Input is the input of a response.steer or a response.inject, in the memory of the message. It
	// is nil for a response.create.
	Input jsontext.Value
	// Body is the body of the request that a response.create stands for, in the memory of the
	// message. It asks for a stream.
	Body []byte
}

// Refusal is the reason why a message is not an event. It is an error of the client.
type Refusal struct {
	// Code is an error code of the API, and Param is the member that is not valid, or "".
	Code, Param, Message string
	// Lane is the lane of the event, or "".
	Lane string
}

// Error returns the message.
func (r *Refusal) Error() string { return "responseframe: " + r.Message }

// codeInvalid is the code of a refusal without a more precise one. Clients require a code.
const codeInvalid = "invalid_request_error"

// Parse reads a message, which it changes. The error is a *[Refusal].
func Parse(message []byte) (*Event, error) {
	e := &Event{}
	spans, err := e.readMembers(message)
	if err != nil {
		return nil, err
	}
	if e.HasLane && !isLane(e.Lane) {
		return nil, &Refusal{Code: "invalid_stream_id", Param: "stream_id",
			Message: "stream_id: must have 1 to 256 letters, digits, _, . or -"}
	}
	switch e.Type {
	case TypeCreate:
		e.Body, e.Input = compact(message, spans), nil
	case TypeSteer, TypeInject, TypeProcessed:
	case "":
		return nil, e.refuse("type", "type: must be set to one of "+knownTypes)
	default:
		return nil, e.refuse("type", "type: unknown; use one of "+knownTypes)
	}
	return e, nil
}

// refuse returns a refusal in the lane of the event.
func (e *Event) refuse(param, message string) *Refusal {
	return &Refusal{Code: codeInvalid, Param: param, Message: message, Lane: e.Lane}
}

// maxLane is the maximum length of a stream_id.
const maxLane = 256

// isLane reports whether a text may be a stream_id.
func isLane(name string) bool {
	if name == "" || len(name) > maxLane {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			r == '_' || r == '.' || r == '-')
	}) < 0
}

// span is a part of a message.
type span struct{ from, to int64 }

// ownMembers are the members of a response.create that its request does not have. Each stream has
// its own way to stream, so the members about that have no meaning here.
var ownMembers = map[string]bool{"type": true, "stream_id": true, "generate": true, "stream": true,
	"stream_options": true}

// errNotJSON is the refusal of a message that is not an object.
var errNotJSON = &Refusal{Code: codeInvalid,
	Message: "the message must be a JSON object with a type, which is one of " + knownTypes}

// readMembers reads the members of a message. It returns the parts with the members of the request.
// Neighbours are one part, so that there are few.
func (e *Event) readMembers(message []byte) ([]span, error) {
	// names that are not unique are refused, so that there are few parts
	dec := jsontext.NewDecoder(bytes.NewBuffer(message), jsontext.AllowInvalidUTF8(true))
	if token, err := dec.ReadToken(); err != nil || token.Kind() != jsontext.KindBeginObject {
		return nil, errNotJSON
	}
	var spans []span
	for dec.PeekKind() != jsontext.KindEndObject {
		from := start(message, dec.InputOffset())
		token, err := dec.ReadToken()
		if err != nil {
			return nil, errNotJSON
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return nil, errNotJSON
		}
		if err := e.set(name, value); err != nil {
			return nil, err
		}
		to := dec.InputOffset()
		if name == "input" {
			e.Input = message[to-int64(len(value)) : to]
		}
		switch {
		case ownMembers[name]:
			spans = append(spans, span{to, to}) // the next member begins another part
		case len(spans) > 0 && spans[len(spans)-1].from < spans[len(spans)-1].to:
			spans[len(spans)-1].to = to
		case len(spans) > 0:
			spans[len(spans)-1] = span{from, to}
		default:
			spans = []span{{from, to}}
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, errNotJSON
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, errNotJSON
	}
	return spans, nil
}

// start returns the offset of the member after an offset.
func start(message []byte, offset int64) int64 {
	for offset < int64(len(message)) && message[offset] != '"' {
		offset++
	}
	return offset
}

// set records a member.
func (e *Event) set(name string, value jsontext.Value) error {
	switch name {
	case "type":
		e.Type = textOf(value)
	case "stream_id":
		e.Lane, e.HasLane = textOf(value), true
	case "generate":
		switch value.Kind() {
		case jsontext.KindFalse:
			e.IsWarmUp = true
		case jsontext.KindTrue, jsontext.KindNull:
			e.IsWarmUp = false
		default:
			return &Refusal{Code: codeInvalid, Param: "generate",
				Message: "generate: must be true or false"}
		}
	case "background":
		e.IsBackground = value.Kind() == jsontext.KindTrue
	case "previous_response_id":
		e.PreviousResponseID = textOf(value)
	case "response_id":
		e.ResponseID = textOf(value)
	}
	return nil
}

// textOf returns a text, or "" for another value.
func textOf(value jsontext.Value) string {
	if value.Kind() != jsontext.KindString {
		return ""
	}
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return ""
	}
	return string(text)
}

// streams is the member that a request has in place of its own ones. It is shorter than the type.
const streams = `"stream":true`

// compact builds a request in the memory of its message. Parts only move towards the beginning.
func compact(message []byte, spans []span) []byte {
	out := message[:1]
	out[0] = '{'
	for _, part := range spans {
		if part.from == part.to {
			continue
		}
		out = append(append(out, message[part.from:part.to]...), ',')
	}
	return append(append(out, streams...), '}')
}
