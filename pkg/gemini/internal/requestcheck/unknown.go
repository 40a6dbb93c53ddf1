package requestcheck

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// unknown reports the members that no description knows. Both backends refuse every one of them, at any
// depth: `Invalid JSON payload received. Unknown name "x"`.
func (v *checker) unknown(at *location, members jsontext.Value) {
	if len(members) > 0 {
		v.reportUnknown(at, members, nil)
	}
}

// leaf looks for unknown members in a message of which nothing else is checked.
func (v *checker) leaf(up *location, name string, members jsontext.Value) {
	if len(members) > 0 {
		at := up.member(name)
		v.reportUnknown(&at, members, nil)
	}
}

// reportUnknown reports each of the members, with the hint for its name if there is one.
func (v *checker) reportUnknown(at *location, members jsontext.Value, hints map[string]string) {
	if members.Kind() != jsontext.KindBeginObject || !members.IsValid() {
		v.report(at, ruleJSONObject, "", "the unknown members are not a JSON object")
		return
	}
	dec := jsontext.NewDecoder(bytes.NewReader(members))
	for token, err := dec.ReadToken(); err == nil; token, err = dec.ReadToken() {
		if token.Kind() != jsontext.KindString {
			continue // a brace
		}
		name := token.String()
		value, _ := dec.ReadValue() // is valid
		v.unknownMember(at, name, value, hints)
	}
}

func (v *checker) unknownMember(at *location, name string, value jsontext.Value, hints map[string]string) {
	message := "the API has no such member here and refuses the request"
	if hint := hints[name]; hint != "" {
		message += "; " + hint
	}
	v.reportMember(at, name, ruleUnknown, shortValue(value), message)
}

// shortValue shows a number, a boolean or null. Anything else could be a secret, or long.
func shortValue(value jsontext.Value) string {
	switch value.Kind() {
	case jsontext.KindString, jsontext.KindBeginObject, jsontext.KindBeginArray:
		return ""
	default:
		return cutText(string(value))
	}
}
