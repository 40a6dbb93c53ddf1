package jsonx

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// respell replaces the spellings of strict names by these names, for example _response_json_schema
// by _responseJsonSchema. A strict name begins with an underscore, which distinguishes it from
// other names. The new name is padded with spaces after it, so that all offsets stay the same.
func respell(object jsontext.Value, strict []string) jsontext.Value {
	dec := jsontext.NewDecoder(bytes.NewReader(object))
	out := object
	for _, err := dec.ReadToken(); err == nil; err = dec.SkipValue() {
		name, err := dec.ReadToken()
		if err != nil || name.Kind() != jsontext.KindString {
			break
		}
		quoted, end := strictName(name.String(), strict), int(dec.InputOffset())
		start := end - len(name.String()) - len(`""`)
		if quoted == "" || object[start] != '"' { // or the name has escapes
			continue
		}
		if &out[0] == &object[0] {
			out = slices.Clone(object)
		}
		copy(out[start:end], quoted+strings.Repeat(" ", end-start-len(quoted)))
	}
	return out
}

// strictName returns, in quotes, the strict name that a name spells in another way. It returns ""
// for all other names.
func strictName(name string, strict []string) string {
	for _, s := range strict {
		isLonger := len(name) > len(s)
		if isLonger && name[0] == '_' && s[0] == '_' && FoldName(name) == FoldName(s) {
			return `"` + s + `"`
		}
	}
	return ""
}
