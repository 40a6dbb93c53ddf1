package plainjsontest

import (
	"reflect"
	"strings"

	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// form is the JSON form of a type.
type form int

const (
	formNone form = iota
	formString
	formEnum
	formBool
	formInt
	formFloat
	formValue
	formObject
	formPointer
	formList
	formMap
	formStringOr
	formNullableList
	formOneOrList
	formNullable
	formQuotedInt64
	formMediaURL
)

// formOf panics for a type that wire types do not use, so that a new type does not stay untested.
func formOf(t reflect.Type) form {
	switch {
	case t == reflect.TypeFor[jsontext.Value]():
		return formValue
	case t == reflect.TypeFor[wiretype.Int64]():
		return formQuotedInt64
	case t == reflect.TypeFor[wiretype.MediaURL]():
		return formMediaURL
	case t.PkgPath() == wireTypePath && strings.HasPrefix(t.Name(), "StringOr["):
		return formStringOr
	case t.PkgPath() == wireTypePath && strings.HasPrefix(t.Name(), "NullableList["):
		return formNullableList
	case t.PkgPath() == wireTypePath && strings.HasPrefix(t.Name(), "OneOrList["):
		return formOneOrList
	case t.PkgPath() == wireTypePath && strings.HasPrefix(t.Name(), "Nullable["):
		return formNullable
	case t.Kind() == reflect.String && t != reflect.TypeFor[string]():
		return formEnum
	}
	if f, ok := forms[t.Kind()]; ok {
		return f
	}
	panic("a type without a form in JSON: " + t.String())
}

var wireTypePath = reflect.TypeFor[wiretype.Int64]().PkgPath()

// forms is never modified.
var forms = map[reflect.Kind]form{
	reflect.String:  formString,
	reflect.Bool:    formBool,
	reflect.Int:     formInt,
	reflect.Int64:   formInt,
	reflect.Float64: formFloat,
	reflect.Struct:  formObject,
	reflect.Pointer: formPointer,
	reflect.Slice:   formList,
	reflect.Map:     formMap,
}

// elem returns the type inside an optional value, a list, a map, or a value that may also be a
// string.
func elem(t reflect.Type) reflect.Type {
	switch formOf(t) {
	case formStringOr:
		asValue, _ := t.MethodByName("AsValue")
		return asValue.Type.Out(0)
	case formOneOrList:
		asOne, _ := t.MethodByName("AsOne")
		return asOne.Type.Out(0).Elem()
	case formNullable:
		value, _ := t.MethodByName("Value")
		return value.Type.Out(0)
	}
	return t.Elem()
}
