package plainjson

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// EnumName returns the name for an enum's JSON value. For a string it returns the entry of names
// that equals the string in any letter case. Without such an entry it returns the string itself, so
// that a newer value is kept. For a number it returns the digits, and for null "". Any other kind
// of value is an error.
//
// Google's servers accept enum names in any letter case, and write numbers if a client asks for
// them ($alt=json;enum-encoding=int).
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

// EnumName appends a result of [EnumName]: a name, or a number without a name.
func (e *Encoder) EnumName(dst []byte, name string) []byte {
	if isNumber(name) {
		return append(dst, name...)
	}
	return e.String(dst, name)
}

// MarshalEnumName converts a result of [EnumName] back to JSON.
func MarshalEnumName(name string) ([]byte, error) {
	if isNumber(name) {
		return []byte(name), nil
	}
	return jsontext.AppendQuote(nil, name)
}

// WriteEnumName writes a result of [EnumName].
func WriteEnumName(enc *jsontext.Encoder, name string) error {
	if isNumber(name) {
		return enc.WriteValue(jsontext.Value(name))
	}
	return enc.WriteToken(jsontext.String(name))
}

// isNumber reports whether an enum value is a number. Names never begin with a digit.
func isNumber(name string) bool {
	return name != "" && name[0] <= '9' && numberLen([]byte(name)) == len(name)
}
