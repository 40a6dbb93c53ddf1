package openai

import (
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrorIn returns the error in a completion, in a chunk or instead of a completion, if the status
// is a success, as an *[Error]. It returns nil for a completion without an error. Servers disagree
// on the form: [DecodeForeignError] lists the forms. Next to choices only the member error counts,
// and the one in Groq's record x_groq; null and an empty text are not errors. Without choices, an
// object whose code means success is not an error: some servers send one with every chunk.
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

// saysSuccess reports whether an object has a success code, as Baidu's and iFlytek's servers send.
func saysSuccess(object jsontext.Value) bool {
	for _, name := range []string{"error_code", "code"} {
		if code := textOf(jsonx.Member(object, name)); code == "0" || code == "200" {
			return true
		}
	}
	return false
}

// DecodeForeignError decodes the body of a failed call of any server, or returns nil if the body is
// not an error. Besides OpenAI's own form it accepts an error that is a text, numeric codes
// (OpenRouter), the members message or detail (FastAPI) without an error around them, a list of one
// error, and the forms of MiniMax, Cloudflare and Baidu.
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

// errorMember returns the error in a member of an object, or nil.
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

// bareError returns the error if the object itself is one, or nil. kind is its member object, which
// FastChat sets to "error".
func bareError(object jsontext.Value, kind string) *openaiapi.Error {
	message := ""
	// otherwise it is the message of an answer
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

// vendorError returns an error in the form of a single vendor, or nil: MiniMax's base_resp, whose
// status 0 is success, the first of Cloudflare's errors, or Baidu's error_msg.
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

// groqError returns the error in the x_groq record of a Groq chunk, or nil.
func groqError(unknown jsontext.Value) *openaiapi.Error {
	member := jsonx.Member(jsonx.Member(unknown, "x_groq"), "error")
	if member == nil {
		return nil
	}
	return errorMember(jsonx.Object("error", member))
}

// withWords returns an error with a message and the other texts of an object: OpenAI's members, and
// the metadata in which OpenRouter quotes the upstream server. It returns nil if there is no text;
// the code 0 alone does not count.
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

// textOf returns a text, or any other JSON as a text. It returns "" for an absent value and null.
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
