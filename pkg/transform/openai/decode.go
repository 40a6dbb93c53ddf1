package openai

import (
	"errors"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/nonfinite"
	"github.com/gemwire/gemwire/internal/wirejson"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeResponse decodes a completion. Members that it does not know are kept; null is what absent
// is, and a member of a wrong type is an error. It does not validate; see [Validate].
//
// The error is a *[MalformedError]. The result shares no memory with data.
func DecodeResponse(data []byte) (*openaiapi.CreateChatCompletionResponse, error) {
	if kind := jsontext.Value(data).Kind(); kind == jsontext.KindNull { // an empty completion to the library
		return nil, newMalformedError(payloadCompletion, &json.SemanticError{JSONKind: kind})
	}
	if out := (&openaiapi.CreateChatCompletionResponse{}); out.ReadPlainJSON(data) {
		return out, nil
	}
	out := &openaiapi.CreateChatCompletionResponse{}
	err := json.Unmarshal(data, out, wirejson.ReadByMember)
	if _, wrongType := errors.AsType[*json.SemanticError](err); wrongType {
		again := &openaiapi.CreateChatCompletionResponse{} // without what the first pass left behind
		if json.Unmarshal(data, again, decodingNonFinite) == nil {
			return again, nil
		}
	}
	if err != nil {
		return nil, newMalformedError(payloadCompletion, err)
	}
	return out, nil
}

// decodingNonFinite reads the names that numbers without a form in JSON have.
var decodingNonFinite = json.JoinOptions(wirejson.ReadByMember, json.WithUnmarshalers(nonfinite.Unmarshalers))
