package plainjson

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// EnumName returns the name that an enum's JSON value stands for: the entry of names that a JSON
// string equals in any letter case, else the string itself, so that a value newer than the names
// is kept; the digits of a JSON number; and "" for null. Any other kind of value is an error.
//
// Google's servers take enum names in any letter case and write numbers when they are asked to
// ($alt=json;enum-encoding=int).
func EnumName(value jsontext.Value, names ...string) (string, error) {
	switch value.Kind() {
	case jsontext.KindString:
		text, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return "", err
		}
		for _, name := range names {
			if strings.EqualFold(name, string(text)) {
				return name, nil
			}
		}
		return string(text), nil
	case jsontext.KindNumber:
		return string(value), nil
	case jsontext.KindNull:
		return "", nil
	default:
		return "", fmt.Errorf("an enum value is a string or a number, not %v", value.Kind())
	}
}

// EnumName appends what [EnumName] has read: a name, or a number that has none.
func (e *Encoder) EnumName(dst []byte, name string) []byte {
	if isNumber(name) {
		return append(dst, name...)
	}
	return e.String(dst, name)
}

// MarshalEnumName returns what [EnumName] has read as JSON again.
func MarshalEnumName(name string) ([]byte, error) {
	if isNumber(name) {
		return []byte(name), nil
	}
	return jsontext.AppendQuote(nil, name)
}

// WriteEnumName writes what [EnumName] has read.
func WriteEnumName(enc *jsontext.Encoder, name string) error {
	if isNumber(name) {
		return enc.WriteValue(jsontext.Value(name))
	}
	return enc.WriteToken(jsontext.String(name))
}

// isNumber distinguishes a number from the names of enums, which never begin with a digit.
func isNumber(name string) bool {
	return name != "" && name[0] <= '9' && numberLen([]byte(name)) == len(name)
}
