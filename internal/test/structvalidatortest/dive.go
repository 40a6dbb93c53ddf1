// Package structvalidatortest helps to test types that package structvalidator checks.
package structvalidatortest

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// EveryListDives fails the test for each list or map of structs, in the type of value and in all
// types that it reaches, whose validate tag neither dives nor is "-": validator skips the elements
// of such a member without a word. Members tagged "-" are not followed.
func EveryListDives(t testing.TB, value any) {
	t.Helper()
	for _, field := range Undived(reflect.TypeOf(value)) {
		t.Errorf("%s holds structs and is neither tagged dive nor -", field)
	}
}

// Undived returns the fields that [EveryListDives] complains of, such as "Response.Candidates".
func Undived(typ reflect.Type) []string {
	return walk(typ, map[reflect.Type]bool{})
}

func walk(typ reflect.Type, seen map[reflect.Type]bool) []string {
	typ, _ = element(typ)
	if typ.Kind() != reflect.Struct || seen[typ] {
		return nil
	}
	seen[typ] = true
	var out []string
	for i := range typ.NumField() {
		field := typ.Field(i)
		rules := strings.Split(field.Tag.Get("validate"), ",")
		if !field.IsExported() && !field.Anonymous || slices.Contains(rules, "-") {
			continue
		}
		elem, lists := element(field.Type)
		if elem.Kind() == reflect.Struct && dives(rules) < lists {
			out = append(out, typ.Name()+"."+field.Name)
		}
		out = append(out, walk(field.Type, seen)...)
	}
	return out
}

// dives counts the levels of lists and maps that the rules go into.
func dives(rules []string) int {
	n := 0
	for _, rule := range rules {
		if rule == "dive" {
			n++
		}
	}
	return n
}

// element returns a type without its pointers, lists and maps, and the number of lists and maps.
func element(typ reflect.Type) (elem reflect.Type, lists int) {
	for {
		switch typ.Kind() {
		case reflect.Slice, reflect.Array, reflect.Map:
			lists++
		case reflect.Pointer:
		default:
			return typ, lists
		}
		typ = typ.Elem()
	}
}
