package main

import (
	"fmt"
	"go/ast"
	"strings"
)

// Union is an object that is one of several variants. A member, the discriminator, selects the
// variant.
type Union struct {
	Name string
	// Text is the comment in the description.
	Text string
	// Discriminator is the name of the member.
	Discriminator string
	Variants      []Variant
	// Within is the union that has this union as a variant, or nil.
	Within *Union
}

// Variant is a struct, or another union whose discriminator is another member.
type Variant struct {
	// Value is the value of the discriminator.
	Value  string
	Name   string
	Struct *Struct
	Union  *Union
}

// TypeName is the Go type of the discriminator's values, and the name of the method that returns
// it.
func (u *Union) TypeName() string { return u.Name + "Type" }

// Constant is the Go value of a variant: for RawPart of Part it is PartTypeRaw.
func (u *Union) Constant(v Variant) string {
	return u.TypeName() + strings.TrimSuffix(v.Name, u.Name)
}

// union returns a union by its name, or nil. It also visits all types in the union.
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
	u := &Union{Name: name, Text: described.Text,
		Discriminator: described.Discriminator.PropertyName}
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

// namedMap returns a type that is a map. Its values are as in the description.
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

// Structs returns the structs of all variants.
func (u *Union) Structs() []*Struct {
	var out []*Struct
	for _, v := range u.Variants {
		out = append(out, v.Structs()...)
	}
	return out
}

// Structs returns the structs of a variant.
func (v Variant) Structs() []*Struct {
	if v.Union != nil {
		return v.Union.Structs()
	}
	return []*Struct{v.Struct}
}
