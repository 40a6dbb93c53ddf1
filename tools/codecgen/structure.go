package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// walker writes the structural checks of one package.
type walker struct {
	checker
	// enums are in the order in which they are found.
	enums []*Enum
}

// emitStructure returns the source of the structural checks of the roots, which are types of other
// packages.
func emitStructure(p *Package, roots []string) ([]byte, error) {
	w := walker{checker: checker{emitter: &emitter{p: p}}}
	if err := w.each(roots, w.walk); err != nil {
		return nil, err
	}
	for _, enum := range w.enums {
		w.values(enum)
	}
	return w.source()
}

func walkFunc(s *Struct) string { return "walk" + s.Name }

// walk writes the check of a struct: first the rules of the package, then the struct's own members,
// and then the values in them.
func (w *walker) walk(s *Struct) error {
	properties, err := s.walkedProperties()
	if err != nil {
		return err
	}
	w.print("// %s checks m, which is at a location, and all that it holds.", walkFunc(s))
	w.print("func (v *checker) %s(at *codec.Location, m *%s) {", walkFunc(s), s.goName(w.p))
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
	if w.p.methods["checker.unknown"] {
		w.print("v.unknown(at, %q, m.%s)", s.Name, unknownName)
	}
	for _, p := range properties {
		if p.selector != nil {
			w.print("if m.%s == %q {", p.selector.Name, p.name)
		}
		w.member(p)
		if p.selector != nil {
			w.print("}")
		}
	}
	w.print("}\n")
	return nil
}

// walked is a property with its field.
type walked struct {
	property
	field Field
	// required is set if the member must be present.
	required bool
	// selector is the field that must contain the property's name. Otherwise the property is not
	// read. It is nil for a property that is always read.
	selector *Field
}

// walkedProperties returns the checked properties of a struct, in the order of the description.
func (s *Struct) walkedProperties() ([]walked, error) {
	described := s.Package.description.ofType(s.Name)
	if described == nil {
		return nil, fmt.Errorf("%s is not described", s.Name)
	}
	properties, err := described.properties()
	if err != nil {
		return nil, err
	}
	var out []walked
	selector := s.fieldOf(described.SelectedBy)
	for _, p := range properties {
		field := s.fieldOf(p.name)
		switch {
		case p.AsIs:
			continue
		case field == nil:
			return nil, fmt.Errorf("%s: no field for %s", s.Name, p.name)
		case (p.Minimum == "") != (p.Maximum == ""):
			return nil, fmt.Errorf("%s: %s has only one of minimum and maximum", s.Name, p.name)
		}
		next := walked{property: p, field: *field, required: described.requires(&p)}
		if selector != nil && selector.Type.Enum.has(p.name) {
			next.selector, next.required = selector, true
		}
		out = append(out, next)
	}
	return out, nil
}

// fieldOf returns the field of a member, or nil.
func (s *Struct) fieldOf(member string) *Field {
	i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.JSONName == member })
	if i < 0 {
		return nil
	}
	return &s.Fields[i]
}

func (e *Enum) has(value string) bool {
	return slices.ContainsFunc(e.Values, func(v EnumValue) bool { return v.Value == value })
}

// present returns the condition that a member is present.
func present(f Field) string {
	if f.Type.Kind == KindValue {
		return "len(m." + f.Name + ") > 0"
	}
	condition, _ := isSet(f.Type, "m."+f.Name)
	return condition
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
	if p.mustBeThere() {
		w.print("v.require(at, %q, %s)", p.name, present(p.field))
	}
	if t.Kind == KindList && p.MaxItems != "" {
		w.print("if %s {\nv.length(at, %q, len(%s), %s, %s)\n}", present(p.field), p.name, expr,
			cmp.Or(p.MinItems, "0"), p.MaxItems)
	}
	switch {
	case t.Kind == KindStringOr && t.Elem.Kind == KindStruct:
		w.print("if other, ok := %s.AsValue(); ok {\nin := at.Member(%q)\nv.%s(&in, &other)\n}",
			expr, p.name, walkFunc(t.Elem.Struct))
	case t.Kind == KindPointer && t.Elem.Kind == KindStruct:
		w.print("if %s != nil {\nin := at.Member(%q)\nv.%s(&in, %[1]s)\n}", expr, p.name,
			walkFunc(t.Elem.Struct))
	case t.Kind == KindList && t.Elem.Kind == KindStruct:
		w.print("if len(%s) > 0 {\nlist := at.Member(%q)\nin := list.Element(0)\nfor i := range %[1]s {",
			expr, p.name)
		w.print("in.Index = i\nv.%s(&in, &%s[i])\n}\n}", walkFunc(t.Elem.Struct), expr)
	case t.Kind == KindMap && t.Elem.Kind == KindStruct:
		w.print("if len(%s) > 0 {\nall := at.Member(%q)\nin := all.Member(\"\")\nbefore := len(v.problems)",
			expr, p.name)
		// It is declared before the loop, so that the value stays on the stack. The walk may come
		// back here.
		w.print("var value %s\nfor in.Name, value = range %s {\nv.%s(&in, &value)\n}\nv.sort(before)\n}",
			t.Elem.goName(w.p), expr, walkFunc(t.Elem.Struct))
	default:
		w.scalar(p, expr)
	}
}

// mustBeThere reports whether a member is required. In Go, an absent text and an empty text are the
// same value; minLength forbids both.
func (p *walked) mustBeThere() bool {
	switch p.field.Type.Kind {
	case KindString:
		return p.MinLength != ""
	case KindEnum:
		return false // absent, it is none of the values
	default:
		return p.required
	}
}

// scalar writes the check of a value without messages in it.
func (w *walker) scalar(p walked, expr string) {
	switch t := p.field.Type; {
	case t.enum() != nil:
		function := map[Kind]string{KindEnum: "checkEnum", KindPointer: "checkEnum",
			KindList: "checkEnums"}[t.Kind]
		if t.Kind == KindEnum {
			expr = "&" + expr
		}
		w.print("%s(v, at, %q, %s, valuesOf%s)", function, p.name, expr, t.enum().Name)
	case t.Kind == KindValue && p.Type == "object":
		w.print("v.object(at, %q, %s)", p.name, expr)
	case p.Format == "google-duration":
		w.print("v.duration(at, %q, %s)", p.name, expr)
	case p.Format == "google-datetime":
		w.print("v.timestamp(at, %q, %s)", p.name, expr)
	case p.Minimum != "" && p.ExclusiveMinimum:
		w.print("checkAbove(v, at, %q, %s, bounds{%s, %s})", p.name, expr, p.Minimum, p.Maximum)
	case p.Minimum != "":
		w.print("checkRange(v, at, %q, %s, bounds{%s, %s})", p.name, expr, p.Minimum, p.Maximum)
	case p.MaxLength != "":
		w.print("v.maxLength(at, %q, %s, %s)", p.name, expr, p.MaxLength)
	}
}

// enum returns the enum of a type or of its elements, or nil.
func (t *Type) enum() *Enum { return t.innermost().Enum }

func (w *walker) meetEnum(e *Enum) {
	if !slices.Contains(w.enums, e) {
		w.enums = append(w.enums, e)
	}
}

// values writes the list of values that a request may contain.
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
