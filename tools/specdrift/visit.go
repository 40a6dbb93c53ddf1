package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// visit compares the values that two sets of canonical schemas accept at one place.
type visit struct {
	pair
	c      *comparison
	key    string // identifies our schemas
	schema string // names them
	o, t   *shape
	unlike bool // a type is missing
}

// compare reports what our schemas lack. If ours accept anything, nothing is missing.
func (v *visit) compare() {
	switch {
	case v.o.any:
	case v.t.any:
		v.missingType("anything")
	default:
		v.types()
		for _, t := range v.t.types {
			if v.o.has(t) {
				v.enum(t)
			}
		}
		v.formats()
		if v.o.has(objectType) && v.t.has(objectType) {
			v.properties()
			v.mapValues()
		}
		if v.o.has(arrayType) && v.t.has(arrayType) {
			v.elements()
		}
	}
	v.pairComponents()
}

// lacks reports what our schemas lack.
func (v *visit) lacks(f finding) {
	f.schema, f.ours = v.schema, v.ours
	v.c.addMissing(v.key, v.o.leaves, f)
}

func (v *visit) types() {
	for _, t := range v.t.types {
		v.c.addShared(v.key + " type " + t)
		switch {
		case v.o.has(t), t == integerType && v.o.has(numberType) && v.t.has(numberType):
		case t == numberType && v.o.has(integerType) && !v.c.theirsHasIntegers:
			v.c.addShared(v.key + " type " + integerType)
		default:
			v.missingType(t)
		}
	}
	if v.unlike {
		return // each type of ours stands in that finding
	}
	for _, t := range v.o.types {
		f := finding{location: v.location, kind: valueType, name: t, schema: v.schema}
		v.c.addOurs(f, v.key+" type "+t)
	}
}

func (v *visit) missingType(name string) {
	v.unlike = true
	v.lacks(finding{location: v.location, kind: valueType, name: name,
		detail: "ours " + cmp.Or(strings.Join(v.o.types, " or "), "nothing")})
}

// enum compares the listed values of one type. If theirs accepts any value of the type and lists
// examples, the examples are only required in a list of ours, not in a plain type.
func (v *visit) enum(t jsonType) {
	var open []string
	for _, value := range v.t.values(t) {
		i := slices.IndexFunc(v.o.enum, value.same)
		switch {
		case i >= 0:
			v.c.addShared(pointers(v.o.enum[i].sites)...)
		case v.t.isOpen(t) && !v.o.lists(t):
			open = append(open, value.text)
		default:
			f := finding{location: v.location, kind: listedValue, name: value.text,
				theirs: value.sites, of: t}
			if !v.o.lists(t) {
				f.detail = "ours lists no values"
			}
			v.lacks(f)
		}
	}
	for _, value := range v.o.values(t) {
		f := finding{location: v.location, kind: listedValue, name: value.text, schema: v.schema}
		v.c.addOurs(f, pointers(value.sites)...)
	}
	if len(open) > 0 {
		v.c.note(v.location,
			fmt.Sprintf("open set of %d values, not demanded: %s", len(open),
				strings.Join(open, ", ")))
	}
}

// Integer formats of less than 64 bits, and integer formats that need 64 bits.
var (
	narrow = []string{"int32", "uint32", "int16", "int8"}
	wide   = []string{"int64", "uint64", "google-int64", "google-uint64"}
)

// formats compares what decides about a number's type in a program: an integer too narrow for
// theirs is drift; a number that travels as a string and that ours does not mark as one is worth a
// note. All other formats (byte, date-time, google-duration) only say how a string is written.
func (v *visit) formats() {
	theirs, ours := v.t.format(integerType, wide), v.o.format(integerType, narrow)
	if theirs != "" && ours != "" && v.o.format(integerType, wide) == "" {
		v.lacks(finding{location: v.location, kind: integerWidth, name: theirs,
			detail: "ours " + ours})
	}
	inString := v.t.format(stringType, wide)
	if inString != "" && v.o.has(stringType) && v.o.format(stringType, wide) == "" {
		v.c.note(v.location,
			fmt.Sprintf("a number in a string (%s), a plain string in ours", inString))
	}
}

// format returns the first wanted format of the shape for a type, or "".
func (s *shape) format(t jsonType, wanted []string) string {
	for _, f := range s.formats[t] {
		if slices.Contains(wanted, f) {
			return f
		}
	}
	return ""
}

// properties compares named members. An object of ours that names none and takes any (additional
// properties true) is meant to be free-form and fits theirs.
func (v *visit) properties() {
	if len(v.o.properties) == 0 && v.c.ours.isFreeMap(v.o) {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(v.t.properties)) {
		at, theirs, ours := v.child(name), v.t.properties[name], v.o.properties[name]
		if ours == nil {
			v.lacks(finding{location: at, kind: namedProperty,
				detail: v.c.theirs.describe(theirs...), theirs: theirs})
			continue
		}
		v.c.addShared(pointers(ours)...)
		v.c.enqueue(at, ours, theirs)
	}
	for name, ours := range v.o.properties {
		f := finding{location: v.child(name), kind: namedProperty, schema: v.schema, ours: ours}
		v.c.addOurs(f, pointers(ours)...)
	}
}

// mapValues compares members of any name. Theirs of any type are admitted by each object.
func (v *visit) mapValues() {
	at := v.child("{*}")
	if len(v.o.mapValues) > 0 && !v.c.ours.isFreeMap(v.o) {
		v.c.addOurs(finding{location: at, kind: mapValues, schema: v.schema}, v.key+" map values")
	}
	if len(v.t.mapValues) == 0 {
		return
	}
	v.c.addShared(v.key + " map values")
	switch {
	case len(v.o.mapValues) > 0:
		v.c.enqueue(at, v.o.mapValues, v.t.mapValues)
	case !v.c.theirs.isFreeMap(v.t):
		v.lacks(finding{location: at, kind: mapValues,
			detail: v.c.theirs.describe(v.t.mapValues...)})
	}
}

// isFreeMap reports whether an object accepts members of any name and type.
func (r *reader) isFreeMap(o *shape) bool { return r.shapeOf(o.mapValues...).any }

func (v *visit) elements() {
	at := v.child("*")
	if len(v.t.elements) == 0 && len(v.o.elements) > 0 {
		v.c.note(at, "elements of any type, narrower in ours")
	}
	v.c.enqueue(at, v.o.elements, v.t.elements)
}

// pairComponents stores that one component of ours corresponds to one schema of theirs.
func (v *visit) pairComponents() {
	if len(v.ours) != 1 || len(v.theirs) != 1 || v.unlike {
		return
	}
	key, name := v.theirs[0].pointer, component(v.ours[0].pointer)
	if _, known := v.c.components[key]; name != "" && !known {
		v.c.components[key] = name
	}
}
