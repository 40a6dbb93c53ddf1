package callargs

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// dropRepeated drops the arguments that the text already contains. A model may send the pieces of a
// call and then all arguments once more. The text must be complete.
func (w *Writer) dropRepeated() {
	if len(w.Aside) == 0 {
		return
	}
	t := writtenText{members: map[string]jsontext.Value{},
		budget: repetitions * (len(w.Text) + usualText)}
	for name, value := range jsonx.Members(w.Text) {
		t.members[name] = value
	}
	w.Aside = slices.DeleteFunc(w.Aside, t.has)
}

// writtenText is the complete text of a call.
type writtenText struct {
	members map[string]jsontext.Value
	budget  int // bytes that may still be compared, so that the time is linear
}

const (
	// of the text that are compared, more than any model has been seen to make
	repetitions = 8
	// bytes added to the length of the text, so that short arguments may be repeated more often
	usualText = 1 << 10
)

// has reports whether the text contains a partial argument.
func (t *writtenText) has(p geminiapi.PartialArg) bool {
	path, _, ok := parsePath(jsonx.Deref(p.JSONPath))
	value, known := valueOf(&p)
	if !ok || !known || len(path) == 0 || len(path) > maxPath || path[0].isIndex() ||
		jsonx.Deref(p.WillContinue) {
		return false
	}
	member := t.members[path[0].name]
	if t.budget -= len(member) + len(value); t.budget < 0 {
		return false
	}
	start, end := jsonx.Find(member, pointerTo(path[1:]))
	return start < end && (value == nil || isSame(member[start:end], value))
}

// valueOf returns the value of a partial argument, or nil. known is false if the argument has
// several values, or a kind of value that is newer than this package.
func valueOf(p *geminiapi.PartialArg) (value jsontext.Value, known bool) {
	var values []jsontext.Value
	if p.StringValue != nil {
		values = append(values, quoted(*p.StringValue))
	}
	if p.NumberValue != nil {
		values = append(values, numberText(*p.NumberValue))
	}
	if p.BoolValue != nil {
		values = append(values, jsontext.Value(jsontext.Bool(*p.BoolValue).String()))
	}
	if p.NullValue != nil {
		values = append(values, jsontext.Value("null"))
	}
	for name, member := range jsonx.Members(p.Unknown) {
		if name != objectMember {
			return nil, false
		}
		values = append(values, member)
	}
	if len(values) == 0 {
		return nil, true
	}
	return values[0], len(values) == 1
}

// objectMember contains the value of a member that arrived in an object.
const objectMember = "value"

func pointerTo(path []segment) jsontext.Pointer {
	var at jsontext.Pointer
	for _, s := range path {
		if s.isIndex() {
			at = at.AppendToken(strconv.Itoa(s.index))
		} else {
			at = at.AppendToken(s.name)
		}
	}
	return at
}

// isSame compares values. It ignores the order of members and the escapes of strings.
func isSame(a, b jsontext.Value) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	for _, v := range []*jsontext.Value{&a, &b} {
		if err := v.Format(jsontext.ReorderRawObjects(true), jsontext.AllowDuplicateNames(true),
			jsontext.AllowInvalidUTF8(true)); err != nil {
			return false
		}
	}
	return string(a) == string(b)
}
