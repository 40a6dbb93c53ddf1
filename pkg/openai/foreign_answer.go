package openai

import (
	"errors"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeForeignResponse decodes a completion like [DecodeResponse], and also one of a server whose content is no text: a list
// of parts, as Mistral's reasoning models send it, or an object. Such a content is the unknown member content of its message.
func DecodeForeignResponse(data []byte) (*openaiapi.CreateChatCompletionResponse, error) {
	out, err := DecodeResponse(data)
	if err == nil {
		return out, nil
	}
	data, contents := takeContents(data, err, "message")
	if contents == nil {
		return nil, err
	}
	if out, err = DecodeResponse(data); err != nil {
		return nil, err
	}
	for i, content := range contents {
		if i < len(out.Choices) {
			addContent(&out.Choices[i].Message.Unknown, content)
		}
	}
	return out, nil
}

// decodeForeignChunk is [DecodeForeignResponse] for a chunk.
func decodeForeignChunk(data []byte) (*openaiapi.CreateChatCompletionStreamResponse, error) {
	out, err := DecodeChunk(data)
	if err == nil {
		return out, nil
	}
	data, contents := takeContents(data, err, "delta")
	if contents == nil {
		return nil, err
	}
	if out, err = DecodeChunk(data); err != nil {
		return nil, err
	}
	for i, content := range contents {
		if i < len(out.Choices) {
			addContent(&out.Choices[i].Delta.Unknown, content)
		}
	}
	return out, nil
}

// takeContents takes the contents that are no texts out of a payload that was refused for one: null stands in their
// places. It returns them by their choices, nil where it was refused for something else.
func takeContents(data []byte, err error, message string) (rest []byte, contents map[int]jsontext.Value) {
	malformed, ok := errors.AsType[*MalformedError](err)
	if !ok || !strings.HasSuffix(malformed.Pointer, "/"+message+"/content") {
		return nil, nil
	}
	contents = map[int]jsontext.Value{}
	for i := range rawobject.Elements(rawobject.Member(data, "choices")) {
		at := jsontext.Pointer("/choices/" + strconv.Itoa(i) + "/" + message + "/content")
		start, end := rawobject.Find(data, at)
		content := jsontext.Value(data[start:end])
		if kind := content.Kind(); kind != jsontext.KindBeginArray && kind != jsontext.KindBeginObject {
			continue
		}
		contents[i] = content.Clone()
		if data, err = rawobject.Set(data, at, jsontext.Value("null")); err != nil {
			return nil, nil
		}
	}
	return data, contents
}

func addContent(unknown *jsontext.Value, content jsontext.Value) {
	*unknown = rawobject.Merge(*unknown, rawobject.Of("content", content))
}

// ErrorIn returns the error that a server has put in the place of a completion or of a chunk, with the status of success, as an
// *[Error]; nil for a completion.
func ErrorIn(r *openaiapi.CreateChatCompletionResponse) error {
	if r == nil || len(r.Choices) > 0 || rawobject.Member(r.Unknown, "error").Kind() != jsontext.KindBeginObject {
		return nil
	}
	body, err := DecodeErrorResponse(r.Unknown)
	if err != nil {
		return err
	}
	return &Error{Response: *body}
}
