package websearch

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The functions below read JSON from elsewhere, in which any value may have an unexpected type. A
// value of a wrong type counts as absent.

// lenient accepts duplicate members and replaces invalid UTF-8. The last duplicate wins.
var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// withoutByteOrderMark removes a leading byte order mark, which some editors and servers write.
func withoutByteOrderMark(document []byte) []byte {
	return bytes.TrimPrefix(document, []byte("\uFEFF"))
}

// member returns a member of an object, or nil.
func member(object jsontext.Value, name string) jsontext.Value {
	if object.Kind() != '{' {
		return nil
	}
	var members map[string]jsontext.Value
	if json.Unmarshal(object, &members, lenient) != nil {
		return nil
	}
	return members[name]
}

// elements returns the elements of a list, or nil.
func elements(list jsontext.Value) []jsontext.Value {
	if list.Kind() != '[' {
		return nil
	}
	var out []jsontext.Value
	_ = json.Unmarshal(list, &out, lenient) // a value within a document that was read already
	return out
}

// text returns the content of a string, and whether value is one.
func text(value jsontext.Value) (string, bool) {
	if value.Kind() != '"' {
		return "", false
	}
	var out string
	err := json.Unmarshal(value, &out, lenient)
	return out, err == nil
}
