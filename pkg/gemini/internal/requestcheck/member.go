package requestcheck

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/plainjson"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// only reports a member of one backend; the other backend refuses it as an unknown name.
func (v *checker) only(at *codec.Location, name string, has Backend) {
	if v.backend != AnyBackend && v.backend != has {
		v.reportMember(at, name, ruleBackend, "", onlyIn(has))
	}
}

func onlyIn(b Backend) string {
	if b == VertexAI {
		return "only Vertex AI has this; the Gemini API refuses it"
	}
	return "only the Gemini API has this; Vertex AI refuses it"
}

// unknown reports the members of a message that no description lists. Both backends refuse them at
// any depth: `Invalid JSON payload received. Unknown name "x"`.
func (v *checker) unknown(at *codec.Location, message string, members jsontext.Value) {
	if len(members) > 0 && !v.isReturned(at) {
		v.reportUnknown(at, message, members)
	}
}

// isReturned reports whether a location is in a model turn, which a program sends back unchanged.
// There, an unknown name is one that the API itself sent. isReturned is called only for unknown
// names.
func (v *checker) isReturned(at *codec.Location) bool {
	rest, isTurn := strings.CutPrefix(at.Pointer(), "/contents/")
	index, _, _ := strings.Cut(rest, "/")
	i, err := strconv.Atoi(index)
	return isTurn && err == nil && textOf(v.request.Contents[i].Role) == roleModel
}

func (v *checker) reportUnknown(at *codec.Location, message string, members jsontext.Value) {
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
		value, _ := dec.ReadValue() // it is valid
		want := "the API has no such member here and refuses the request"
		if hint := hints[message][name]; hint != "" {
			want += "; " + hint
		}
		v.reportMember(at, name, ruleUnknown, shortValue(value), want)
	}
}

// hints say what to use instead of an unknown member of a message.
var hints = map[string]map[string]string{"Schema": schemaHints}

// object checks free-form JSON that the backends read into a map.
func (v *checker) object(at *codec.Location, name string, value jsontext.Value) {
	if len(value) > 0 && value.Kind() != jsontext.KindBeginObject {
		v.reportMember(at, name, ruleJSONObject, shortValue(value),
			"must be a JSON object; wrap another value, such as {\"output\": ...}")
	}
}

// enter reports whether to check a message that can contain itself. Only such a message can be too
// deep.
func (v *checker) enter(at *codec.Location) bool {
	if v.depth > plainjson.LibraryDepth {
		v.report(at, ruleMax, "", codec.ReasonDepth)
		return false
	}
	v.depth++
	return true
}

// leave undoes enter.
func (v *checker) leave() { v.depth-- }

// sort sorts the problems of a map, which begin at an index, by the names in the map.
func (v *checker) sort(from int) {
	slices.SortStableFunc(v.problems[from:],
		func(a, b validation.Violation) int { return strings.Compare(a.Pointer, b.Pointer) })
}
