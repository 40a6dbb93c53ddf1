package native

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// WithHint returns the body of an error of Google's API with a hint at the end of its message. All
// other bytes stay the same. A body without such a message stays as it is.
func WithHint(body []byte, hint string) []byte {
	start, end, ok := messageOf(body)
	if !ok {
		return body
	}
	message, err := jsontext.AppendUnquote(nil, body[start:end])
	if err != nil {
		return body
	}
	quoted, err := jsontext.AppendQuote(nil, strings.TrimSuffix(string(message), ".")+hint)
	if err != nil {
		return body
	}
	return slices.Concat(body[:start], quoted, body[end:])
}

// messageOf returns where the text of an error's message begins and ends. A stream without SSE has
// its error in a list.
func messageOf(body []byte) (start, end int, ok bool) {
	reader := jsontext.NewDecoder(bytes.NewReader(body))
	for {
		if _, err := reader.ReadToken(); err != nil {
			return 0, 0, false
		}
		at := reader.StackPointer()
		if at != "/error/message" && at != "/0/error/message" {
			continue
		}
		value, err := reader.ReadValue()
		if err != nil || value.Kind() != jsontext.KindString {
			return 0, 0, false
		}
		end = int(reader.InputOffset())
		return end - len(value), end, true
	}
}
