package openai

import (
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrorIn returns the error that a server has put into a completion, into the place of one, or into
// a chunk, with the status of success, as an *[Error]; nil for a completion. Servers do not agree
// on its form: [DecodeForeignError] tells which there are. Beside choices only the member error
// counts, and that of Groq's record x_groq; neither null nor an empty text is one. Without choices
// an object is none whose code says success: some servers send one with every chunk.
func ErrorIn(r *openaiapi.CreateChatCompletionResponse) error {
	if r == nil {
		return nil
	}
	return errorIn(r.Unknown, r.Object, len(r.Choices) > 0)
}

// ErrorInChunk is [ErrorIn] for a chunk.
func ErrorInChunk(c *openaiapi.CreateChatCompletionStreamResponse) error {
	if c == nil {
		return nil
	}
	return errorIn(c.Unknown, c.Object, len(c.Choices) > 0)
}

func errorIn(unknown jsontext.Value, kind openaiapi.ObjectType, hasChoices bool) error {
	found := errorMember(unknown)
	if found == nil {
		found = groqError(unknown)
	}
	if found == nil && !hasChoices && !saysSuccess(unknown) {
		found = bareError(unknown, string(kind))
	}
	if found == nil {
		return nil
	}
	return &Error{Response: openaiapi.ErrorResponse{Error: *found}}
}

// saysSuccess reports whether an object has a code of success, as of Baidu's and iFlytek's servers.
func saysSuccess(object jsontext.Value) bool {
	for _, name := range []string{"error_code", "code"} {
		if code := textOf(jsonx.Member(object, name)); code == "0" || code == "200" {
			return true
		}
	}
	return false
}

// DecodeForeignError decodes the body of a failed call of any server, nil where it is none. Besides
// OpenAI's own form it knows an error that is a text, codes that are numbers (OpenRouter), the
// members message or detail (FastAPI) without an error around them, a list of one error, and what
// MiniMax, Cloudflare and Baidu have in its place.
func DecodeForeignError(data []byte) *openaiapi.ErrorResponse {
	if one := jsonx.Elements(data); len(one) == 1 {
		data = one[0]
	}
	found := errorMember(data)
	if found == nil {
		found = bareError(data, textOf(jsonx.Member(data, "object")))
	}
	if found == nil {
		return nil
	}
	return &openaiapi.ErrorResponse{Error: *found}
}

// errorMember returns the error that an object has as a member, nil for none.
func errorMember(object jsontext.Value) *openaiapi.Error {
	member := jsonx.Member(object, "error")
	if one := jsonx.Elements(member); len(one) == 1 {
		member = one[0]
	}
	switch member.Kind() {
	case jsontext.KindString:
		if len(member) == len(`""`) {
			return nil
		}
		return withWords(object, textOf(member))
	case jsontext.KindBeginObject:
		return withWords(member, textOf(jsonx.Member(member, "message")))
	default:
		return nil
	}
}

// bareError returns the error that an object itself is, nil for none. Kind is its member object,
// which FastChat has set to error.
func bareError(object jsontext.Value, kind string) *openaiapi.Error {
	message := ""
	// else it is that of an answer
	if said := jsonx.Member(object, "message"); said.Kind() == jsontext.KindString {
		message = textOf(said)
	}
	if message == "" {
		message = textOf(jsonx.Member(object, "detail"))
	}
	if message == "" && kind != "error" {
		return vendorError(object)
	}
	return withWords(object, message)
}

// vendorError returns an error in a form of a single vendor: base_resp of MiniMax's, whose status 0
// is success, the first of the errors of Cloudflare's, error_msg of Baidu's; nil for none.
func vendorError(object jsontext.Value) *openaiapi.Error {
	status := jsonx.Member(object, "base_resp")
	if code := textOf(jsonx.Member(status, "status_code")); code != "" && code != "0" {
		return &openaiapi.Error{Message: textOf(jsonx.Member(status, "status_msg")), Code: &code}
	}
	if list := jsonx.Elements(jsonx.Member(object, "errors")); len(list) > 0 {
		return withWords(list[0], textOf(jsonx.Member(list[0], "message")))
	}
	if message := textOf(jsonx.Member(object, "error_msg")); message != "" {
		return &openaiapi.Error{Message: message,
			Code: jsonx.NonEmpty(textOf(jsonx.Member(object, "error_code")))}
	}
	return nil
}

// groqError returns the error that a chunk of Groq's has in the record of that name, nil for none.
func groqError(unknown jsontext.Value) *openaiapi.Error {
	member := jsonx.Member(jsonx.Member(unknown, "x_groq"), "error")
	if member == nil {
		return nil
	}
	return errorMember(jsonx.Object("error", member))
}

// withWords returns an error with a message, and with the other words that an object has: OpenAI's,
// and the metadata in which OpenRouter tells what the server behind it said; nil where there are
// none, which the code 0 alone is.
func withWords(object jsontext.Value, message string) *openaiapi.Error {
	out := &openaiapi.Error{
		Message: message, Type: textOf(jsonx.Member(object, "type")),
		Code:  jsonx.NonEmpty(textOf(jsonx.Member(object, "code"))),
		Param: jsonx.NonEmpty(textOf(jsonx.Member(object, "param"))),
	}
	if code := jsonx.Deref(out.Code); out.Message == "" && out.Type == "" &&
		(code == "" || code == "0") {
		return nil
	}
	if metadata := jsonx.Member(object, "metadata"); metadata.Kind() == jsontext.KindBeginObject {
		out.Unknown = jsonx.Object("metadata", metadata)
	}
	return out
}

// textOf returns a text, or what other JSON there is as one; "" for none and null.
func textOf(value jsontext.Value) string {
	switch value.Kind() {
	case jsontext.KindString:
		text, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return string(value)
		}
		return string(text)
	case jsontext.KindInvalid, jsontext.KindNull:
		return ""
	default:
		compact := slices.Clone(value)
		if compact.Compact() != nil {
			return string(value)
		}
		return string(compact)
	}
}
