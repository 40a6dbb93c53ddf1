package main

import (
	"cmp"
	"fmt"
	"strings"
)

func (e *emitter) decoder(s *Struct) {
	e.doc(s, "// DecodePlain reads v, which must be zero, for the codecs of other packages; see [plainjson.Decoder].")
	e.print("func (v *%s) %s(d *plainjson.Decoder) {", s.Name, decodeName(s))
	if len(s.Members) > 0 {
		e.print("var seen uint64")
	}
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
		e.print("case %q:\nseen = d.Once(seen, %s)", m.JSONName, bit)
		e.decodeMember(s, m)
	}
	if s.Closed {
		e.print("default:\nunexpected = d.Unexpected(unexpected)\n}\n}")
		e.print("d.EndClosed(seen, %s, known%s, unexpected)\n}\n", cmp.Or(strings.Join(required, "|"), "0"), s.Name)
	} else {
		e.print("default:\nv.%s = d.Unknown(v.%[1]s, name, known%[2]s)\n}\n}\nd.EndUnknown(v.%[1]s)\n}\n", unknownName, s.Name)
	}
}

// decodeMember reads a member's value. In a described package null is an absent member, and so is an empty
// text of a type that has none. An empty list that must be there is nil.
func (e *emitter) decodeMember(s *Struct, m Field) {
	target, t := "v."+m.Name, m.Type
	guard := ""
	switch must := m.Required && s.Closed; {
	case m.Constant != "":
		e.print("d.Constant(%q)", m.Constant)
		return
	case must && (t.Kind == KindList || t.Kind == KindMap || t.Kind == KindPointer):
		e.print("d.NonNull()")
	case must || !s.Described:
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

// assign reads a value into a variable, which is zero. Null leaves it so, but what null is to a type with
// a decoder of its own, only that knows.
func (e *emitter) assign(t *Type, target string) {
	switch {
	case t.Kind == KindStruct:
		e.print("%s.%s(d)", target, decodeName(t.Struct))
	case t.Kind == KindPointer && t.Elem.Kind == KindStruct:
		e.print("if !d.Null() {\n%s = new(%s)\n%[1]s.%[3]s(d)\n}", target, t.Elem.goName(e.p), decodeName(t.Elem.Struct))
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
	body := &emitter{p: e.p, helpers: e.helpers}
	body.print("func %s(d *plainjson.Decoder) %s {", name, t.goName(e.p))
	switch t.Kind {
	case KindEnum:
		body.enumHelper(t)
	case KindStruct:
		body.print("var v %s\nv.%s(d)\nreturn v", t.goName(e.p), decodeName(t.Struct))
	case KindList, KindNullableList:
		body.listHelper(t)
	case KindMap:
		body.mapHelper(t)
	case KindStringOr:
		body.stringOrHelper(t)
	case KindQuotedInt64:
		body.print("value, err := wiretype.ParseInt64(d.Value())\nif err != nil {\nd.Fail()\n}\nreturn value")
	case KindMediaURL:
		body.print("if d.Null() {\nreturn wiretype.MediaURL{}\n}\nreturn wiretype.ParseMediaURL(d.String())")
	}
	body.print("}\n")
	return body.body.String()
}

// enumHelper spares the listed values an allocation.
func (e *emitter) enumHelper(t *Type) {
	e.print("switch word := d.Word(); string(word) {")
	for _, value := range t.Enum.Values {
		constant := value.Name
		if t.Enum.Package != e.p {
			constant = t.Enum.Package.Name + "." + constant
		}
		e.print("case %q:\nreturn %s", value.Value, constant)
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
	e.print("for ; more; more = d.NextElement() {")
	if t.Elem.Kind == KindStruct {
		e.print("list = append(list, %s{})\nlist[len(list)-1].%s(d)\n}", t.Elem.goName(e.p), decodeName(t.Elem.Struct))
	} else {
		e.print("list = append(list, %s)\n}", e.read(t.Elem))
	}
	e.print("return list")
}

func (e *emitter) mapHelper(t *Type) {
	e.print("if d.Null() {\nreturn nil\n}\nvalues := %s{}", t.goName(e.p))
	e.print("for more := d.BeginMap(); more; more = d.NextEntry() {")
	e.print("name := d.Key()\nif _, twice := values[name]; twice {\nd.Fail()\n}\nvalues[name] = %s\n}\nreturn values", e.read(t.Elem))
}

func (e *emitter) stringOrHelper(t *Type) {
	elem := t.Elem.goName(e.p)
	e.print("switch {\ncase d.Null():\nreturn %s{}", t.goName(e.p))
	e.print("case d.IsString():\nreturn wiretype.StringOf[%s](d.String())", elem)
	e.print("default:\nreturn wiretype.ValueOf(%s)\n}", strings.TrimSpace(e.read(t.Elem)))
}
