package leaftest

import (
	"fmt"
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// Fill sets every exported member of the value that v points at to a different content, down to the
// last leaf. Lists and maps get one element. Tests use the filled value to prove that no member was
// forgotten. Enums get a value that is in no description. Fill does not change opaque values,
// structs without exported members, and a struct inside a struct of its own type. It panics for
// types that JSON does not have, such as functions.
func Fill(v any) {
	f := filler{open: map[reflect.Type]bool{}}
	f.fill(reflect.ValueOf(v).Elem())
}

// filler counts the filled members, so that all contents are different.
type filler struct {
	n    int
	open map[reflect.Type]bool // the structs that are being filled
}

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch {
	case v.Type() == reflect.TypeFor[jsontext.Value]():
		v.SetBytes(fmt.Appendf(nil, `{"free%d":%d}`, f.n, f.n))
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case v.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0))
	case v.Kind() == reflect.Map:
		element := reflect.New(v.Type().Elem()).Elem()
		f.fill(element)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(fmt.Sprint("key", f.n)).Convert(v.Type().Key()), element)
	case v.Kind() == reflect.Struct:
		f.members(v)
	default:
		f.scalar(v)
	}
}

func (f *filler) members(v reflect.Value) {
	if f.open[v.Type()] {
		return
	}
	f.open[v.Type()] = true
	defer delete(f.open, v.Type())
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			f.fill(v.Field(i))
		}
	}
}

func (f *filler) scalar(v reflect.Value) {
	switch {
	case v.Kind() == reflect.String:
		v.SetString(fmt.Sprint("text", f.n))
	case v.Kind() == reflect.Bool:
		v.SetBool(f.n%2 == 0)
	case v.CanInt():
		v.SetInt(int64(f.n))
	case v.CanFloat():
		v.SetFloat(float64(f.n) + 0.5)
	default:
		panic("leaf: no content for a " + v.Type().String())
	}
}
