package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// checker writes the quick checks of one package.
type checker struct {
	*emitter
	// structs are the structs with a check, in the order in which they are found.
	structs []*Struct
}

// emitCheck returns the source of the quick checks of the roots, which may be types of other
// packages.
func emitCheck(p *Package, roots []string) ([]byte, error) {
	c := checker{emitter: &emitter{p: p}}
	if err := c.each(roots, c.function); err != nil {
		return nil, err
	}
	return c.source()
}

// each writes the functions of the roots, and of the structs that are found on the way.
func (c *checker) each(roots []string, function func(*Struct) error) error {
	for _, name := range roots {
		s := c.p.findStruct(name)
		if s == nil {
			return fmt.Errorf("no struct %s", name)
		}
		c.meet(s)
	}
	for i := 0; i < len(c.structs); i++ {
		if err := function(c.structs[i]); err != nil {
			return err
		}
	}
	return nil
}

// findStruct returns the struct with a name, which may have a package in front. It returns nil for
// an unknown name.
func (p *Package) findStruct(name string) *Struct {
	of, local, foreign := strings.Cut(name, ".")
	if !foreign {
		return p.structNamed(name)
	}
	for _, other := range p.others {
		if other.Name == of {
			return other.structNamed(local)
		}
	}
	return nil
}

func (c *checker) function(s *Struct) error {
	name := s.goName(c.p)
	c.print("// %s reports whether v, with all that it holds, fulfils the tags and the rules.",
		checkFunc(s))
	c.print("func %s(v *%s) bool {", checkFunc(s), name)
	for _, field := range s.raw {
		if err := c.field(s, field); err != nil {
			return fmt.Errorf("%s.%s: %w", s.Name, field.name, err)
		}
	}
	if rule := c.p.rules[name]; rule != "" {
		c.print("return len(%s(v)) == 0\n}\n", rule)
	} else {
		c.print("return true\n}\n")
	}
	return nil
}

func checkFunc(s *Struct) string { return "isValid" + s.Name }

func (c *checker) field(s *Struct, field rawField) error {
	if field.validate == "-" {
		return nil
	}
	name := cmp.Or(field.name, field.embedded)
	if name == "" {
		return errors.New("the field must have one name")
	}
	t, err := s.Package.typeOf(field.expr)
	if err != nil {
		return err
	}
	var tags []string
	if field.validate != "" {
		tags = strings.Split(field.validate, ",")
	}
	return c.value(t, "v."+name, tags, 0)
}

// value writes the checks of an expression by its tags. Level makes the variables of nested loops
// different.
func (c *checker) value(t *Type, expr string, tags []string, level int) error {
	if t.Kind == KindPointer {
		return c.pointer(t, expr, tags, level)
	}
	for i, tag := range tags {
		if tag == "dive" {
			return c.elements(t, expr, tags[i+1:], level)
		}
		if err := c.tag(t, expr, tag); err != nil {
			return err
		}
	}
	if t.Kind == KindStruct && c.hasCheck(t.Struct, map[*Struct]bool{}) {
		c.refuse("!%s(&%s)", checkFunc(t.Struct), expr)
		c.meet(t.Struct)
	}
	return nil
}

// pointer checks the target of a pointer, unless the pointer is nil. Only some tags do not allow
// nil.
func (c *checker) pointer(t *Type, expr string, tags []string, level int) error {
	for len(tags) > 0 && strings.HasPrefix(tags[0], "required") {
		if err := c.tag(t, expr, tags[0]); err != nil {
			return err
		}
		tags = tags[1:]
	}
	if len(tags) > 0 && tags[0] != "omitnil" {
		return fmt.Errorf("the tag %q on a pointer without omitnil", tags[0])
	}
	if t.Elem.Kind == KindStruct && len(tags) == 0 {
		if c.hasCheck(t.Elem.Struct, map[*Struct]bool{}) {
			c.refuse("%s != nil && !%s(%[1]s)", expr, checkFunc(t.Elem.Struct))
			c.meet(t.Elem.Struct)
		}
		return nil
	}
	if len(tags) < 2 {
		return nil
	}
	c.print("if %s != nil {", expr)
	err := c.value(t.Elem, "*"+expr, tags[1:], level)
	c.print("}")
	return err
}

func (c *checker) elements(t *Type, expr string, tags []string, level int) error {
	if t.Kind != KindList && t.Kind != KindNullableList {
		return errors.New("dive needs a list")
	}
	i := fmt.Sprintf("i%d", level)
	begin := c.body.Len()
	c.print("for %s := range %s {", i, expr)
	empty := c.body.Len()
	if err := c.value(t.Elem, expr+"["+i+"]", tags, level+1); err != nil {
		return err
	}
	if c.body.Len() == empty {
		c.body.Truncate(begin) // nothing to check
		return nil
	}
	c.print("}")
	return nil
}

// tag writes the check of one tag of a value.
func (c *checker) tag(t *Type, expr, tag string) error {
	name, parameter, _ := strings.Cut(tag, "=")
	isText := t.Kind == KindString || t.Kind == KindEnum
	isWhole := t.Kind == KindInt || t.Kind == KindInt64
	switch {
	case name == "required" && unset(t, expr) != "":
		c.refuse("%s", unset(t, expr))
	case name == "required_if" && unset(t, expr) != "" && len(strings.Fields(parameter)) == 2:
		other := strings.Fields(parameter)
		c.refuse("v.%s == %q && %s", other[0], other[1], unset(t, expr))
	case name == "eq" && isText:
		c.refuse("%s != %q", expr, parameter)
	case name == "oneof" && isText:
		var choices []string
		for _, choice := range strings.Fields(parameter) {
			choices = append(choices, fmt.Sprintf("%q", choice))
		}
		c.print("switch %s {\ncase %s:\ndefault:\nreturn false\n}", expr,
			strings.Join(choices, ", "))
	case broken[name] != "" && isWhole:
		c.refuse("%s %s %s", expr, broken[name], parameter)
	case name == "gtefield" && isWhole:
		c.refuse("%s < v.%s", expr, parameter)
	case name == "json" && isText:
		c.refuse("!jsontext.Value(%s).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))",
			expr)
	default:
		return fmt.Errorf("no quick check for the tag %q", tag)
	}
	return nil
}

// broken is a condition under which a number breaks a tag.
var broken = map[string]string{"gte": "<", "lte": ">", "gt": "<=", "lt": ">="}

// unset returns the condition under which package validator reports a missing required value. It
// returns "" if the condition is not known.
func unset(t *Type, expr string) string {
	if t.Kind == KindMediaURL {
		return expr + ".IsZero()"
	}
	if zero := zeros[t.Kind]; zero != "" {
		return expr + " == " + zero
	}
	return ""
}

// refuse writes that the check fails if a condition is true.
func (c *checker) refuse(format string, args ...any) {
	c.print("if "+format+" {\nreturn false\n}", args...)
}

// meet makes sure that a struct gets a check.
func (c *checker) meet(s *Struct) {
	if !slices.Contains(c.structs, s) {
		c.structs = append(c.structs, s)
	}
}

// hasCheck reports whether a struct, or a value in it, has a tag or a rule. Containing itself alone
// does not count.
func (c *checker) hasCheck(s *Struct, seen map[*Struct]bool) bool {
	if seen[s] {
		return false
	}
	seen[s] = true
	if c.p.rules[s.goName(c.p)] != "" {
		return true
	}
	for _, field := range s.raw {
		if field.validate == "-" {
			continue
		}
		if field.validate != "" && field.validate != "dive" {
			return true
		}
		t, err := s.Package.typeOf(field.expr)
		if err != nil {
			return true // for the error to be met again
		}
		held := t.held()
		within := t.Kind == KindStruct || t.Kind == KindPointer || field.validate == "dive"
		if held != nil && within && c.hasCheck(held, seen) {
			return true
		}
	}
	return false
}
