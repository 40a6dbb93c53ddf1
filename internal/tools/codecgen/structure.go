package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// walker writes the structural checks of one package.
type walker struct {
	*emitter
	// structs and enums are in the order in which they are met.
	structs []*Struct
	enums   []*Enum
}

// emitStructure returns the source of the structural checks of the roots, which are types of other packages.
func emitStructure(p *Package, roots []string) ([]byte, error) {
	w := walker{emitter: &emitter{p: p}}
	for _, name := range roots {
		s := p.findStruct(name)
		if s == nil {
			return nil, fmt.Errorf("no struct %s", name)
		}
		w.meet(s)
	}
	for i := 0; i < len(w.structs); i++ { // more are met on the way
		if err := w.walk(w.structs[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", w.structs[i].Name, err)
		}
	}
	for _, enum := range w.enums {
		w.values(enum)
	}
	return w.source()
}

func walkFunc(s *Struct) string { return "walk" + s.Name }

// walk writes the check of a struct: the rules of the package first, then its own members, then what they
// hold.
func (w *walker) walk(s *Struct) error {
	properties, err := s.walkedProperties()
	if err != nil {
		return err
	}
	w.print("// %s checks m, which is at a location, and all that it holds.", walkFunc(s))
	w.print("func (v *checker) %s(at *wire.Location, m *%s) {", walkFunc(s), (&Type{Kind: KindStruct, Struct: s}).goName(w.p))
	if s.Recursive {
		w.print("if !v.enter(at) {\nreturn\n}\ndefer v.leave()")
	}
	if w.p.methods["checker.skips"+s.Name] {
		w.print("if v.skips%s() {\nreturn\n}", s.Name)
	}
	if w.p.methods["checker.check"+s.Name] {
		w.print("v.check%s(at, m)", s.Name)
	}
	for _, p := range properties {
		if p.Only != "" {
			w.print("if %s {\nv.only(at, %q, %s)\n}", present(p.field), p.name, p.Only)
		}
	}
	w.print("v.unknown(at, %q, m.%s)", s.Name, unknownName)
	for _, p := range properties {
		w.member(p)
	}
	w.print("}\n")
	return nil
}

// walked is a property with its field.
type walked struct {
	property
	field Field
}

// walkedProperties returns the properties of a struct in the order of the description.
func (s *Struct) walkedProperties() ([]walked, error) {
	described := s.Package.description.ofType(s.Name)
	if described == nil {
		return nil, errors.New("it is not described")
	}
	properties, err := described.properties()
	if err != nil {
		return nil, err
	}
	out := make([]walked, len(properties))
	for i, p := range properties {
		at := slices.IndexFunc(s.Fields, func(f Field) bool { return f.JSONName == p.name })
		if at < 0 {
			return nil, fmt.Errorf("no field for %s", p.name)
		}
		if (p.Minimum == "") != (p.Maximum == "") {
			return nil, fmt.Errorf("%s has one bound alone", p.name)
		}
		out[i] = walked{p, s.Fields[at]}
	}
	return out, nil
}

// present returns the condition for a member to be there.
func present(f Field) string {
	if f.Type.Kind == KindValue {
		return "len(m." + f.Name + ") > 0"
	}
	return "m." + f.Name + " != nil"
}

// member writes the check of a member's value.
func (w *walker) member(p walked) {
	t, expr := p.field.Type, "m."+p.field.Name
	if held := t.held(); held != nil {
		w.meet(held)
	}
	if enum := t.enum(); enum != nil {
		w.meetEnum(enum)
	}
	switch {
	case t.Kind == KindPointer && t.Elem.Kind == KindStruct:
		w.print("if %s != nil {\nin := at.Member(%q)\nv.%s(&in, %[1]s)\n}", expr, p.name, walkFunc(t.Elem.Struct))
	case t.Kind == KindList && t.Elem.Kind == KindStruct:
		w.print("if len(%s) > 0 {\nlist := at.Member(%q)\nin := list.Element(0)\nfor i := range %[1]s {", expr, p.name)
		w.print("in.Index = i\nv.%s(&in, &%s[i])\n}\n}", walkFunc(t.Elem.Struct), expr)
	case t.Kind == KindMap && t.Elem.Kind == KindStruct:
		w.print("if len(%s) > 0 {\nall := at.Member(%q)\nin := all.Member(\"\")\nbefore := len(v.problems)", expr, p.name)
		// Declared before the loop, the value stays on the stack, although the walk may come back here.
		w.print("var value %s\nfor in.Name, value = range %s {\nv.%s(&in, &value)\n}\nv.sort(before)\n}", t.Elem.goName(w.p), expr, walkFunc(t.Elem.Struct))
	default:
		w.scalar(p, expr)
	}
}

// scalar writes the check of a value that holds no messages.
func (w *walker) scalar(p walked, expr string) {
	switch t := p.field.Type; {
	case t.enum() != nil:
		function := map[Kind]string{KindPointer: "checkEnum", KindList: "checkEnums"}[t.Kind]
		w.print("%s(v, at, %q, %s, valuesOf%s)", function, p.name, expr, t.Elem.Enum.Name)
	case t.Kind == KindValue && p.Type == "object":
		w.print("v.object(at, %q, %s)", p.name, expr)
	case p.Format == "google-duration":
		w.print("v.duration(at, %q, %s)", p.name, expr)
	case p.Format == "google-datetime":
		w.print("v.timestamp(at, %q, %s)", p.name, expr)
	case p.Minimum != "" && p.ExclusiveMinimum:
		w.print("checkAbove(v, at, %q, %s, %s, %s)", p.name, expr, p.Minimum, p.Maximum)
	case p.Minimum != "":
		w.print("checkRange(v, at, %q, %s, %s, %s)", p.name, expr, p.Minimum, p.Maximum)
	case p.MaxItems != "":
		w.print("v.atMost(at, %q, len(%s), %s)", p.name, expr, p.MaxItems)
	}
}

// enum returns the enum that a type, or what it holds, is, nil if it is none.
func (t *Type) enum() *Enum {
	for t.Elem != nil {
		t = t.Elem
	}
	return t.Enum
}

func (w *walker) meet(s *Struct) {
	if !slices.Contains(w.structs, s) {
		w.structs = append(w.structs, s)
	}
}

func (w *walker) meetEnum(e *Enum) {
	if !slices.Contains(w.enums, e) {
		w.enums = append(w.enums, e)
	}
}

// values writes the list of the values that a request may hold.
func (w *walker) values(e *Enum) {
	described := e.Package.description.ofType(e.Name)
	var names []string
	for _, value := range e.Values {
		isNone := strings.HasSuffix(strings.ToUpper(value.Value), "UNSPECIFIED")
		if !isNone && !slices.Contains(described.EnumRefused, value.Value) {
			names = append(names, value.Value)
		}
	}
	w.print("const valuesOf%s = %q\n", e.Name, strings.Join(names, ", "))
}
