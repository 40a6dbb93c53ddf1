package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// review is the temporary description of a new value, until a person writes one. It says where the
// vendor's document describes the value.
func review(theirs *value, also string) string {
	what := theirs.pointer
	if theirs.Kind == yaml.ScalarNode {
		list, _ := splitPointer(theirs.pointer)
		what = theirs.Value + " of " + strings.TrimSuffix(list, "/enum")
	}
	return strconv.Quote(reviewMark + " say what " + what + " means" + also)
}

// property writes the schema of a member.
func (m *merger) property(theirs []*value, hint string) []entry {
	schema, also := m.schema(theirs, hint), ""
	switch schema[0].key {
	case "$ref": // OpenAPI 3.0 ignores the other members
		schema = []entry{{key: "allOf", text: "[" + flowMapping(schema) + "]"}}
	case freeForm:
		also = "; it has more than one form, or any"
	}
	out := append([]entry{{key: "description", text: review(theirs[0], also)}}, schema...)
	if m.theirs.shapeOf(theirs...).nullable {
		out = append(out, entry{key: "nullable", text: "true"})
	}
	return out
}

// freeForm is our extension that marks any JSON.
const freeForm = "x-free-form"

// schema writes a schema that accepts the same values as theirs. Enums and objects become
// components.
func (m *merger) schema(theirs []*value, hint string) []entry {
	set := m.theirs.canonicalSet(theirs)
	id := identity(set)
	if name := m.components[id]; name != "" {
		return reference(name)
	}
	s := m.theirs.shapeOf(set...)
	if s.any || len(s.types) != 1 || m.writing[id] {
		return []entry{{key: freeForm, text: "true"}}
	}
	m.writing[id] = true
	defer delete(m.writing, id)
	t := s.types[0]
	out := []entry{{key: "type", text: t}}
	switch {
	case t == stringType && s.lists(t) && !s.isOpen(t), t == objectType && len(s.properties) > 0,
		t == objectType && s.mapValues == nil:
		return m.define(set, s, hint)
	case t == objectType && m.theirs.isFreeMap(s):
		out = append(out, entry{key: "additionalProperties", text: "true"},
			entry{key: freeForm, text: "true"})
	case t == objectType:
		out = append(out,
			entry{key: "additionalProperties", members: m.schema(s.mapValues, hint+" value")})
	case t == arrayType && s.elements == nil:
		out = append(out, entry{key: "items", members: []entry{{key: freeForm, text: "true"}}})
	case t == arrayType:
		out = append(out, entry{key: "items", members: m.schema(s.elements, hint)})
	case len(s.formats[t]) == 1 && slices.Contains(knownFormats, s.formats[t][0]):
		out = append(out, entry{key: "format", text: s.formats[t][0]})
	}
	return out
}

// The formats that our generator maps to Go types.
var knownFormats = []string{"int32", "int64", "float", "double", "byte", "date-time", "unixtime"}

// define adds a component for a set of their schemas and returns a reference to it. It uses their
// name if that is free.
func (m *merger) define(set []*value, s *shape, hint string) []entry {
	name := component(set[0].pointer)
	if name == "" || len(set) > 1 {
		name = hint
	}
	name = m.freeName(pascal(name))
	m.components[identity(set)] = name
	out := []entry{{key: "type", text: s.types[0]}, {key: "description", text: review(set[0], "")}}
	at := len(m.added)
	m.added = append(m.added, entry{})
	switch {
	case s.has(stringType):
		out = append(out, enumEntries(s.enum)...)
	case len(s.properties) > 0:
		out = append(out, entry{key: "properties", members: m.propertyEntries(s, name)})
	}
	m.added[at] = entry{key: name, members: out}
	return reference(name)
}

func (m *merger) propertyEntries(s *shape, name string) []entry {
	var out []entry
	for _, p := range sortedBySite(s.properties) {
		out = append(out, entry{key: p, members: m.property(s.properties[p], name+" "+p)})
	}
	return out
}

func enumEntries(values []enumValue) []entry {
	var items []string
	var descriptions []entry
	for _, v := range values {
		items = append(items, quote(v.text))
		descriptions = append(descriptions, entry{key: v.text, text: review(v.sites[0], "")})
	}
	return []entry{{key: "enum", items: items}, {key: "x-enum-descriptions", members: descriptions}}
}

func reference(name string) []entry {
	return []entry{{key: "$ref", text: strconv.Quote("#" + componentPrefix + name)}}
}

func (m *merger) freeName(name string) string {
	free := name
	for i := 2; m.taken[free]; i++ {
		free = fmt.Sprintf("%s%d", name, i)
	}
	m.taken[free] = true
	return free
}

// pascal makes the name of a component from words: "Candidate finishReason" becomes
// CandidateFinishReason.
func pascal(words string) string {
	var name string
	for _, word := range componentWord.FindAllString(words, -1) {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return cmp.Or(name, "Schema")
}

var componentWord = regexp.MustCompile(`[A-Za-z0-9]+`)
