package main

import (
	"fmt"
	"strings"
)

// describe completes a struct of a described package.
func (s *Struct) describe(described *schema) error {
	properties, err := described.properties()
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	s.Described, s.Since, s.Closed = true, described.Since, described.closed()
	for i := range properties {
		p := &properties[i]
		f := Field{JSONName: p.name, Constant: p.constant()}
		if f.Constant == "" {
			if f, err = s.field(p); err != nil {
				return fmt.Errorf("%s.%s: %w", s.Name, p.name, err)
			}
			s.Fields = append(s.Fields, f)
		}
		f.Required, f.Since = described.requires(p), p.Since
		s.Members = append(s.Members, f)
	}
	if len(s.Members) > 64 {
		return fmt.Errorf("%s has more members than a word has bits", s.Name)
	}
	if s.Closed {
		return nil
	}
	return s.check()
}

// field returns the field of a property, with the description's facts about its values.
func (s *Struct) field(p *property) (Field, error) {
	for _, raw := range s.raw {
		name, _, _ := strings.Cut(raw.tag, ",")
		if name != p.name {
			continue
		}
		f, err := s.Package.field(raw)
		if err != nil {
			return f, err
		}
		switch {
		case p.FreeForm && p.Type == "object":
			f.Type.Only = onlyObject
		case p.FreeForm && !p.Nullable:
			f.Type.Only = onlyNonNull
		case f.Type.Kind == KindEnum && s.Closed:
			f.Type.Only = onlyKnown
			f.Type.Enum.Since = s.Package.description.schema(f.Type.Enum.Name).EnumSince
		}
		if held := f.Type.held(); held != nil {
			return f, held.reach()
		}
		return f, nil
	}
	return Field{}, fmt.Errorf("no field")
}

// allDescribed reports whether all objects of the package are described.
func (p *Package) allDescribed() bool {
	for _, s := range p.Structs {
		if s.Reached && !s.Described {
			return false
		}
	}
	return true
}
