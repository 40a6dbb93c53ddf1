package plainjsontest

import (
	"fmt"
	"reflect"
	"strings"
)

// Member is a field of a wire type, directly or nested.
type Member struct {
	// Path has the names of the members from the root.
	Path string
	// Type is the type of the field.
	Type reflect.Type
	// around is a document with %s in place of the value.
	around string
}

// Document returns a document with a value at the member. It has only the objects and lists on the
// way to the member.
func (m Member) Document(value string) []byte {
	return fmt.Appendf(nil, m.around, value)
}

// Members returns all members that can be reached from a struct. It returns the members of each
// type once.
func Members(root reflect.Type) []Member {
	var out []Member
	seen := map[reflect.Type]bool{}
	var visit func(t reflect.Type, path, around string)
	visit = func(t reflect.Type, path, around string) {
		if seen[t] {
			return
		}
		seen[t] = true
		for field := range t.Fields() {
			name := jsonName(field)
			if name == "" {
				continue
			}
			m := Member{path + "." + name, field.Type,
				fmt.Sprintf(around, fmt.Sprintf(`{%q:%%s}`, name))}
			out = append(out, m)
			if inner, wrap := innermost(field.Type); inner != nil {
				visit(inner, m.Path, fmt.Sprintf(m.around, wrap))
			}
		}
	}
	visit(root, root.Name(), "%s")
	return out
}

// jsonName returns "" for the field of unknown members.
func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// Innermost returns the innermost struct of a field's type, or nil.
func Innermost(t reflect.Type) reflect.Type {
	inner, _ := innermost(t)
	return inner
}

// innermost returns the innermost struct of a type, or nil, and the JSON around it.
func innermost(t reflect.Type) (inner reflect.Type, around string) {
	around = "%s"
	for {
		switch formOf(t) {
		case formPointer, formStringOr, formOneOrList, formNullable:
			t = elem(t)
		case formList, formNullableList:
			t, around = elem(t), fmt.Sprintf(around, "[%s]")
		case formMap:
			t, around = elem(t), fmt.Sprintf(around, `{"k":%s}`)
		case formObject:
			return t, around
		default:
			return nil, ""
		}
	}
}
