// Package object makes the JSON objects that Gemini requires where other APIs have a text: the
// arguments of calls and the results of functions. An object stays byte for byte.
package object

import (
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/go-json-experiment/json/jsontext"
)

// OfArguments returns the arguments of a call, which Gemini accepts only as an object. Clients send
// an empty text or null for a call without arguments. An object stays byte for byte. Anything else
// becomes the value of a single argument, and exact is false.
func OfArguments(text string) (args jsontext.Value, exact bool) {
	switch strings.TrimSpace(text) {
	case "", "null":
		return jsontext.Value("{}"), true
	}
	if object, ok := As(text); ok {
		return object, true
	}
	return Of("arguments", text), false
}

// As returns a text that is a JSON object, including its white space.
func As(text string) (object jsontext.Value, ok bool) {
	if !strings.HasPrefix(strings.TrimLeft(text, jsonSpace), "{") {
		return nil, false
	}
	object = jsontext.Value(text)
	return object, plainjson.IsValid(object)
}

// jsonSpace is the white space of JSON.
const jsonSpace = " \n\r\t"

// Of returns an object with one member. A list stays a list, anything else becomes a text. A number
// becomes a text too, so that its digits are not rounded.
func Of(name, text string) jsontext.Value {
	if strings.HasPrefix(strings.TrimLeft(text, jsonSpace), "[") && jsontext.Value(text).IsValid() {
		return jsontext.Value(`{"` + name + `":` + text + `}`)
	}
	return OfText(name, text)
}

// OfText returns an object with one text member.
func OfText(name, text string) jsontext.Value {
	out := make([]byte, 0, len(name)+len(text)+len(`{"":""}`)+len(text)/16)
	out = append(append(append(out, `{"`...), name...), `":`...)
	out, _ = jsontext.AppendQuote(out, text) // invalid UTF-8 becomes the replacement character
	return append(out, '}')
}

// ReplaceLone replaces half a surrogate pair in a JSON text by U+FFFD, because no decoder accepts
// it. It reports whether it replaced one. Other texts stay unchanged.
func ReplaceLone(text string) (whole string, replaced bool) {
	if !strings.Contains(text, `\u`) {
		return text, false
	}
	clean := jsonx.ReplaceHalfPairs([]byte(text))
	if string(clean) == text || !jsontext.Value(clean).IsValid() {
		return text, false
	}
	return string(clean), true
}
