package openai

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeRequest decodes the request for a completion. Members and names that it does not know are kept,
// and null is what absent is. What clients are known to get wrong is read as it was meant: a whole
// number with a fraction of zero, an exponent or in quotes, a list's only element without the list around
// it, an image's address without the object around it, and the arguments of a call as an object. It does not validate; see [ValidateRequest].
//
// The error is a *[MalformedError]. The result shares no memory with data.
func DecodeRequest(data []byte) (*openaiapi.CreateChatCompletionRequest, error) {
	if kind := jsontext.Value(data).Kind(); kind == jsontext.KindNull { // an empty request to the library
		return nil, newMalformedError(payloadRequest, &json.SemanticError{JSONKind: kind})
	}
	if out := (&openaiapi.CreateChatCompletionRequest{}); out.ReadPlainJSON(data) {
		return out, nil
	}
	out := &openaiapi.CreateChatCompletionRequest{}
	if err := out.ReadAnyJSON(data); err != nil {
		return nil, newMalformedError(payloadRequest, err)
	}
	return out, nil
}
