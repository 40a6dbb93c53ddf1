package main

import (
	"cmp"
	"fmt"
	"strings"
)

// RequiredBits is the set of required members, as bits of the decoder.
func (s *Struct) RequiredBits() string {
	var bits []string
	for i, m := range s.Members {
		if m.Required {
			bits = append(bits, fmt.Sprintf("1<<%d", i))
		}
	}
	return cmp.Or(strings.Join(bits, "|"), "0")
}

// decodeMember reads a member's value. In a described package, null is an absent member, and so is
// an empty text for a type without empty texts. An empty required list is nil.
func (e *emitter) decodeMember(s *Struct, m Field) string {
	target, t := "v."+m.Name, m.Type
	if m.Constant != "" {
		return fmt.Sprintf("d.Constant(%q)", m.Constant)
	}
	value := e.printed(func(e *emitter) { e.assign(t, target) })
	switch must := m.Required && s.Closed; {
	case must && t.Kind == KindList:
		return fmt.Sprintf("d.NonNull()\n%s\nif len(%s) == 0 {\n%[2]s = nil\n}", value, target)
	case must && (t.Kind == KindMap || t.Kind == KindPointer):
		return "d.NonNull()\n" + value
	case must || !s.Described:
		return value
	case t.Kind == KindEnum || t.Kind == KindTime:
		return "if !d.Null() && !d.Empty() {\n" + value + "\n}"
	case t.Kind == KindString || t.Kind == KindBool || t.Kind == KindValue ||
		t.Kind == KindStruct || t.Kind == KindUnion:
		return "if !d.Null() {\n" + value + "\n}"
	default:
		return value
	}
}

// assign reads a value into a variable, which is zero. Null does not change the variable. A type
// with its own decoder handles null itself.
func (e *emitter) assign(t *Type, target string) {
	switch {
	case t.Kind == KindStruct:
		e.print("%s.%s(d)", target, t.Struct.DecodeName())
	case t.Kind == KindPointer && t.Elem.Kind == KindStruct:
		e.print("if !d.Null() {\n%s = new(%s)\n%[1]s.%[3]s(d)\n}", target, t.Elem.goName(e.p),
			t.Elem.Struct.DecodeName())
	case t.Kind == KindPointer && t.Elem.Kind == KindEnum && t.Elem.Enum.Lenient:
		e.print("%s = new(%s)", target, e.read(t.Elem))
	case t.Kind == KindPointer && t.Elem.Kind == KindInt:
		e.print("if !d.Null() {\n%s = d.NewInt()\n}", target)
	case t.Kind == KindPointer && t.Elem.Kind == KindString:
		e.print("if !d.Null() {\n%s = d.NewString()\n}", target)
	case t.Kind == KindPointer:
		e.print("if !d.Null() {\n%s = new(%s)\n}", target, e.read(t.Elem))
	default:
		e.print("%s = %s", target, e.read(t))
	}
}

// read returns an expression that reads a value.
func (e *emitter) read(t *Type) string {
	if t.Only == onlyObject {
		return "d.Object()"
	}
	if t.Kind == KindUnion {
		return "Decode" + t.Union.Name + "(d)"
	}
	if method := kinds[t.Kind].read; method != "" {
		return "d." + method + "()"
	}
	name := "decode" + t.key(e.p)
	if _, ok := e.helpers[name]; !ok {
		e.helpers[name] = "" // before it is made, as it may need itself
		e.helpers[name] = e.helper(t, name)
	}
	return name + "(d)"
}

// helper returns the function that reads values of a type.
func (e *emitter) helper(t *Type, name string) string {
	return e.printed(func(e *emitter) {
		e.print("func %s(d *plainjson.Decoder) %s {", name, t.goName(e.p))
		switch t.Kind {
		case KindEnum:
			e.enumHelper(t)
		case KindStruct:
			e.print("var v %s\nv.%s(d)\nreturn v", t.goName(e.p), t.Struct.DecodeName())
		case KindList, KindNullableList:
			e.listHelper(t)
		case KindMap:
			e.mapHelper(t)
		case KindStringOr:
			e.stringOrHelper(t)
		case KindOneOrList:
			e.oneOrListHelper(t)
		case KindNullable:
			e.print("if d.Null() {\nreturn wiretype.Null[%s]()\n}\nreturn wiretype.Present(%s)",
				t.Elem.goName(e.p), e.read(t.Elem))
		case KindQuotedInt64:
			e.print("value, err := wiretype.ParseInt64(d.Value())\nif err != nil {\nd.Fail()\n}\nreturn value")
		case KindMediaURL:
			e.print("if d.Null() {\nreturn wiretype.MediaURL{}\n}\nreturn wiretype.ParseMediaURL(d.String())")
		}
		e.print("}\n")
	})
}

// enumHelper avoids an allocation for listed values.
func (e *emitter) enumHelper(t *Type) {
	e.print("switch word := d.Word(); string(word) {")
	for _, value := range t.Enum.Values {
		e.print("case %q:\nreturn %s", value.Value, t.Enum.Package.qualified(e.p, value.Name))
	}
	if t.Only == onlyKnown {
		e.print("default:\nd.UnknownWord()\nreturn \"\"\n}")
		return
	}
	if t.Enum.Lenient {
		e.print("default:\nd.Fail() // it may be another spelling of one of these\nreturn \"\"\n}")
		return
	}
	e.print("default:\nreturn %s(word)\n}", t.goName(e.p))
}

func (e *emitter) listHelper(t *Type) {
	list := t.goName(e.p)
	e.print("if d.Null() {\nreturn nil\n}\nmore := d.BeginList()")
	if t.Elem.usualSize() > 0 && t.Elem.Elem == nil && t.Elem.Kind != KindStruct {
		e.print("if !more {\nreturn %s{}\n}\nlist := make(%[1]s, 0, d.Count())", list)
	} else {
		e.print("list := make(%s, 0, 1)", list)
	}
	if t.Elem.Kind == KindStruct && !t.Elem.Struct.ListedOften {
		e.print("for begin := d.Offset(); more; more = d.NextElement() {")
		e.print("list = append(plainjson.GrowList(d, begin, list), %s{})\nlist[len(list)-1].%s(d)\n}\nreturn list",
			t.Elem.goName(e.p), t.Elem.Struct.DecodeName())
		return
	}
	e.print("for ; more; more = d.NextElement() {")
	if t.Elem.Kind == KindStruct {
		e.print("list = append(list, %s{})\nlist[len(list)-1].%s(d)\n}", t.Elem.goName(e.p),
			t.Elem.Struct.DecodeName())
	} else {
		e.print("list = append(list, %s)\n}", e.read(t.Elem))
	}
	e.print("return list")
}

func (e *emitter) mapHelper(t *Type) {
	e.print("if d.Null() {\nreturn nil\n}\nvalues := %s{}", t.goName(e.p))
	e.print("for more := d.BeginMap(); more; more = d.NextEntry() {")
	e.print("name := d.Key()\nif _, twice := values[name]; twice {\nd.Fail()\n}\nvalues[name] = %s\n}\nreturn values",
		e.read(t.Elem))
}

func (e *emitter) stringOrHelper(t *Type) {
	elem := t.Elem.goName(e.p)
	e.print("switch {\ncase d.Null():\nreturn %s{}", t.goName(e.p))
	e.print("case d.IsString():\nreturn wiretype.StringOf[%s](d.String())", elem)
	e.print("default:\nreturn wiretype.ValueOf(%s)\n}", strings.TrimSpace(e.read(t.Elem)))
}

func (e *emitter) oneOrListHelper(t *Type) {
	list := e.read(&Type{Kind: KindList, Elem: t.Elem})
	e.print("switch {\ncase d.Null():\nreturn %s{}", t.goName(e.p))
	e.print("case d.IsObject():\nreturn wiretype.OneOf(%s)", e.read(t.Elem))
	e.print("default:\nreturn wiretype.ListOf(%s)\n}", list)
}
