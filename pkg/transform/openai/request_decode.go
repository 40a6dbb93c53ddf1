package openai

import (
	"errors"
	"strconv"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/nonfinite"
	"github.com/gemwire/gemwire/pkg/union"
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
	err := json.Unmarshal(data, out)
	if _, wrongType := errors.AsType[*json.SemanticError](err); wrongType {
		again := &openaiapi.CreateChatCompletionRequest{} // without what the first pass left behind
		if json.Unmarshal(data, again, decodingOtherForms) == nil {
			return again, nil
		}
	}
	if err != nil {
		return nil, newMalformedError(payloadRequest, err)
	}
	return out, nil
}

// decodingOtherForms reads the forms of a value that are no OpenAI's, but leave no doubt. It is slower
// than the default, and so only for what that has refused.
var decodingOtherForms = json.WithUnmarshalers(json.JoinUnmarshalers(
	json.UnmarshalFromFunc(unmarshalWhole[int]),
	json.UnmarshalFromFunc(unmarshalWhole[int64]),
	nonfinite.LenientUnmarshalers, // NaN stands in what came with an answer of the model
	json.UnmarshalFromFunc(unmarshalImageURL),
	json.UnmarshalFromFunc(unmarshalCall),
	lone[openaiapi.ChatMessage](jsontext.KindBeginObject),
	lone[openaiapi.ContentPart](jsontext.KindBeginObject),
	lone[openaiapi.Tool](jsontext.KindBeginObject),
	lone[openaiapi.ToolCall](jsontext.KindBeginObject),
	lone[openaiapi.FunctionObject](jsontext.KindBeginObject),
	lone[openaiapi.OutputModality](jsontext.KindString),
))

// lone reads a value of the kind as a list that holds only it.
func lone[T any](kind jsontext.Kind) *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(dec *jsontext.Decoder, list *[]T) error {
		if dec.PeekKind() != kind {
			return errors.ErrUnsupported // a list, or the default's error
		}
		*list = make([]T, 1)
		return json.UnmarshalDecode(dec, &(*list)[0])
	})
}

// unmarshalImageURL accepts the address alone.
func unmarshalImageURL(dec *jsontext.Decoder, v *openaiapi.ImageURL) error {
	if dec.PeekKind() != jsontext.KindString {
		return errors.ErrUnsupported
	}
	return json.UnmarshalDecode(dec, &v.URL)
}

// unmarshalCall accepts arguments that are an object, not its text.
func unmarshalCall(dec *jsontext.Decoder, v *openaiapi.FunctionCall) error {
	var call struct {
		Name      string         `json:"name"`
		Arguments jsontext.Value `json:"arguments"`
		Unknown   jsontext.Value `json:",embed"`
	}
	if err := json.UnmarshalDecode(dec, &call); err != nil {
		return err
	}
	v.Name, v.Unknown = call.Name, call.Unknown
	switch call.Arguments.Kind() {
	case jsontext.KindBeginObject:
		v.Arguments = string(call.Arguments)
		return nil
	case jsontext.KindInvalid:
		return nil // there are none
	default:
		return json.Unmarshal(call.Arguments, &v.Arguments)
	}
}

// unmarshalWhole accepts 100.0, 1e2 and "100" for 100.
func unmarshalWhole[T int | int64](dec *jsontext.Decoder, v *T) error {
	var whole union.Int64
	if err := json.UnmarshalDecode(dec, &whole); err != nil {
		return err
	}
	*v = T(whole.Int64())
	if int64(*v) != whole.Int64() {
		return strconv.ErrRange // where int has 32 bits
	}
	return nil
}
