package leaftest

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Invented is the prefix of the names and values of [Inventions]. It is in no description.
const Invented = "invented"

// Inventions returns changes that a later version of a format might make in a document: a new
// member in each object, a new kind of element in each list of objects, and a new value for each
// word in capital letters, which is probably an enum value. [Leaf.Change] puts one of them into the
// document, and [Invent] all of them.
func Inventions(document []byte) ([]Leaf, error) {
	var out []Leaf
	dec := jsontext.NewDecoder(bytes.NewReader(document))
	for {
		isName := isMemberName(dec)
		token, err := dec.ReadToken()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("leaf: %w", err)
		}
		kind, end := token.Kind(), int(dec.InputOffset())
		switch {
		case kind == jsontext.KindBeginObject:
			member := fmt.Sprintf(`"%sMember":{"at":%d.50}`, Invented, end)
			out = append(out, insertion(dec, end, member))
		case kind == jsontext.KindBeginArray && dec.PeekKind() == jsontext.KindBeginObject:
			out = append(out,
				insertion(dec, end, fmt.Sprintf(`{"%sKind":{"at":%d}}`, Invented, end)))
		case kind == jsontext.KindString && !isName && isEnumValue(token.String()):
			out = append(out,
				Leaf{Pointer: string(dec.StackPointer()), start: end - 1, end: end,
					text: []byte(`_` + strings.ToUpper(Invented) + `"`)})
		}
	}
}

// insertion returns the leaf that inserts a text after the last bracket.
func insertion(dec *jsontext.Decoder, at int, text string) Leaf {
	if next := dec.PeekKind(); next != jsontext.KindEndObject && next != jsontext.KindEndArray {
		text += ","
	}
	return Leaf{Pointer: string(dec.StackPointer()), start: at, end: at, text: []byte(text)}
}

func isEnumValue(text string) bool {
	return len(text) > 1 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}

// Invent returns a copy of the document with all inventions.
func Invent(document []byte, inventions []Leaf) []byte {
	for _, l := range slices.Backward(inventions) {
		document = l.Change(document)
	}
	return document
}
