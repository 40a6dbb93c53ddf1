package jsonx

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Object returns an object with one member.
func Object(name string, value jsontext.Value) jsontext.Value {
	var w writer
	w.member(name, value)
	return w.object()
}

// MergeObjects returns an object with the members of both. Members of the later object win.
func MergeObjects(old, later jsontext.Value) jsontext.Value {
	if len(old) == 0 {
		return later
	}
	if len(later) == 0 || bytes.Equal(old, later) {
		return old
	}
	var out writer
	replaced := map[string]jsontext.Value{}
	for name, value := range Members(later) {
		replaced[name] = value
	}
	for name, value := range Members(old) {
		if replacement, ok := replaced[name]; ok {
			value = replacement
			delete(replaced, name)
		}
		out.member(name, value)
	}
	for name, value := range Members(later) {
		if _, ok := replaced[name]; ok {
			out.member(name, value)
		}
	}
	return out.object()
}

// writer writes a JSON object member by member.
type writer struct{ text []byte }

func (w *writer) member(name string, value jsontext.Value) {
	separator := byte(',')
	if len(w.text) == 0 {
		separator = '{'
	}
	w.text = append(w.text, separator)
	w.text, _ = jsontext.AppendQuote(w.text, name)
	w.text = append(w.text, ':')
	w.text = append(w.text, value...)
}

func (w *writer) object() jsontext.Value {
	if len(w.text) == 0 {
		return jsontext.Value("{}")
	}
	return append(w.text, '}')
}
