package main

import (
	"fmt"
	"go/ast"
	"strings"
)

// Union is an object that is one of several, told apart by a member, the discriminator.
type Union struct {
	Name string
	// Text is the comment of the description.
	Text string
	// Discriminator is the name of the member.
	Discriminator string
	Variants      []Variant
	// Within is the union that has this one as a variant, nil if none has.
	Within *Union
}

// Variant is a struct, or another union that tells its variants apart by another member.
type Variant struct {
	// Value is the value of the discriminator.
	Value  string
	Name   string
	Struct *Struct
	Union  *Union
}

// typeName is the type of the discriminator's values in Go, and the method that returns it.
func (u *Union) typeName() string { return u.Name + "Type" }

// constant is the value of a variant in Go: RawPart of Part is PartTypeRaw.
func (u *Union) constant(v Variant) string {
	return u.typeName() + strings.TrimSuffix(v.Name, u.Name)
}

func (u *Union) constants() string {
	var names []string
	for _, v := range u.Variants {
		names = append(names, u.constant(v))
	}
	return strings.Join(names, ", ")
}

// union returns a union by its name, nil if there is none. It reaches all that it holds.
func (p *Package) union(name string) (*Union, error) {
	for _, u := range p.Unions {
		if u.Name == name {
			return u, nil
		}
	}
	described := p.description.schema(name)
	if described == nil || described.Discriminator == nil {
		return nil, nil
	}
	u := &Union{Name: name, Text: described.Text, Discriminator: described.Discriminator.PropertyName}
	p.Unions = append(p.Unions, u)
	values, names := described.mapping()
	for i := range values {
		v, err := p.variant(u, values[i], names[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		u.Variants = append(u.Variants, v)
	}
	return u, nil
}

func (p *Package) variant(of *Union, value, name string) (Variant, error) {
	v := Variant{Value: value, Name: name}
	inner, err := p.union(name)
	if inner != nil || err != nil {
		if err == nil {
			inner.Within = of
		}
		v.Union = inner
		return v, err
	}
	if v.Struct = p.structNamed(name); v.Struct == nil {
		v.Struct = &Struct{Package: p, Name: name, Declared: true}
		p.Structs = append(p.Structs, v.Struct)
	}
	return v, v.Struct.reach()
}

// namedMap returns a type that is a map, with values as the description has them.
func (p *Package) namedMap(name string, expr ast.Expr) (*Type, error) {
	t, err := p.typeOf(expr)
	if err != nil {
		return nil, err
	}
	var values schema
	if described := p.description.schema(name); described != nil {
		if err := described.Additional.Decode(&values); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if values.FreeForm && values.Type == "object" {
		t.Elem.Only = onlyObject
	}
	return t, nil
}

// union declares a union and writes its codec.
func (e *emitter) union(u *Union) {
	e.comment(u.Text)
	e.print("type %s interface {", u.Name)
	if u.Within != nil {
		e.print("%s", u.Within.Name)
	}
	e.print("// %s names the variant.\n%[1]s() %[1]s\n}\n", u.typeName())
	e.print("// %s is the value of the member %q of a [%s].\ntype %[1]s string\n", u.typeName(), u.Discriminator, u.Name)
	e.print("// The variants of [%s].\nconst (", u.Name)
	for _, v := range u.Variants {
		e.print("// %s is that of [%s].\n%[1]s %[3]s = %[4]q", u.constant(v), v.Name, u.typeName(), v.Value)
	}
	e.print(")\n")
	e.print("// Valid reports whether t is one of the variants.\nfunc (t %s) Valid() bool {\nswitch t {\ncase %s:", u.typeName(), u.constants())
	e.print("return true\ndefault:\nreturn false\n}\n}\n")
	for _, v := range u.Variants {
		for _, s := range v.structs() {
			e.print("// %s returns [%s].\nfunc (%s) %[1]s() %[1]s { return %[2]s }\n", u.typeName(), u.constant(v), s.Name)
		}
	}
	e.unionEncoder(u)
	e.unionDecoder(u)
}

// structs returns those of all variants.
func (u *Union) structs() []*Struct {
	var out []*Struct
	for _, v := range u.Variants {
		out = append(out, v.structs()...)
	}
	return out
}

// structs returns those that a variant stands for.
func (v Variant) structs() []*Struct {
	if v.Union != nil {
		return v.Union.structs()
	}
	return []*Struct{v.Struct}
}

func (e *emitter) unionEncoder(u *Union) {
	e.print("// Encode%s appends v to dst; see [plainjson.Encoder].", u.Name)
	e.print("func Encode%s(e *plainjson.Encoder, dst []byte, v %[1]s) []byte {\nswitch v := v.(type) {", u.Name)
	for _, s := range u.structs() {
		e.print("case %s:\nreturn v.%s(e, dst)", s.Name, encodeName(s))
	}
	e.print("default:\nreturn e.Fail(dst, plainjson.VariantUnknown)\n}\n}\n")
}

func (e *emitter) unionDecoder(u *Union) {
	e.print("// Decode%s reads a %[1]s, nil if there is none; see [plainjson.Decoder].", u.Name)
	e.print("func Decode%s(d *plainjson.Decoder) %[1]s {\nswitch string(d.Variant(%q)) {", u.Name, u.Discriminator)
	for _, v := range u.Variants {
		e.print("case %q:", v.Value)
		if v.Union != nil {
			e.print("return Decode%s(d)", v.Union.Name)
		} else {
			e.print("var v %s\nv.%s(d)\nreturn v", v.Name, decodeName(v.Struct))
		}
	}
	e.print("default:\nd.UnknownVariant(%q)\nreturn nil\n}\n}\n", u.Discriminator)
}

// declare writes a struct that the source does not have.
func (e *emitter) declare(s *Struct) {
	e.comment(s.Name + ": " + e.p.description.schema(s.Name).Text)
	e.print("type %s struct{}\n", s.Name)
}

// comment prints a text in lines.
func (e *emitter) comment(text string) {
	line := "//"
	for word := range strings.FieldsSeq(text) {
		if len(line)+len(word) > 100 {
			e.print("%s", line)
			line = "//"
		}
		line += " " + word
	}
	e.print("%s", line)
}
