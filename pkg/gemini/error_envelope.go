package gemini

import (
	"bytes"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/gemini/internal/errorbody"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// IsError reports whether a decoded response is the envelope of an error, {"error": {...}}, which the
// API sends in place of a response and also as the last chunk of a stream; [DecodeError] makes an
// *[Error] of it. The wire type has no member for an error, so it is among the unknown ones.
//
// An error member that tells no fault, false, 0 or an empty value, is none beside candidates, usage or
// what the filters say of the prompt: some servers write it into every chunk.
func IsError(r *geminiapi.GenerateContentResponse) bool {
	if r == nil || len(r.Unknown) == 0 {
		return false
	}
	value := errorbody.Member(r.Unknown)
	if isNoFault(value) {
		return errorbody.IsPresent(value) && len(r.Candidates) == 0 && r.PromptFeedback == nil && r.UsageMetadata == nil
	}
	return errorbody.IsPresent(value)
}

// Envelope returns the error as the chunk by which a stream reports it, in the form that the API documents:
// an object with an error object in it, here among the members that a response does not know. It is made
// of the body, so nothing that stood there is lost, except for a list around the object and what is behind
// the object in it. It is nil for a body that is no such object, such as a page.
func (e *Error) Envelope() *geminiapi.GenerateContentResponse {
	body := e.RawBody()
	var list []jsontext.Value
	if err := json.Unmarshal(body, &list); err == nil && len(list) > 0 {
		body = list[0]
	}
	chunk, err := DecodeResponse(body)
	if err != nil {
		return nil
	}
	if chunk.Unknown, err = withErrorObject(chunk.Unknown); err != nil {
		return nil
	}
	return chunk
}

// withErrorObject puts a fault that unknown members report in another way into an error object.
func withErrorObject(unknown jsontext.Value) (jsontext.Value, error) {
	var envelope struct {
		Error jsontext.Value `json:"error,omitzero"`
		Rest  jsontext.Value `json:",embed"`
	}
	if err := json.Unmarshal(unknown, &envelope, json.MatchCaseInsensitiveNames(true)); err != nil {
		return nil, err
	}
	switch envelope.Error.Kind() {
	case jsontext.KindString: // only a message
		envelope.Error = slices.Concat([]byte(`{"message":`), envelope.Error, []byte(`}`))
	case jsontext.KindInvalid, jsontext.KindNull: // the type of the event made it an error
		envelope.Error, envelope.Rest = unknown, nil
	default:
		return unknown, nil
	}
	return json.Marshal(envelope)
}

// isNoFault reports whether the value of an error member tells no fault: false is a denial, 0 the
// code of success, and what is empty has no code, no status and no message.
func isNoFault(value jsontext.Value) bool {
	switch value.Kind() {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		return len(bytes.Trim(value[1:len(value)-1], codec.Space)) == 0
	default:
		return nothings[string(value)]
	}
}

var nothings = map[string]bool{"false": true, "0": true, `""`: true}
