package main

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// value is one value of a document. A nil value is a missing value, and all its methods work.
type value struct {
	*yaml.Node
	pointer string   // JSON pointer (RFC 6901), "" for the root; no two values have the same
	items   []*value // the elements of a list
	members []member // of a mapping, in the order of the document; no key occurs twice
}

// member is a key of a mapping and its value, which is never nil.
type member struct {
	key   *yaml.Node
	value *value
}

func (v *value) isMapping() bool { return v != nil && v.Kind == yaml.MappingNode }
func (v *value) isList() bool    { return v != nil && v.Kind == yaml.SequenceNode }
func (v *value) isFlow() bool    { return v.Style&yaml.FlowStyle != 0 }
func (v *value) isTrue() bool    { return v.tag() == "!!bool" && v.Value == "true" }
func (v *value) isFalse() bool   { return v.tag() == "!!bool" && v.Value == "false" }

// isString reports whether a value is a string, or a scalar of a type that JSON does not have.
func (v *value) isString() bool {
	switch v.tag() {
	case "!!str", "!!timestamp", "!!binary":
		return true
	}
	return false
}

func (v *value) tag() string {
	if v == nil {
		return "!!null"
	}
	return v.ShortTag()
}

// str returns the text of a scalar, or "" for any other value.
func (v *value) str() string {
	if v == nil {
		return ""
	}
	return v.Value
}

// get returns a member of a mapping, or nil.
func (v *value) get(key string) *value {
	if v == nil {
		return nil
	}
	for _, m := range v.members {
		if m.key.Value == key {
			return m.value
		}
	}
	return nil
}

// child returns the value that one token of a JSON pointer selects, or nil.
func (v *value) child(token string) *value {
	if !v.isList() {
		return v.get(token)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(v.items) {
		return nil
	}
	return v.items[i]
}

var (
	pointerEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// escapePointer turns a key into one token of a JSON pointer.
func escapePointer(key string) string { return pointerEscaper.Replace(key) }

// pointerTokens returns the unescaped tokens of a JSON pointer, none for "".
func pointerTokens(pointer string) []string {
	tokens := strings.Split(pointer, "/")[1:]
	for i, t := range tokens {
		tokens[i] = pointerUnescaper.Replace(t)
	}
	return tokens
}

// splitPointer returns the pointer of the parent and the last token.
func splitPointer(pointer string) (parent, token string) {
	i := strings.LastIndex(pointer, "/")
	return pointer[:i], pointerUnescaper.Replace(pointer[i+1:])
}

// namesType reports whether a value, or a value within it, is a schema with a type.
func (v *value) namesType(t jsonType) bool {
	if declared := v.get("type"); declared.isString() && declared.Value == t ||
		declared.isList() && slices.ContainsFunc(declared.items,
			func(one *value) bool { return one.isString() && one.Value == t }) {
		return true
	}
	return slices.ContainsFunc(v.items, func(one *value) bool { return one.namesType(t) }) ||
		slices.ContainsFunc(v.members, func(m member) bool { return m.value.namesType(t) })
}
