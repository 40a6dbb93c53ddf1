// Package leaftest changes the scalars of a JSON document one at a time. Tests use it to prove that
// a conversion loses nothing silently: if a leaf of the input is changed, the output or the report
// must change.
//
//	leaves, err := leaftest.All(document)
//	for _, l := range leaftest.Sample(leaves, 500) {
//		changed := convert(l.Change(document))
//		...
//	}
package leaftest

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// Leaf is a string, a number or a boolean of a document, or one of its [Values].
type Leaf struct {
	// Pointer is the JSON pointer (RFC 6901) of the leaf.
	Pointer string

	start, end int    // of the value in the document's bytes
	text       []byte // what takes its place; nil for another value of its kind
}

// All returns the leaves of a document in its order. Null is not a leaf, because it says nothing.
// Names, empty lists and empty objects are not leaves either. For text that is not JSON, it returns
// the error of the JSON library.
func All(document []byte) ([]Leaf, error) {
	values, err := Values(document)
	return slices.DeleteFunc(values, func(l Leaf) bool {
		kind := jsontext.Value(document[l.start:]).Kind()
		return kind == jsontext.KindNull || kind == jsontext.KindBeginObject ||
			kind == jsontext.KindBeginArray
	}), err
}

// Values returns all values of a document in order: the document itself, and then its leaves,
// nulls, lists and objects.
func Values(document []byte) ([]Leaf, error) {
	var out []Leaf
	var open []int // the positions in out of the lists and objects that have not ended
	dec := jsontext.NewDecoder(bytes.NewReader(document))
	for {
		kind, isName := dec.PeekKind(), isMemberName(dec)
		scalar, err := readScalar(dec)
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("leaf: %w", err)
		}
		end := int(dec.InputOffset())
		switch {
		case isName:
		case kind == jsontext.KindEndObject || kind == jsontext.KindEndArray:
			out[open[len(open)-1]].end = end
			open = open[:len(open)-1]
		case scalar == nil:
			open = append(open, len(out))
			out = append(out, Leaf{Pointer: string(dec.StackPointer()), start: end - 1})
		default:
			out = append(out,
				Leaf{Pointer: string(dec.StackPointer()), start: end - len(scalar), end: end})
		}
	}
}

func isMemberName(dec *jsontext.Decoder) bool {
	kind, length := dec.StackIndex(dec.StackDepth())
	return kind == jsontext.KindBeginObject && length%2 == 0 &&
		dec.PeekKind() == jsontext.KindString
}

// readScalar reads a scalar or a name and returns it. For a bracket it returns nothing.
func readScalar(dec *jsontext.Decoder) (jsontext.Value, error) {
	switch dec.PeekKind() {
	case jsontext.KindBeginObject, jsontext.KindEndObject, jsontext.KindBeginArray,
		jsontext.KindEndArray, jsontext.KindInvalid:
		_, err := dec.ReadToken()
		return nil, err
	default:
		return dec.ReadValue()
	}
}

// Change returns a copy of the leaf's document in which the leaf has another value: a number is one
// higher, a string is one letter longer, and a boolean is inverted. A string of digits stays a
// string of digits, because some numbers are sent as strings. For one of [Inventions], Change
// inserts it.
func (l Leaf) Change(document []byte) []byte {
	if l.text != nil {
		return slices.Concat(document[:l.start], l.text, document[l.end:])
	}
	return slices.Concat(document[:l.start], change(document[l.start:l.end]), document[l.end:])
}

// Replace returns a copy of the leaf's document with another value in its place.
func (l Leaf) Replace(document []byte, value string) []byte {
	return slices.Concat(document[:l.start], []byte(value), document[l.end:])
}

func change(value jsontext.Value) []byte {
	switch value.Kind() {
	case jsontext.KindTrue:
		return []byte("false")
	case jsontext.KindFalse:
		return []byte("true")
	case jsontext.KindNumber:
		return higher(value)
	default:
		if text := value[1 : len(value)-1]; isDigits(text) {
			return slices.Concat([]byte(`"`), higher(text), []byte(`"`))
		}
		return slices.Concat(value[:len(value)-1], []byte(`x"`))
	}
}

func isDigits(text []byte) bool {
	return len(text) > 0 && len(bytes.Trim(text, "0123456789")) == 0
}

// higher returns a number that is one higher, or twice as high if adding one changes nothing.
func higher(number []byte) []byte {
	if n, err := strconv.ParseInt(string(number), 10, 64); err == nil && n < math.MaxInt64 {
		return strconv.AppendInt(nil, n+1, 10)
	}
	f, _ := strconv.ParseFloat(string(number), 64) // out of range it is an infinity
	switch {
	case math.IsInf(f, 0) || math.Abs(f) > math.MaxFloat64/4:
		return []byte("1")
	case f+1 != f:
		f++
	default:
		f *= 2
	}
	return strconv.AppendFloat(nil, f, 'g', -1, 64)
}

// Enough returns how many leaves of a document a test should check: n in a full run, and four in a
// short run (go test -short), which is used with the race detector.
func Enough(n int) int {
	if testing.Short() {
		return min(n, 4)
	}
	return n
}

// Sample returns n elements of a list, evenly spread from the first to the last. It returns all of
// them if there are at most n.
func Sample[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[i*(len(list)-1)/max(n-1, 1)]
	}
	return out
}
