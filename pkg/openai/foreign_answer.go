package openai

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeForeignResponse decodes a completion of any server like [DecodeResponse], but accepts more.
// A content that is an object, or a list of parts as Mistral's reasoning models send it, becomes
// the unknown member content of its message. Arguments that are an object become its text, and
// numbers as ids become their digits. Any other member of an unusable type counts as absent, and
// the report lists it as lost. Only such a content or function name is an error, because ignoring
// it would falsify the answer. Invalid UTF-8 and halves of surrogate pairs become U+FFFD.
func DecodeForeignResponse(data []byte) (*openaiapi.CreateChatCompletionResponse, report.Report,
	error) {
	data, entries := inUTF8(data)
	entries = append(entries, report.ReplacedText("", data)...)
	out, err := DecodeResponse(data)
	if err == nil {
		return out, entries, nil
	}
	data, contents := takeContents(jsonx.ReplaceHalfPairs(data), "message")
	out, ignored, err := codec.Forgive("openai", data, decodeAnyResponse, judgeForeign)
	if err != nil {
		return nil, nil, err
	}
	for i, content := range contents {
		if i < len(out.Choices) {
			addContent(&out.Choices[i].Message.Unknown, content)
		}
	}
	return out, append(entries, ignoredMembers(ignored)...), nil
}

// decodeForeignChunk is [DecodeForeignResponse] for a chunk, but does not report halves of
// surrogate pairs.
func decodeForeignChunk(data []byte) (*openaiapi.CreateChatCompletionStreamResponse, report.Report,
	error) {
	data, report := inUTF8(data)
	out, err := DecodeChunk(data)
	if err == nil {
		return out, report, nil
	}
	data, contents := takeContents(jsonx.ReplaceHalfPairs(data), "delta")
	out, ignored, err := codec.Forgive("openai", data, decodeAnyChunk, judgeForeign)
	if err != nil {
		return nil, nil, err
	}
	for i, content := range contents {
		if i < len(out.Choices) {
			addContent(&out.Choices[i].Delta.Unknown, content)
		}
	}
	return out, append(report, ignoredMembers(ignored)...), nil
}

// inUTF8 returns a text with U+FFFD for invalid UTF-8, because some servers cut characters in two.
func inUTF8(data []byte) ([]byte, report.Report) {
	if utf8.Valid(data) {
		return data, nil
	}
	var entries report.Report
	entries.Add(report.Approximated, "", "invalid UTF-8, replaced with U+FFFD")
	return bytes.ToValidUTF8(data, []byte("\ufffd")), entries
}

func ignoredMembers(pointers []string) (entries report.Report) {
	for _, pointer := range pointers {
		entries.Add(report.Lost, pointer, "wrong type, treated as absent")
	}
	return entries
}

func decodeAnyResponse(data []byte) (*openaiapi.CreateChatCompletionResponse, error) {
	return codec.Decode[openaiapi.CreateChatCompletionResponse](payloadForeign, data)
}

func decodeAnyChunk(data []byte) (*openaiapi.CreateChatCompletionStreamResponse, error) {
	return codec.Decode[openaiapi.CreateChatCompletionStreamResponse](payloadForeign, data)
}

// judgeForeign decides how to treat a value whose type differs from OpenAI's.
func judgeForeign(at jsontext.Pointer, value jsontext.Value) (instead jsontext.Value, ok bool) {
	in := at.Parent().LastToken()
	switch at.LastToken() {
	case "arguments":
		return quoted(value), true
	case "content":
		isAnswer := in == "message" || in == "delta"
		isScalar := value.Kind() == jsontext.KindNumber || value.Kind() == jsontext.KindTrue ||
			value.Kind() == jsontext.KindFalse
		if isAnswer && isScalar {
			return quoted(value), true
		}
		return nil, !isAnswer
	case "id":
		if value.Kind() == jsontext.KindNumber {
			return quoted(value), true
		}
	case "finish_reason": // SGLang's own form
		if kind := jsonx.Member(value, "type"); kind.Kind() == jsontext.KindString {
			return kind, true
		}
	case "name":
		return nil, in != "function" && in != "function_call"
	}
	return nil, true
}

// quoted returns JSON as a text.
func quoted(value jsontext.Value) jsontext.Value {
	out, err := jsontext.AppendQuote(nil, value)
	if err != nil { // reports invalid UTF-8, which was replaced
		return nil
	}
	return out
}

// takeContents removes the contents that are lists or objects from a payload and puts null in their
// place. It returns them by choice.
func takeContents(data []byte, message string) (rest []byte, contents map[int]jsontext.Value) {
	for i, choice := range jsonx.Elements(jsonx.Member(data, "choices")) {
		content := jsonx.Member(jsonx.Member(choice, message), "content")
		if kind := content.Kind(); kind != jsontext.KindBeginArray &&
			kind != jsontext.KindBeginObject {
			continue
		}
		start, end := jsonx.Find(data,
			jsontext.Pointer("/choices/"+strconv.Itoa(i)+"/"+message+"/content"))
		if end == 0 {
			continue
		}
		if contents == nil {
			contents = map[int]jsontext.Value{}
		}
		contents[i] = slices.Clone(content)
		data = slices.Concat(data[:start], []byte("null"), data[end:])
	}
	return data, contents
}

func addContent(unknown *jsontext.Value, content jsontext.Value) {
	*unknown = jsonx.MergeObjects(*unknown, jsonx.Object("content", content))
}
