package codec

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Judge decides about a value that a decoder refused for its type. It returns JSON with the same
// meaning in another type, or nil to treat the value as absent. ok is false if ignoring the value
// would falsify the payload.
type Judge func(at jsontext.Pointer, value jsontext.Value) (instead jsontext.Value, ok bool)

// Forgive decodes data. If a value has a wrong type and the judge allows it, Forgive decodes again
// without the value. It returns the JSON pointers of the values that it treated as absent. Any
// other fault is the error of decode.
func Forgive[T any](name string, data []byte, decode func(data []byte) (*T, error),
	judge Judge) (r *T, ignored []string, err error) {
	r, err = decode(data)
	for passes := 0; err != nil; passes++ {
		fault := mistyped(err)
		start, end := jsonx.Find(data, fault)
		if fault == "" || end == 0 {
			return nil, nil, err
		}
		instead, ok := judge(fault, data[start:end])
		if !ok || bytes.Equal(instead, data[start:end]) {
			return nil, nil, err
		}
		if passes == maxForgiven {
			return nil, nil,
				fmt.Errorf("%s: %d members are of a wrong type: %w", name, maxForgiven, err)
		}
		if instead != nil {
			data = slices.Concat(data[:start], instead, data[end:])
		} else {
			data, ignored = ignore(data, fault, ignored)
		}
		r, err = decode(data)
	}
	return r, ignored, nil
}

// maxForgiven limits the number of forgiven values. Each of them costs another pass over the bytes.
const maxForgiven = 64

// mistyped returns the pointer of a value that the codec refused for its type. It returns "" for
// any other error, and for an error about the whole payload.
func mistyped(err error) jsontext.Pointer {
	if _, ok := errors.AsType[*json.SemanticError](err); !ok {
		return ""
	}
	malformed, ok := errors.AsType[*wire.MalformedError](err)
	if !ok {
		return ""
	}
	return jsontext.Pointer(malformed.Pointer)
}

// IsPosition reports whether a token of a pointer is the index of a list element.
func IsPosition(token string) bool { return strings.Trim(token, "0123456789") == "" }

// ignore removes the value at a pointer from data. It writes null in its place, which counts as
// absent. In a list it writes {}, which keeps the positions of the other elements. If {} was
// refused too, because the elements are not objects, it removes the whole list.
func ignore(data []byte, fault jsontext.Pointer, ignored []string) ([]byte, []string) {
	instead := "null"
	if IsPosition(fault.LastToken()) {
		instead = "{}"
		if n := len(ignored); n > 0 && ignored[n-1] == string(fault) {
			ignored, fault, instead = ignored[:n-1], fault.Parent(), "null"
		}
	}
	start, end := jsonx.Find(data, fault)
	return slices.Concat(data[:start], []byte(instead), data[end:]), append(ignored, string(fault))
}
