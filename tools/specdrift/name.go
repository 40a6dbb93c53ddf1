package main

import (
	"fmt"
	"strings"
)

const componentPrefix = "/components/schemas/"

// component returns the key of the component schema at a pointer. It returns "" if the pointer
// leads into a component or elsewhere.
func component(pointer string) string {
	key, found := strings.CutPrefix(pointer, componentPrefix)
	if !found || strings.Contains(key, "/") {
		return ""
	}
	return pointerTokens("/" + key)[0]
}

// namedSchemas is the maximum number of alternatives that a name lists.
const namedSchemas = 3

// schemaName names the location of schemas for a reader: the component and the members below it,
// for example Candidate.finishReason, Tool.functionDeclarations[] or Schema.properties{}.
func schemaName(schemas ...*value) string {
	var names []string
	for _, v := range schemas {
		names = addOnce(names, pointerName(v.pointer))
	}
	if more := len(names) - namedSchemas; more > 0 {
		names = append(names[:namedSchemas], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, " | ")
}

func pointerName(pointer string) string {
	path, inComponent := strings.CutPrefix(pointer, componentPrefix)
	if !inComponent {
		return pointer
	}
	tokens := pointerTokens("/" + path)
	name := tokens[0]
	for i := 1; i < len(tokens); i++ {
		switch tokens[i] {
		case "properties":
			if i++; i < len(tokens) {
				name += "." + tokens[i]
			}
		case "items":
			name += "[]"
		case "additionalProperties":
			name += "{}"
		case "oneOf", "anyOf", "allOf":
			i++ // which of the alternatives matters little
		}
	}
	return name
}

// describedDepth is the maximum nesting of lists and maps in a description.
const describedDepth = 3

// describe describes in a few words which values schemas accept.
func (r *reader) describe(schemas ...*value) string { return r.describeTo(describedDepth, schemas) }

func (r *reader) describeTo(depth int, schemas []*value) string {
	if depth == 0 {
		return "..."
	}
	canonical := r.canonicalSet(schemas)
	if len(canonical) == 1 {
		if name := component(canonical[0].pointer); name != "" {
			return name
		}
	}
	s := r.shapeOf(canonical...)
	if s.any {
		return "anything"
	}
	words := make([]string, len(s.types))
	for i, t := range s.types {
		words[i] = r.describeType(depth, s, t)
	}
	return strings.Join(words, " or ")
}

func (r *reader) describeType(depth int, s *shape, t jsonType) string {
	switch {
	case t == arrayType && len(s.elements) > 0:
		return "list of " + r.describeTo(depth-1, s.elements)
	case t == objectType && len(s.mapValues) > 0 && len(s.properties) == 0:
		return "map of " + r.describeTo(depth-1, s.mapValues)
	case s.lists(t) && !s.isOpen(t):
		return fmt.Sprintf("enum of %d", len(s.values(t)))
	case len(s.formats[t]) > 0:
		return t + " " + s.formats[t][0]
	}
	return t
}
