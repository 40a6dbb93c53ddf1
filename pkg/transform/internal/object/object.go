// Package object makes the JSON objects that Gemini takes where other wires have a text: the
// arguments of calls and the results of functions. An object stays as it came, byte for byte.
package object

import (
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/go-json-experiment/json/jsontext"
)

// OfArguments returns the arguments of a call, which Gemini takes only as an object. Clients send
// an empty text or null for a call without any. An object stays as the model wrote it, byte for
// byte; exact is false for everything else, which becomes the one argument of that name.
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

// As returns a text that is a JSON object, with all its white space.
func As(text string) (object jsontext.Value, ok bool) {
	if !strings.HasPrefix(strings.TrimLeft(text, jsonSpace), "{") {
		return nil, false
	}
	object = jsontext.Value(text)
	return object, plainjson.IsValid(object)
}

// jsonSpace are the characters that JSON allows between its tokens.
const jsonSpace = " \n\r\t"

// Of returns an object with one member: a list as it is, or else the text. That of a number stays
// one, whose digits nobody rounds.
func Of(name, text string) jsontext.Value {
	if strings.HasPrefix(strings.TrimLeft(text, jsonSpace), "[") && jsontext.Value(text).IsValid() {
		return jsontext.Value(`{"` + name + `":` + text + `}`)
	}
	return OfText(name, text)
}

// OfText returns an object with one member, a text.
func OfText(name, text string) jsontext.Value {
	out := make([]byte, 0, len(name)+len(text)+len(`{"":""}`)+len(text)/16)
	out = append(append(append(out, `{"`...), name...), `":`...)
	out, _ = jsontext.AppendQuote(out, text) // what is not UTF-8 becomes the replacement character
	return append(out, '}')
}

// ReplaceLone returns a text that holds JSON with U+FFFD for half a surrogate pair, which no
// decoder takes, and whether it has replaced one. Other texts stay as they are.
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
