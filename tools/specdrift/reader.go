package main

import (
	"slices"
	"strings"
)

// reader makes shapes of the schemas of one document and remembers them.
type reader struct {
	*document
	done map[*value]*shape
	open map[*value]bool // being read
	cuts int             // how often a circle was cut
}

func newReader(d *document) *reader {
	return &reader{document: d, done: map[*value]*shape{}, open: map[*value]bool{}}
}

// shapeOf returns one shape that accepts every value that one of the given schemas accepts. Without
// schemas the shape accepts nothing.
func (r *reader) shapeOf(alternatives ...*value) *shape {
	out := &shape{}
	for _, v := range alternatives {
		if s := r.schema(v); s != nil {
			out = either(out, s)
		}
	}
	return out
}

// schema returns the shape of one schema. It returns nil for a schema that is already being read,
// because a schema that is an alternative of itself adds nothing. Such a cut shape is not cached,
// because it is only right at this place.
func (r *reader) schema(v *value) *shape {
	if s := r.done[v]; s != nil {
		return s
	}
	if r.open[v] {
		r.cuts++
		return nil
	}
	r.open[v] = true
	defer delete(r.open, v)
	before := r.cuts
	s := r.fold(v)
	if r.cuts == before {
		r.done[v] = s
	}
	return s
}

// fold joins the own keywords of a schema with its reference, its allOf and its alternatives.
func (r *reader) fold(v *value) *shape {
	out := r.leaf(v)
	if v.get("$ref") != nil {
		if r.resolve(v) == nil { // it points at nothing or is a circle of references
			return out
		}
		s := r.schema(r.target(v))
		if s == nil {
			return nil // a reference to a schema that is being read adds nothing
		}
		out = both(out, s)
	}
	for _, part := range r.list(v, "allOf") {
		if s := r.schema(part); s != nil {
			out = both(out, s)
		}
	}
	for _, keyword := range []string{"oneOf", "anyOf"} {
		if branches := r.list(v, keyword); len(branches) > 0 {
			out = both(out, r.shapeOf(branches...))
		}
	}
	return out
}

// canonical returns the schema that v stands for: it follows references, and wrappers that only add
// words or null to a single schema, as in
//
//	{description: ..., allOf: [{$ref: X}]}   and   {anyOf: [X, {type: "null"}]}
//
// so that two uses of one schema are seen to be the same.
func (r *reader) canonical(v *value) *value {
	for seen := map[*value]bool{}; ; seen[v] = true {
		next := r.unwrap(v)
		if next == nil {
			return v
		}
		if seen[next] {
			r.failf(v, "%w: the schema is only itself again", errReference)
			return v
		}
		v = next
	}
}

// canonicalSet returns the canonical schemas of alternatives, each once, sorted by pointer.
func (r *reader) canonicalSet(alternatives []*value) []*value {
	var out []*value
	for _, v := range alternatives {
		out = addOnce(out, r.canonical(v))
	}
	slices.SortFunc(out, func(a, b *value) int { return strings.Compare(a.pointer, b.pointer) })
	return out
}

// identity returns the same text for equal sets of canonical schemas.
func identity(set []*value) string { return strings.Join(pointers(set), " ") }

func pointers(values []*value) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v.pointer
	}
	return out
}

// Keywords that describe types or members, and keywords that refer to other schemas for that.
var (
	shapingKeywords = []string{"type", "format", "enum", "const", "properties",
		"additionalProperties", "items"}
	wrappingKeywords = []string{"allOf", "oneOf", "anyOf"}
)

// unwrap returns the only schema that v wraps. It returns nil if v has keywords of its own.
func (r *reader) unwrap(v *value) *value {
	if !v.isMapping() || v.hasAny(shapingKeywords) {
		return nil
	}
	var inner []*value
	if v.get("$ref") != nil {
		if target := r.target(v); target != nil {
			inner = append(inner, target)
		}
	}
	for _, keyword := range wrappingKeywords {
		inner = append(inner, r.list(v, keyword)...)
	}
	inner = slices.DeleteFunc(inner, onlyNull)
	if len(inner) != 1 {
		return nil
	}
	return inner[0]
}

func onlyNull(v *value) bool {
	t := v.get("type")
	if t.isList() && len(t.items) == 1 {
		t = t.items[0]
	}
	return t.str() == "null"
}

// saysSomething reports whether a schema restricts its values.
func saysSomething(v *value) bool {
	return !v.isMapping() || v.get("$ref") != nil || v.hasAny(shapingKeywords) ||
		v.hasAny(wrappingKeywords)
}

func (v *value) hasAny(keys []string) bool {
	return slices.ContainsFunc(v.members,
		func(m member) bool { return slices.Contains(keys, m.key.Value) })
}
