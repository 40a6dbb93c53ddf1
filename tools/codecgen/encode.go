package main

import (
	"cmp"
	"fmt"
	"strings"
)

// encodeMember appends a member with a comma before it. For the first member, EndObject turns the
// comma into a brace.
func (e *emitter) encodeMember(m Field) string {
	if m.Constant != "" {
		return fmt.Sprintf("dst = append(dst, `,%q:%q`...)", m.JSONName, m.Constant)
	}
	return e.printed(func(e *emitter) {
		condition, _ := isSet(m.Type, "v."+m.Name)
		if m.OmitZero {
			e.print("if %s {", condition)
		}
		e.print("dst = append(dst, `,%q:`...)", m.JSONName)
		e.since(m.Since)
		if m.Type.Kind == KindPointer && !m.OmitZero {
			e.print("if %s {", condition)
			e.encode(m.Type, "v."+m.Name, 0)
			e.print("} else {\ndst = append(dst, `null`...)\n}")
		} else {
			e.encode(m.Type, "v."+m.Name, 0)
		}
		if m.OmitZero {
			e.print("}")
		}
	})
}

// since writes the check for values that older versions do not have.
func (e *emitter) since(version string) {
	if version != "" {
		e.print("e.Since(dst, %q)", version)
	}
}

// isSet returns the condition that an expression is not zero for the JSON library. It also reports
// whether there is such a condition.
func isSet(t *Type, expr string) (condition string, ok bool) {
	switch t.Kind {
	case KindBool:
		return expr, true
	case KindStringOr, KindOneOrList, KindNullable, KindMediaURL, KindTime:
		return "!" + expr + ".IsZero()", true
	default:
		zero, ok := zeros[t.Kind]
		return expr + " != " + zero, ok
	}
}

// isUnset returns the opposite of isSet for any field. Structs are unset when they are empty.
func isUnset(f Field) string {
	expr := "v." + f.Name
	switch f.Type.Kind {
	case KindBool:
		return "!" + expr
	case KindStringOr, KindOneOrList, KindNullable, KindMediaURL, KindTime:
		return expr + ".IsZero()"
	case KindQuotedInt64:
		return expr + ".Int64() == 0"
	case KindStruct:
		return expr + ".IsEmpty()"
	default:
		return expr + " == " + zeros[f.Type.Kind]
	}
}

// zeros are the zero values that a field can be compared with.
var zeros = map[Kind]string{
	KindString: `""`, KindEnum: `""`, KindInt: "0", KindInt64: "0", KindFloat64: "0",
	KindValue: "nil", KindPointer: "nil", KindList: "nil", KindMap: "nil", KindNullableList: "nil",
	KindUnion: "nil",
}

// isEmpty returns the condition that a struct is empty. The method is not named IsZero, because
// JSON libraries would omit a member such as googleSearch if it is empty. Its presence alone has a
// meaning.
func isEmpty(s *Struct) string {
	var conditions []string
	if !s.Closed {
		conditions = append(conditions, "len(v."+unknownName+") == 0")
	}
	for _, f := range s.Fields {
		conditions = append(conditions, isUnset(f))
	}
	return cmp.Or(strings.Join(conditions, " &&\n"), "true")
}

// encode appends the value of an expression. Level makes the variables of nested loops different.
func (e *emitter) encode(t *Type, expr string, level int) {
	switch t.Kind {
	case KindString:
		e.print("dst = e.String(dst, %s)", expr)
	case KindEnum:
		e.encodeEnum(t, expr)
	case KindBool, KindInt64, KindFloat64, KindValue, KindTime:
		e.print("dst = e.%s(dst, %s)", cmp.Or(string(t.Only), kinds[t.Kind].read), expr)
	case KindUnion:
		e.print("dst = Encode%s(e, dst, %s)", t.Union.Name, expr)
	case KindInt:
		e.print("dst = e.Int64(dst, int64(%s))", expr)
	case KindStruct:
		e.print("dst = %s.%s(e, dst)", expr, t.Struct.EncodeName())
	case KindPointer:
		e.encode(t.Elem, pointed(t, expr), level)
	case KindList:
		e.encodeList(t, expr, level)
	case KindMap:
		e.encodeMap(t, expr, level)
	case KindStringOr:
		e.encodeStringOr(t, expr, level)
	case KindOneOrList:
		e.encodeOneOrList(t, expr, level)
	case KindNullable:
		e.print("if value%d, ok := %s.Value(); ok {", level, expr)
		e.encode(t.Elem, fmt.Sprintf("value%d", level), level+1)
		e.print("} else {\ndst = append(dst, `null`...)\n}")
	case KindNullableList:
		e.print("if %s == nil {\ndst = append(dst, `null`...)\n} else {", expr)
		e.encodeList(t, expr, level)
		e.print("}")
	case KindQuotedInt64:
		e.print("dst = %s.AppendJSON(dst)", expr)
	case KindMediaURL:
		e.print("if _, data, ok := %s.Inline(); ok {", expr)
		e.print("dst = e.Strings(dst, %s.Header(), data)\n} else {\ndst = e.String(dst, %[1]s.String())\n}",
			expr)
	}
}

func (e *emitter) encodeEnum(t *Type, expr string) {
	if t.Only != onlyKnown {
		write := "String"
		if t.Enum.Lenient {
			write = "EnumName"
		}
		e.print("dst = e.%s(dst, string(%s))", write, expr)
		return
	}
	for _, value := range t.Enum.Values {
		if since := t.Enum.Since[value.Value]; since != "" {
			e.print("if %s == %s {", expr, value.Name)
			e.since(since)
			e.print("}")
		}
	}
	e.print("dst = e.Enum(dst, string(%s), %[1]s.Valid())", expr)
}

// pointed returns the expression for the target of a pointer. Method calls need no asterisk.
func pointed(t *Type, expr string) string {
	if t.Elem.Kind == KindStruct || t.Elem.Kind == KindQuotedInt64 {
		return expr
	}
	return "*" + expr
}

func (e *emitter) encodeList(t *Type, expr string, level int) {
	i := fmt.Sprintf("i%d", level)
	e.print("dst = append(dst, '[')\nfor %s := range %s {\nif %[1]s > 0 {\ndst = append(dst, ',')\n}",
		i, expr)
	e.encode(t.Elem, expr+"["+i+"]", level+1)
	e.print("}\ndst = append(dst, ']')")
}

func (e *emitter) encodeMap(t *Type, expr string, level int) {
	e.print("dst = append(dst, '{')\nfor i%d, name%[1]d := range slices.Sorted(maps.Keys(%s)) {",
		level, expr)
	e.print("if i%d > 0 {\ndst = append(dst, ',')\n}", level)
	e.print("dst = append(e.String(dst, name%d), ':')\nvalue%[1]d := %s[name%[1]d]", level, expr)
	e.encode(t.Elem, fmt.Sprintf("value%d", level), level+1)
	e.print("}\ndst = append(dst, '}')")
}

func (e *emitter) encodeStringOr(t *Type, expr string, level int) {
	e.print("if text, ok := %s.AsString(); ok {\ndst = e.String(dst, text)", expr)
	e.print("} else if other%d, ok := %s.AsValue(); ok {", level, expr)
	e.encode(t.Elem, fmt.Sprintf("other%d", level), level+1)
	e.print("} else {\ndst = append(dst, `null`...)\n}")
}

func (e *emitter) encodeOneOrList(t *Type, expr string, level int) {
	e.print("if one%d := %s.AsOne(); one%[1]d != nil {", level, expr)
	e.encode(&Type{Kind: KindPointer, Elem: t.Elem}, fmt.Sprintf("one%d", level), level+1)
	e.print("} else if list%d, ok := %s.AsList(); ok {", level, expr)
	e.encodeList(t, fmt.Sprintf("list%d", level), level+1)
	e.print("} else {\ndst = append(dst, `null`...)\n}")
}
