package shape

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
)

// Reader makes shapes of the schemas of one document and remembers them. It must not be used by two
// goroutines at once.
type Reader struct {
	doc  *openapi.Document
	done map[*openapi.Value]*Shape
	open map[*openapi.Value]bool
	cuts int // how often a circle was cut
}

// NewReader returns a reader of d's schemas.
func NewReader(d *openapi.Document) *Reader {
	return &Reader{doc: d, done: map[*openapi.Value]*Shape{}, open: map[*openapi.Value]bool{}}
}

// Of returns what one of the given schemas admits, in one shape; what admits nothing when there are
// none. The error is an [*openapi.Error].
func (r *Reader) Of(alternatives ...*openapi.Value) (*Shape, error) {
	out := &Shape{}
	for _, v := range alternatives {
		s, err := r.schema(v)
		if err != nil {
			return nil, err
		}
		if s != nil {
			out = either(out, s)
		}
	}
	return out, nil
}

// schema is the shape of one schema, nil when the schema is one of those that are being read: a
// schema that is an alternative of itself adds nothing. A shape that was cut short in this way is
// not remembered, for it is only right below the schema that it was met in.
func (r *Reader) schema(v *openapi.Value) (*Shape, error) {
	if s := r.done[v]; s != nil {
		return s, nil
	}
	if r.open[v] {
		r.cuts++
		return nil, nil
	}
	r.open[v] = true
	defer delete(r.open, v)
	before := r.cuts
	s, err := r.fold(v)
	if err == nil && r.cuts == before {
		r.done[v] = s
	}
	return s, err
}

// fold joins what a schema says itself with its reference, its allOf and its alternatives.
func (r *Reader) fold(v *openapi.Value) (*Shape, error) {
	out, err := r.leaf(v)
	if err != nil {
		return nil, err
	}
	if v.Get("$ref") != nil {
		s, err := r.referred(v)
		if s == nil || err != nil {
			return nil, err // a reference to what is being read is that again
		}
		out = both(out, s)
	}
	if out, err = r.foldAll(out, v); err != nil {
		return nil, err
	}
	for _, keyword := range alternativeKeywords {
		branches, err := r.list(v, keyword)
		if err != nil {
			return nil, err
		}
		if len(branches) == 0 {
			continue
		}
		s, err := r.Of(branches...)
		if err != nil {
			return nil, err
		}
		out = both(out, s)
	}
	return out, nil
}

func (r *Reader) foldAll(out *Shape, v *openapi.Value) (*Shape, error) {
	all, err := r.list(v, "allOf")
	if err != nil {
		return nil, err
	}
	for _, part := range all {
		s, err := r.schema(part)
		if err != nil {
			return nil, err
		}
		if s != nil {
			out = both(out, s)
		}
	}
	return out, nil
}

func (r *Reader) referred(v *openapi.Value) (*Shape, error) {
	if _, err := r.doc.Resolve(v); err != nil { // a circle of references only
		return nil, err
	}
	target, err := r.doc.Target(v)
	if err != nil {
		return nil, err
	}
	return r.schema(target)
}

var alternativeKeywords = []string{"oneOf", "anyOf"}

func (r *Reader) list(v *openapi.Value, keyword string) ([]*openapi.Value, error) {
	list := v.Get(keyword)
	if list != nil && list.Kind != openapi.List {
		return nil, r.doc.Errorf(list, "%w: %s is not a list", openapi.ErrStructure, keyword)
	}
	if list == nil {
		return nil, nil
	}
	return slices.Clone(list.Items), nil
}

// Canonical returns the schema that v stands for: it follows references, and wrappers that only add
// words or null to a single schema, as in
//
//	{description: ..., allOf: [{$ref: X}]}   and   {anyOf: [X, {type: "null"}]}
//
// so that two uses of one schema are seen to be the same.
func (r *Reader) Canonical(v *openapi.Value) (*openapi.Value, error) {
	seen := map[*openapi.Value]bool{}
	for !seen[v] {
		seen[v] = true
		next, err := r.unwrap(v)
		if err != nil {
			return nil, err
		}
		if next == nil {
			return v, nil
		}
		v = next
	}
	return nil, r.doc.Errorf(v, "%w: the schema is only itself again", openapi.ErrReference)
}

// CanonicalSet returns the canonical schemas of alternatives, each once, sorted by pointer.
func (r *Reader) CanonicalSet(alternatives []*openapi.Value) ([]*openapi.Value, error) {
	var out []*openapi.Value
	for _, v := range alternatives {
		canonical, err := r.Canonical(v)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, canonical) {
			out = append(out, canonical)
		}
	}
	slices.SortFunc(out, func(a, b *openapi.Value) int { return strings.Compare(a.Pointer, b.Pointer) })
	return out, nil
}

// Identity is equal for equal sets of canonical schemas.
func Identity(set []*openapi.Value) string {
	pointers := make([]string, len(set))
	for i, v := range set {
		pointers[i] = v.Pointer
	}
	return strings.Join(pointers, " ")
}

var wrappingKeywords = append([]string{"allOf"}, alternativeKeywords...)

// unwrap returns the one schema that v wraps, nil when v says something itself.
func (r *Reader) unwrap(v *openapi.Value) (*openapi.Value, error) {
	if v.Kind != openapi.Mapping || slices.ContainsFunc(v.Members, isOwnWord) {
		return nil, nil
	}
	var inner []*openapi.Value
	if v.Get("$ref") != nil {
		target, err := r.doc.Target(v)
		if err != nil {
			return nil, err
		}
		inner = append(inner, target)
	}
	for _, keyword := range wrappingKeywords {
		branches, err := r.list(v, keyword)
		if err != nil {
			return nil, err
		}
		inner = append(inner, branches...)
	}
	inner = slices.DeleteFunc(inner, onlyNull)
	if len(inner) != 1 {
		return nil, nil
	}
	return inner[0], nil
}

// shapingKeywords are the keywords by which a schema says something about types or members itself.
var shapingKeywords = []string{
	"type", "format", "enum", "const", "properties", "patternProperties", "additionalProperties", "items", "prefixItems", openEnum,
}

func isOwnWord(m openapi.Member) bool { return slices.Contains(shapingKeywords, m.Key) }

// allWordless reports whether the schemas say nothing about what they admit.
func allWordless(schemas []*openapi.Value) bool {
	return !slices.ContainsFunc(schemas, func(v *openapi.Value) bool { return !wordless(v) })
}

func wordless(v *openapi.Value) bool {
	combines := func(m openapi.Member) bool {
		return m.Key == "$ref" || slices.Contains(wrappingKeywords, m.Key)
	}
	return v.Kind == openapi.Mapping && !slices.ContainsFunc(v.Members, isOwnWord) && !slices.ContainsFunc(v.Members, combines)
}

func onlyNull(v *openapi.Value) bool {
	t := v.Get("type")
	if t.KindOf() == openapi.List && len(t.Items) == 1 {
		t = t.Items[0]
	}
	return t.String() == "null"
}
