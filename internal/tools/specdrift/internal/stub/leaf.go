package stub

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/shape"
)

// objectLeaf picks the schema object that takes a member: one with properties, or else any object.
func (w *writer) objectLeaf(schemas []*openapi.Value) (*openapi.Value, error) {
	return w.leaf(schemas, hasProperties, isType(shape.Object), hasMapValues)
}

// valueLeaf picks the schema object that takes an enum value of type t: one that lists values of the
// type, or else one of the type.
func (w *writer) valueLeaf(schemas []*openapi.Value, t shape.Type) (*openapi.Value, error) {
	return w.leaf(schemas, lists(t), isType(t))
}

// leaf picks, out of the schema objects that the schemas are made of, the first that satisfies the
// first of the wishes that can be satisfied; one that belongs to the schemas themselves is preferred to
// one that they refer to.
func (w *writer) leaf(schemas []*openapi.Value, wishes ...func(*openapi.Value) bool) (*openapi.Value, error) {
	sh, err := w.ours.Of(schemas...)
	if err != nil {
		return nil, err
	}
	own := func(v *openapi.Value) bool {
		return slices.ContainsFunc(schemas, func(s *openapi.Value) bool {
			return v == s || strings.HasPrefix(v.Pointer, s.Pointer+"/")
		})
	}
	for _, wish := range wishes {
		both := func(v *openapi.Value) bool { return own(v) && wish(v) }
		for _, match := range []func(*openapi.Value) bool{both, wish} {
			if i := slices.IndexFunc(sh.Leaves, match); i >= 0 {
				return sh.Leaves[i], nil
			}
		}
	}
	return schemas[0], nil
}

func hasProperties(v *openapi.Value) bool { return v.Get("properties") != nil }
func hasMapValues(v *openapi.Value) bool  { return v.Get("additionalProperties") != nil }

// lists tells schema objects that list values of a type: by their own type or, without one, by the
// values.
func lists(t shape.Type) func(*openapi.Value) bool {
	ofType := isType(t)
	return func(v *openapi.Value) bool {
		switch {
		case v.Get(enumList) == nil && v.Get("const") == nil && !v.Get(openEnum).IsTrue():
			return false
		case v.Get("type") != nil:
			return ofType(v)
		}
		alone, err := shape.NewReader(&openapi.Document{Root: v}).Of(v)
		return err == nil && alone.Lists(t)
	}
}

func isType(t shape.Type) func(*openapi.Value) bool {
	return func(v *openapi.Value) bool {
		declared := v.Get("type")
		if declared.KindOf() == openapi.List {
			return slices.ContainsFunc(declared.Items, func(item *openapi.Value) bool { return item.Text == string(t) })
		}
		return declared.String() == string(t)
	}
}
