package main

import (
	"fmt"
	"strings"
)

// Member is a member of an object of a described package.
type Member struct {
	Name string
	// Constant is the only value, "" for a member that is a field.
	Constant string
	// Required is set when the member must be there, and not be null.
	Required bool
	// Since is the version that has the member first, "" for all.
	Since string
	Field Field
}

// describe completes a struct of a described package.
func (s *Struct) describe(described *schema) error {
	properties, err := described.properties()
	if err != nil {
		return fmt.Errorf("%s: %w", s.Name, err)
	}
	s.Since, s.Closed, s.Members = described.Since, described.closed(), []Member{}
	for i := range properties {
		p := &properties[i]
		m := Member{Name: p.name, Constant: p.constant(), Required: described.requires(p), Since: p.Since}
		if m.Constant == "" {
			if m.Field, err = s.field(p); err != nil {
				return fmt.Errorf("%s.%s: %w", s.Name, p.name, err)
			}
			s.Fields = append(s.Fields, m.Field)
		}
		s.Members = append(s.Members, m)
	}
	if len(s.Members) > 64 {
		return fmt.Errorf("%s has more members than a word has bits", s.Name)
	}
	if s.Closed {
		return nil
	}
	return s.check()
}

// field returns the field of a property, with what the description says of its values.
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

// allDescribed reports whether the package has no other objects.
func (p *Package) allDescribed() bool {
	for _, s := range p.Structs {
		if s.Reached && s.Members == nil {
			return false
		}
	}
	return true
}

// described writes the methods of a struct of a described package.
func (e *emitter) described(s *Struct) {
	if s.Declared {
		e.comment(s.Name + ": " + e.p.description.schema(s.Name).Text)
		e.print("type %s struct{}\n", s.Name)
	}
	e.print(`// MarshalJSON returns v as JSON, for encoding/json and its like.
func (v %s) MarshalJSON() ([]byte, error) { return plainjson.Marshal(v.%[2]s(), v.%[3]s) }

// MarshalJSONTo writes what MarshalJSON returns.
func (v %[1]s) MarshalJSONTo(enc *jsontext.Encoder) error { return plainjson.MarshalTo(enc, v.%[2]s(), v.%[3]s) }

// UnmarshalJSON replaces v by what data says.
func (v *%[1]s) UnmarshalJSON(data []byte) error {
	*v = %[1]s{}
	return plainjson.Unmarshal(data, v.%[4]s, func() { *v = %[1]s{} })
}

// UnmarshalJSONFrom reads the next value like UnmarshalJSON.
func (v *%[1]s) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return plainjson.UnmarshalFrom(dec, v.UnmarshalJSON) }
`, s.Name, sizeName(s), encodeName(s), decodeName(s))
	e.isEmpty(s)
	e.memberNames(s)
	e.describedEncoder(s)
	e.size(s)
	e.describedDecoder(s)
}

func (e *emitter) memberNames(s *Struct) {
	var names []string
	for _, m := range s.Members {
		names = append(names, fmt.Sprintf("%q", m.Name))
	}
	e.print("// known%s is never written to.\nvar known%[1]s = []string{%s}\n", s.Name, strings.Join(names, ", "))
}

func (e *emitter) describedEncoder(s *Struct) {
	e.print("func (v *%s) %s(e *plainjson.Encoder, dst []byte) []byte {", s.Name, encodeName(s))
	if s.Recursive {
		e.print("if !e.Enter() {\nreturn e.Fail(dst, plainjson.TooDeep)\n}\ndefer e.Leave()")
	}
	e.print("begin := len(dst)")
	e.since(s.Since)
	for _, m := range s.Members {
		if m.Constant != "" {
			e.print("dst = append(dst, `,%q:%q`...)", m.Name, m.Constant)
		} else {
			e.describedMember(m)
		}
	}
	if s.Closed {
		e.print("return e.EndObject(dst, begin, nil, nil)\n}\n")
	} else {
		e.print("return e.EndObject(dst, begin, v.%s, known%s)\n}\n", unknownName, s.Name)
	}
}

// closedMember appends a member that is a field.
func (e *emitter) describedMember(m Member) {
	condition, _ := isSet(m.Field)
	if m.Field.OmitZero {
		e.print("if %s {", condition)
	}
	e.print("dst = append(dst, `,%q:`...)", m.Name)
	e.since(m.Since)
	if expr := "v." + m.Field.Name; m.Field.Type.Only == onlyKnown {
		for _, value := range m.Field.Type.Enum.Values {
			if since := m.Field.Type.Enum.Since[value.Value]; since != "" {
				e.print("if %s == %s {", expr, value.Name)
				e.since(since)
				e.print("}")
			}
		}
		e.print("dst = e.Enum(dst, string(%s), %[1]s.Valid())", expr)
	} else {
		e.encode(m.Field.Type, expr, 0)
	}
	if m.Field.OmitZero {
		e.print("}")
	}
}

func (e *emitter) since(version string) {
	if version != "" {
		e.print("e.Since(dst, %q)", version)
	}
}

func (e *emitter) describedDecoder(s *Struct) {
	e.print("func (v *%s) %s(d *plainjson.Decoder) {\nvar seen uint64", s.Name, decodeName(s))
	if s.Closed {
		e.print("unexpected := 0")
	}
	e.print("for name := d.BeginObject(); name != nil; name = d.NextMember() {\nswitch string(name) {")
	var required []string
	for i, m := range s.Members {
		bit := fmt.Sprintf("1<<%d", i)
		if m.Required {
			required = append(required, bit)
		}
		e.print("case %q:\nseen = d.Once(seen, %s)", m.Name, bit)
		if m.Constant != "" {
			e.print("d.Constant(%q)", m.Constant)
		} else {
			e.describedAssign(s, m)
		}
	}
	if !s.Closed {
		e.print("default:\nv.%s = d.Unknown(v.%[1]s, name, known%[2]s)\n}\n}\nd.EndUnknown(v.%[1]s)\n}\n", unknownName, s.Name)
		return
	}
	e.print("default:\nunexpected = d.Unexpected(unexpected)\n}\n}")
	if required == nil {
		required = []string{"0"}
	}
	e.print("d.EndClosed(seen, %s, known%s, unexpected)\n}\n", strings.Join(required, "|"), s.Name)
}

// closedAssign reads a member that is a field. Null is an absent member, and so is an empty text of a type
// that has none. An empty list that must be there is nil.
func (e *emitter) describedAssign(s *Struct, m Member) {
	target, t := "v."+m.Field.Name, m.Field.Type
	guard := ""
	switch {
	case m.Required && s.Closed:
		if t.Kind == KindList || t.Kind == KindMap || t.Kind == KindPointer {
			e.print("d.NonNull()")
		}
	case t.Kind == KindEnum || t.Kind == KindTime:
		guard = "!d.Null() && !d.Empty()"
	case t.Kind == KindString || t.Kind == KindBool || t.Kind == KindValue || t.Kind == KindStruct || t.Kind == KindUnion:
		guard = "!d.Null()"
	}
	if guard != "" {
		e.print("if %s {", guard)
	}
	e.assign(t, target)
	if guard != "" {
		e.print("}")
	}
	if m.Required && s.Closed && t.Kind == KindList {
		e.print("if len(%s) == 0 {\n%[1]s = nil\n}", target)
	}
}
