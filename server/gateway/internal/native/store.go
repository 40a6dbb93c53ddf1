package native

import (
	"bytes"
	"slices"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// VerbBatch is the method of a model that creates a batch.
const VerbBatch = "batchGenerateContent"

// VerbInteraction stands for the creation of an interaction, which is not a method of a model.
const VerbInteraction = "createInteraction"

// each stands for every element of a list in [generating].
const each = "*"

// generating lists the methods whose requests Google may store, with the path to each request in
// the body. Names are in lower case and without underscores. It is read-only.
var generating = map[string][]string{
	VerbGenerate: {},
	VerbStream:   {},
	VerbBatch:    {"batch", "inputconfig", "requests", "requests", each, "request"},

	VerbInteraction: {},
}

// WithStore adds the member store to each request in the body of a model method that has none. All
// other bytes stay unchanged. A body that is not JSON, and a body of a method that stores nothing,
// is returned unchanged.
func WithStore(verb string, body []byte, store bool) []byte {
	path, isKnown := generating[verb]
	if !isKnown {
		return body
	}
	w := storeWriter{dec: jsontext.NewDecoder(bytes.NewBuffer(body), anyObject),
		member: `"store":false`}
	if store {
		w.member = `"store":true`
	}
	if err := w.value(path); err != nil || len(w.edits) == 0 {
		return body
	}
	return w.apply(body)
}

// anyObject accepts the same JSON as Google.
var anyObject = json.JoinOptions(jsontext.AllowInvalidUTF8(true),
	jsontext.AllowDuplicateNames(true))

// storeWriter finds where the member store belongs in a body.
type storeWriter struct {
	dec    *jsontext.Decoder
	member string
	edits  []edit
}

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// value reads the next value and follows a path to the requests in it.
func (w *storeWriter) value(path []string) error {
	switch kind := w.dec.PeekKind(); {
	case len(path) == 0 && kind == jsontext.KindBeginObject:
		return w.request()
	case len(path) > 0 && path[0] == each && kind == jsontext.KindBeginArray:
		return w.list(path[1:])
	case len(path) > 0 && path[0] != each && kind == jsontext.KindBeginObject:
		return w.object(path)
	default:
		return w.dec.SkipValue()
	}
}

func (w *storeWriter) list(rest []string) error {
	if _, err := w.dec.ReadToken(); err != nil {
		return err
	}
	for w.dec.PeekKind() != jsontext.KindEndArray {
		if err := w.value(rest); err != nil {
			return err
		}
	}
	_, err := w.dec.ReadToken()
	return err
}

func (w *storeWriter) object(path []string) error {
	return w.members(new(int), func(name string) error {
		if jsonx.FoldName(name) == path[0] {
			return w.value(path[1:])
		}
		return w.dec.SkipValue()
	})
}

// members reads an object and calls a function for each value. It sets begin to the start of the
// members.
func (w *storeWriter) members(begin *int, value func(name string) error) error {
	if _, err := w.dec.ReadToken(); err != nil {
		return err
	}
	*begin = int(w.dec.InputOffset())
	for w.dec.PeekKind() == jsontext.KindString {
		name, err := w.dec.ReadToken()
		if err != nil {
			return err
		}
		if err := value(name.String()); err != nil {
			return err
		}
	}
	_, err := w.dec.ReadToken()
	return err
}

// request records where the member is inserted in a request. A null counts as a missing member.
func (w *storeWriter) request() error {
	var null edit
	isEmpty, isSaid := true, false
	var begin int
	err := w.members(&begin, func(name string) error {
		isEmpty = false
		if name != "store" {
			return w.dec.SkipValue()
		}
		value, err := w.dec.ReadValue()
		end := int(w.dec.InputOffset())
		if value.Kind() == jsontext.KindNull {
			null = edit{end - len(value), end, w.member[len(`"store":`):]}
		} else {
			isSaid = true
		}
		return err
	})
	switch {
	case err != nil || isSaid:
		return err
	case null.text != "":
		w.edits = append(w.edits, null)
		return nil
	}
	first := edit{begin, begin, w.member}
	if !isEmpty {
		first.text += ","
	}
	w.edits = append(w.edits, first)
	return nil
}

// apply returns a body with the edits.
func (w *storeWriter) apply(body []byte) []byte {
	size := len(body)
	for _, e := range w.edits {
		size += len(e.text)
	}
	out, at := make([]byte, 0, size), 0
	for _, e := range w.edits {
		out = append(append(out, body[at:e.start]...), e.text...)
		at = e.end
	}
	return slices.Clip(append(out, body[at:]...))
}
