package jsonx

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Find returns the beginning and the end of the value at a pointer in a JSON text. It returns 0 and
// 0 for a missing value. Of several members with the same name, it takes the first.
func Find(data []byte, pointer jsontext.Pointer) (start, end int) {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data), anyText)
	for _, token := range slices.Collect(pointer.Tokens()) {
		if !enter(dec, token) {
			return 0, 0
		}
	}
	value, err := dec.ReadValue()
	if err != nil {
		return 0, 0
	}
	end = int(dec.InputOffset())
	return end - len(value), end
}

// enter reads to the member or element that the token names, and stops before its value.
func enter(dec *jsontext.Decoder, token string) bool {
	opening, err := dec.ReadToken()
	if err != nil {
		return false
	}
	switch opening.Kind() {
	case jsontext.KindBeginObject:
		return enterMember(dec, token)
	case jsontext.KindBeginArray:
		return enterElement(dec, token)
	default:
		return false
	}
}

func enterMember(dec *jsontext.Decoder, name string) bool {
	for dec.PeekKind() == jsontext.KindString {
		found, err := dec.ReadToken()
		if err != nil {
			return false
		}
		if found.String() == name {
			return true
		}
		if dec.SkipValue() != nil {
			return false
		}
	}
	return false
}

func enterElement(dec *jsontext.Decoder, position string) bool {
	n, err := strconv.Atoi(position)
	for i := 0; err == nil && i < n; i++ {
		err = dec.SkipValue()
	}
	return err == nil && dec.PeekKind() != jsontext.KindEndArray
}
