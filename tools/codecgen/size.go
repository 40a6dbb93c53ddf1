package main

import "fmt"

// sizeOfMember estimates the length of a member's JSON, so that the buffer is large enough from the
// start. It ignores escapes in texts.
func (e *emitter) sizeOfMember(f Field) string {
	return e.printed(func(e *emitter) {
		condition, _ := isSet(f.Type, "v."+f.Name)
		conditional := f.OmitZero || f.Type.Kind == KindPointer
		if conditional {
			e.print("if %s {", condition)
		}
		e.sizeOf(f.Type, "v."+f.Name, fmt.Sprintf("len(`\"%s\":,`)", f.JSONName), 0)
		if conditional {
			e.print("}")
		}
	})
}

// sizeOf adds the size of an expression to n, and also the size of the text around it.
func (e *emitter) sizeOf(t *Type, expr, beside string, level int) {
	if size := t.usualSize(); size > 0 {
		e.print("n += %s + %d", beside, size)
		return
	}
	switch t.Kind {
	case KindString, KindEnum, KindValue:
		e.print("n += %s + len(`\"\"`) + len(%s)", beside, expr)
	case KindStruct:
		e.print("n += %s + %s.%s()", beside, expr, t.Struct.SizeName())
	case KindPointer:
		if t.Elem.Kind == KindString || t.Elem.Kind == KindEnum {
			expr = "*" + expr
		}
		e.sizeOf(t.Elem, expr, beside, level)
	case KindList, KindNullableList:
		e.sizeOfList(t, expr, beside, level)
	case KindMap:
		e.sizeOfMap(t, expr, beside, level)
	case KindStringOr:
		e.print("if text, ok := %s.AsString(); ok {\nn += %s + len(`\"\"`) + len(text)", expr,
			beside)
		other := t.Elem.measured("other", level)
		e.print("} else if %s, ok := %s.AsValue(); ok {", other, expr)
		e.sizeOf(t.Elem, other, beside, level+1)
		e.print("}")
	case KindOneOrList:
		e.print("if one%d := %s.AsOne(); one%[1]d != nil {", level, expr)
		e.sizeOf(t.Elem, fmt.Sprintf("one%d", level), beside, level+1)
		e.print("} else if list%d, ok := %s.AsList(); ok {", level, expr)
		e.sizeOfList(t, fmt.Sprintf("list%d", level), beside, level+1)
		e.print("}")
	case KindNullable:
		value := t.Elem.measured("value", level)
		e.print("n += %s + len(`null`)\nif %s, ok := %s.Value(); ok {", beside, value, expr)
		e.sizeOf(t.Elem, value, "0", level+1)
		e.print("}")
	case KindMediaURL:
		e.print("n += %s + len(`\"\"`) + %s.Len()", beside, expr)
	}
}

func (e *emitter) sizeOfList(t *Type, expr, beside string, level int) {
	if size := t.Elem.usualSize(); size > 0 {
		e.print("n += %s + len(`[]`) + %d*len(%s)", beside, size+len(`,`), expr)
		return
	}
	e.print("n += %s + len(`[]`)\nfor i%d := range %s {", beside, level, expr)
	e.sizeOf(t.Elem, fmt.Sprintf("%s[i%d]", expr, level), "len(`,`)", level+1)
	e.print("}")
}

func (e *emitter) sizeOfMap(t *Type, expr, beside string, level int) {
	variables := fmt.Sprintf("name%d, value%[1]d", level)
	if t.Elem.usualSize() > 0 {
		variables = fmt.Sprintf("name%d", level)
	}
	e.print("n += %s + len(`{}`)\nfor %s := range %s {", beside, variables, expr)
	e.sizeOf(t.Elem, fmt.Sprintf("value%d", level),
		fmt.Sprintf("len(`\"\":,`) + len(name%d)", level), level+1)
	e.print("}")
}

// usualSize returns the assumed size of a value of the type, or 0 if it depends on the value. The
// size of a recursive struct has no bound.
func (t *Type) usualSize() int {
	if t.Kind == KindStruct && t.Struct.Recursive {
		return 256
	}
	return kinds[t.Kind].size
}

// measured returns the variable whose size is estimated, or "_" if the size depends only on the
// type.
func (t *Type) measured(name string, level int) string {
	if t.usualSize() > 0 {
		return "_"
	}
	return fmt.Sprint(name, level)
}
