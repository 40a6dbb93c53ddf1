// Package structvalidatortest finds struct tags that package structvalidator would silently ignore,
// and compares quick checks with it.
package structvalidatortest

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// EveryListDives fails the test for each list or map of structs whose validate tag neither dives
// nor is "-". It checks the type of value and all types in it. Package validator silently skips the
// elements of such a member. EveryListDives does not follow members with the tag "-".
func EveryListDives(t testing.TB, value any) {
	t.Helper()
	for _, field := range Undived(reflect.TypeOf(value)) {
		t.Errorf("%s holds structs and is neither tagged dive nor -", field)
	}
}

// Undived returns the fields that fail in [EveryListDives], such as "Response.Candidates".
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

// dives counts the levels of lists and maps that the rules enter.
func dives(rules []string) int {
	n := 0
	for _, rule := range rules {
		if rule == "dive" {
			n++
		}
	}
	return n
}

// element removes the pointers, lists and maps from a type. It returns the rest, and the number of
// lists and maps.
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
