package drift

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/openapi"
	"github.com/gemwire/gemwire/internal/tools/specdrift/internal/shape"
)

// shapes compares what both sides admit at one place. Where ours admits anything, theirs fits.
func (c *comparison) shapes(v *visit) {
	switch {
	case v.o.Any:
		return
	case v.t.Any:
		c.missingType(v, "")
		return
	}
	c.types(v)
	for _, t := range v.t.Types {
		if v.o.Has(t) {
			c.enum(v, t)
		}
	}
	c.formats(v)
	if v.o.Has(shape.Object) && v.t.Has(shape.Object) {
		c.properties(v)
		c.mapValues(v)
	}
	if v.o.Has(shape.Array) && v.t.Has(shape.Array) {
		c.items(v)
	}
}

func (c *comparison) types(v *visit) {
	for _, t := range v.t.Types {
		id := v.ourKey + " type " + string(t)
		c.addShared(id)
		if !v.o.Has(t) && !(t == shape.Integer && v.o.Has(shape.Number) && v.t.Has(shape.Number)) {
			c.missingType(v, t)
		}
	}
	if v.unlike {
		return // each type of ours stands in that finding
	}
	for _, t := range v.o.Types {
		f := Finding{Place: v.Place, Kind: Type, Name: string(t), Schema: v.schema}
		c.addOurs(f, v.ourKey+" type "+string(t))
	}
}

// missingType reports a type, or with "" that anything is admitted. Each use of our schema is to
// change, because the schema itself may be right elsewhere.
func (c *comparison) missingType(v *visit, t shape.Type) {
	name := string(t)
	if name == "" {
		name = "anything"
	}
	f := c.addMissing(v.owner(), Finding{
		Place: v.Place, Kind: Type, Name: name, Detail: "ours " + typeList(v.o.Types), Schema: v.schema,
		Ours: v.uses, Theirs: v.theirs, Type: t,
	})
	v.unlike = true
	if f != nil {
		v.retyped = append(v.retyped, f)
	}
}

func typeList(types []shape.Type) string {
	if len(types) == 0 {
		return "nothing"
	}
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = string(t)
	}
	return strings.Join(words, " or ")
}

// enum compares the listed values of one type. Values that theirs lists as examples, beside any other
// value of the type, are only demanded of a list: not of a plain type of ours.
func (c *comparison) enum(v *visit, t shape.Type) {
	var open []string
	for _, value := range v.t.Values(t) {
		i := slices.IndexFunc(v.o.Enum, value.Same)
		switch {
		case i >= 0:
			c.addShared(pointers(v.o.Enum[i].Sites)...)
		case v.t.IsOpen(t) && !v.o.Lists(t):
			open = append(open, value.Text)
		default:
			c.missingValue(v, value)
		}
	}
	for _, value := range v.o.Values(t) {
		f := Finding{Place: v.Place, Kind: EnumValue, Name: value.Text, Schema: v.schema}
		c.addOurs(f, pointers(value.Sites)...)
	}
	if len(open) > 0 {
		c.note(v.Place, fmt.Sprintf("open set of %d values, not demanded: %s", len(open), strings.Join(open, ", ")))
	}
}

func (c *comparison) missingValue(v *visit, value shape.EnumValue) {
	detail := ""
	if !v.o.Lists(value.Type) {
		detail = "ours lists no values"
	}
	c.addMissing(v.owner(), Finding{
		Place: v.Place, Kind: EnumValue, Name: value.Text, Detail: detail, Schema: v.schema,
		Ours: v.ours, Theirs: value.Sites, Value: value,
	})
}

// narrow are the integer formats that hold less than 64 bits.
var narrow = []string{"int32", "uint32", "int16", "int8"}

// wide are those that need 64.
var wide = []string{"int64", "uint64", "google-int64", "google-uint64"}

// formats compares what decides about a number's type in a program: an integer too narrow for theirs
// is drift; a number that travels as a string and that ours does not mark as one is worth a note.
// All other formats (byte, date-time, google-duration) only say how a string is written.
func (c *comparison) formats(v *visit) {
	theirs := firstFormat(v.t, shape.Integer, wide)
	ours := firstFormat(v.o, shape.Integer, narrow)
	if theirs != "" && ours != "" && firstFormat(v.o, shape.Integer, wide) == "" {
		c.addMissing(v.owner(), Finding{
			Place: v.Place, Kind: Format, Name: theirs, Detail: "ours " + ours,
			Schema: v.schema, Ours: v.ours, Theirs: v.theirs,
		})
	}
	inString := firstFormat(v.t, shape.String, wide)
	if inString != "" && v.o.Has(shape.String) && firstFormat(v.o, shape.String, wide) == "" {
		c.note(v.Place, fmt.Sprintf("a number in a string (%s), a plain string in ours", inString))
	}
}

// firstFormat is the first of the shape's formats for a type that is one of those wanted, or "".
func firstFormat(s *shape.Shape, t shape.Type, wanted []string) string {
	for _, f := range s.Formats[t] {
		if slices.Contains(wanted, f) {
			return f
		}
	}
	return ""
}

// properties compares named members. An object of ours that names none and takes any (additional
// properties true) is meant to be free-form and fits theirs.
func (c *comparison) properties(v *visit) {
	if len(v.o.Properties) == 0 && c.ours.isFreeMap(v.o) {
		return
	}
	for _, p := range v.t.Properties {
		at := v.child(p.Name)
		sites := v.o.Property(p.Name)
		if sites == nil {
			c.addMissing(v.owner(), Finding{
				Place: at, Kind: Property, Detail: c.theirs.describe(p.Sites...), Schema: v.schema,
				Ours: v.ours, Theirs: p.Sites,
			})
			continue
		}
		c.addShared(pointers(sites)...)
		c.enqueue(at, sites, p.Sites)
	}
	for _, p := range v.o.Properties {
		f := Finding{Place: v.child(p.Name), Kind: Property, Schema: v.schema, Ours: p.Sites}
		c.addOurs(f, pointers(p.Sites)...)
	}
}

// mapValues compares members of any name. Theirs of any type are admitted by each object.
func (c *comparison) mapValues(v *visit) {
	at := v.Place.child("{*}")
	if len(v.o.MapValues) > 0 && !c.ours.isFreeMap(v.o) {
		c.addOurs(Finding{Place: at, Kind: MapValues, Schema: v.schema}, v.ourKey+" map values")
	}
	if len(v.t.MapValues) == 0 {
		return
	}
	c.addShared(v.ourKey + " map values")
	switch {
	case len(v.o.MapValues) > 0:
		c.enqueue(at, v.o.MapValues, v.t.MapValues)
	case !c.theirs.isFreeMap(v.t):
		c.addMissing(v.owner(), Finding{
			Place: at, Kind: MapValues, Detail: c.theirs.describe(v.t.MapValues...), Schema: v.schema,
			Ours: v.ours, Theirs: v.t.MapValues,
		})
	}
}

// isFreeMap reports whether an object takes members of any name and type. A schema of the values that
// cannot be read is reported when it is visited.
func (s side) isFreeMap(o *shape.Shape) bool {
	values, err := s.Of(o.MapValues...)
	return err == nil && values.Any
}

func (c *comparison) items(v *visit) {
	at := v.Place.child("*")
	if len(v.t.Items) == 0 && len(v.o.Items) > 0 {
		c.note(at, "elements of any type, narrower in ours")
	}
	c.enqueue(at, v.o.Items, v.t.Items)
}

func pointers(values []*openapi.Value) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v.Pointer
	}
	return out
}
