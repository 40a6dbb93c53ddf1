package main

import (
	"fmt"
	"slices"
	"strings"
)

// forms writes functions that list the forms of JSON that is not plain, for UnmarshalJSON. One form
// is a list in a payload. They refer to types with all their methods. So each payload has its own
// function, which runs when it is needed. A program that uses some of the package's types then
// links nothing of the others.
func (e *emitter) forms() {
	e.print("// otherForms are made by the first payload that is not plain.")
	e.print("type otherForms struct {\nonce sync.Once\nforms *jsonx.Forms\n}\n")
	e.print("// Unmarshal reads data into v in any of the forms that make names.")
	e.print("func (f *otherForms) Unmarshal(data []byte, v any, clear func(), make func() *jsonx.Forms) error {")
	e.print("f.once.Do(func() { f.forms = make() })")
	e.print("return f.forms.Unmarshal(data, v, clear)\n}\n")
	written := map[string]bool{}
	for _, s := range e.p.Structs {
		if !s.Reached {
			continue
		}
		payload := e.p.smallestPayload(s)
		s.Payload = payload.Name
		if !written[s.Payload] {
			written[s.Payload] = true
			e.formsOf(payload)
		}
	}
}

// formsOf writes the forms of a payload's types.
func (e *emitter) formsOf(payload *Struct) {
	held := payload.held()
	e.print("var formsOf%s otherForms\n", payload.Name)
	e.print("func makeFormsOf%s() *jsonx.Forms {", payload.Name)
	if e.p.ProtoJSON {
		e.print("return jsonx.ProtoJSON(%s,", e.nullValue())
	} else {
		e.print("return jsonx.OtherForms(")
	}
	for _, elem := range e.listed(held) {
		e.print("jsonx.Lone[%s](%s),", elem.goName(e.p), strings.Join(loneKinds(elem), ", "))
	}
	for _, s := range e.p.Structs {
		if !held[s] {
			continue
		}
		for _, f := range s.Fields {
			switch f.Forms {
			case formAlone:
				e.print("jsonx.Alone(func(v *%s) *%s { return &v.%s }),", s.Name,
					f.Type.goName(e.p), f.Name)
			case formObject:
				e.print("json.UnmarshalFromFunc(%s),", e.textReader(s, f))
			}
		}
	}
	e.print(")\n}\n")
}

// smallestPayload returns the smallest payload that contains a struct. It returns the struct itself
// if no payload contains it.
func (p *Package) smallestPayload(s *Struct) *Struct {
	smallest, size := s, 0
	for _, root := range p.Structs {
		held := root.held()
		if root.Root && held[s] && (size == 0 || len(held) < size) {
			smallest, size = root, len(held)
		}
	}
	return smallest
}

// held returns a struct and all structs in it.
func (s *Struct) held() map[*Struct]bool {
	held := map[*Struct]bool{}
	var add func(*Struct)
	add = func(s *Struct) {
		if held[s] {
			return
		}
		held[s] = true
		for _, f := range s.Fields {
			for t := f.Type; t != nil; t = t.Elem {
				if t.Struct != nil {
					add(t.Struct)
				}
			}
		}
	}
	add(s)
	return held
}

// textReader writes the function that reads a struct whose text may also be an object.
func (e *emitter) textReader(s *Struct, text Field) (name string) {
	name = "read" + s.Name
	e.helpers[name] = e.printed(func(e *emitter) {
		e.print("// %s reads %s also as an object, of which it keeps the text.", name, text.Name)
		e.print("func %s(dec *jsontext.Decoder, v *%s) error {\nvar other struct {", name, s.Name)
		values := []string{"other." + unknownName}
		for _, f := range s.Fields {
			typ, value := f.Type.goName(e.p), "other."+f.Name
			if f.Name == text.Name {
				typ, value = "jsonx.TextOfJSON", "string("+value+")"
			}
			e.print("%s %s `json:\"%s\"`", f.Name, typ, f.JSONName)
			values = slices.Insert(values, len(values)-1, value)
		}
		e.print("%s jsontext.Value `json:\",embed\"`\n}", unknownName)
		e.print("if err := json.UnmarshalDecode(dec, &other); err != nil {\nreturn err\n}")
		e.print("*v = %s{%s}\nreturn nil\n}\n", s.Name, strings.Join(values, ", "))
	})
	return name
}

// nullValue returns how to read google.protobuf.NullValue, whose only value is null in JSON.
func (e *emitter) nullValue() string {
	for _, enum := range e.p.Enums {
		if len(enum.Values) == 1 && enum.Values[0].Value == "NULL_VALUE" {
			return fmt.Sprintf("jsonx.Null(%s)", enum.Values[0].Name)
		}
	}
	return "nil"
}

// listed returns the types of list elements in structs, sorted by name.
func (e *emitter) listed(held map[*Struct]bool) []*Type {
	var out []*Type
	seen := map[string]bool{}
	for s := range held {
		for _, f := range s.Fields {
			for t := f.Type; t != nil; t = t.Elem {
				if t.Kind == KindList && loneKinds(t.Elem) != nil && !seen[t.Elem.key(e.p)] {
					seen[t.Elem.key(e.p)] = true
					out = append(out, t.Elem)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b *Type) int { return strings.Compare(a.key(e.p), b.key(e.p)) })
	return out
}

// loneKinds returns the kinds of JSON values that mean a list with only this element.
func loneKinds(elem *Type) []string {
	switch elem.Kind {
	case KindEnum:
		if !elem.Enum.Lenient {
			return []string{"jsontext.KindString"}
		}
		return []string{"jsontext.KindString", "jsontext.KindNumber"}
	case KindString:
		return []string{"jsontext.KindString"}
	case KindBool:
		return []string{"jsontext.KindTrue", "jsontext.KindFalse"}
	case KindInt, KindInt64, KindFloat64:
		return []string{"jsontext.KindString", "jsontext.KindNumber"}
	case KindStruct, KindMap:
		return []string{"jsontext.KindBeginObject"}
	case KindValue:
		return []string{"jsontext.KindBeginObject", "jsontext.KindString", "jsontext.KindNumber",
			"jsontext.KindTrue", "jsontext.KindFalse"}
	default:
		return nil // a list of lists, or of what may be one
	}
}
