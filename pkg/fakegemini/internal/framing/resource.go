package framing

import (
	"cmp"
	"slices"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// Member is a member of an object.
type Member struct {
	Name  string
	Value jsontext.Value
}

// Object returns an object with members in the given order. It omits members without a value.
func Object(members []Member) jsontext.Value {
	out := []byte{'{'}
	for _, m := range members {
		if len(m.Value) == 0 {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, m.Name)
		out = append(append(out, ':'), m.Value...)
	}
	return append(out, '}')
}

// Array returns a list of values.
func Array(values ...jsontext.Value) jsontext.Value {
	out := []byte{'['}
	for i, value := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, value...)
	}
	return append(out, ']')
}

// Text returns a text as JSON.
func Text(text string) jsontext.Value {
	out, _ := jsontext.AppendQuote(nil, text)
	return out
}

// Ordered returns an object with its members in an order. Members that the order does not name come
// last. The values of the members are unchanged.
func Ordered(object jsontext.Value, order []string) jsontext.Value {
	var members []Member
	for name, value := range jsonx.Members(object) {
		members = append(members, Member{name, value})
	}
	position := func(m Member) int {
		if i := slices.Index(order, m.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(members,
		func(a, b Member) int { return cmp.Compare(position(a), position(b)) })
	return Object(members)
}
