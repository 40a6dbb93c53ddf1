package structvalidatortest

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/validation"
)

// SameVerdict changes each member of a valid value in turn. It fails the test if a quick check and
// package validator disagree about a changed value. It also fails if no change breaks one of the
// rules in the tags of the value's type or of a type in it. The value must contain a value of each
// of these types.
func SameVerdict[T any](t *testing.T, valid func() *T, quick func(*T) bool, full func(any) error) {
	t.Helper()
	broken := map[string]bool{}
	changes := changesOf(reflect.ValueOf(valid()).Elem())
	for _, change := range changes {
		v := valid()
		change.apply(reflect.ValueOf(v).Elem())
		err := full(v)
		if got := quick(v); got != (err == nil) {
			t.Errorf("%s: the quick check says %v, validator %v", change.path, got, err)
		}
		if violations, ok := errors.AsType[*validation.Error](err); ok {
			for _, violation := range violations.Violations {
				if lastName(violation.Pointer) == change.name {
					broken[change.field+" "+violation.Rule] = true
				}
			}
		}
	}
	for _, rule := range tagRules(reflect.TypeFor[T](), map[reflect.Type]bool{}) {
		if !broken[rule] {
			t.Errorf("none of the %d changes breaks the rule %q", len(changes), rule)
		}
	}
}

// change sets the value at the end of a path to another value.
type change struct {
	path string
	// field is the innermost field of the path, such as "Choice.Index". name is its name in JSON.
	field, name string
	apply       func(root reflect.Value)
}

// changesOf returns the changes of a value and of all values in it, except for values that package
// validator ignores.
func changesOf(v reflect.Value) []change {
	out := alternatives(v)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() && field.Tag.Get("validate") != "-" {
				changes := within(changesOf(v.Field(i)), "."+field.Name,
					func(v reflect.Value) reflect.Value { return v.Field(i) })
				out = append(out, named(changes, fieldName(v.Type(), field), jsonName(field))...)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out = append(out, within(changesOf(v.Elem()), "", reflect.Value.Elem)...)
		}
	case reflect.Slice:
		for i := range v.Len() {
			out = append(out,
				within(changesOf(v.Index(i)), "[]",
					func(v reflect.Value) reflect.Value { return v.Index(i) })...)
		}
	}
	return out
}

// within returns the changes of a value as changes of the value around it.
func within(changes []change, name string, inner func(reflect.Value) reflect.Value) []change {
	for i, c := range changes {
		changes[i].path = name + c.path
		changes[i].apply = func(v reflect.Value) { c.apply(inner(v)) }
	}
	return changes
}

// named adds the name of a field to its changes and to the changes of its elements.
func named(changes []change, field, name string) []change {
	for i := range changes {
		if changes[i].field == "" {
			changes[i].field, changes[i].name = field, name
		}
	}
	return changes
}

func fieldName(typ reflect.Type, field reflect.StructField) string {
	return typ.Name() + "." + field.Name
}

func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// alternatives returns other values for a value.
func alternatives(v reflect.Value) []change {
	typ := v.Type()
	var others []reflect.Value
	switch v.Kind() {
	case reflect.Struct:
		others = append(others, reflect.Zero(typ))
	case reflect.Pointer:
		others = append(others, reflect.Zero(typ), reflect.New(typ.Elem()))
	case reflect.Slice:
		others = append(others, reflect.Zero(typ), reflect.MakeSlice(typ, 0, 0),
			reflect.Append(v, reflect.Zero(typ.Elem())))
	case reflect.Int, reflect.Int64:
		for _, number := range []int{-1, 0, 1, 255, 256} {
			others = append(others, reflect.ValueOf(number).Convert(typ))
		}
	case reflect.String:
		for _, text := range texts {
			others = append(others, reflect.ValueOf(text).Convert(typ))
		}
	}
	var out []change
	for _, other := range others {
		out = append(out, change{apply: func(v reflect.Value) { v.Set(other) }})
	}
	return out
}

// texts has texts that are valid for some rules, and texts that are valid for none. It is never
// modified.
var texts = []string{
	"", "unheard of", "{", "{}", `{"a":1,"a":2}`, "stop", "tool_calls", "tool_use", "text",
	"thinking", "function", "custom", "image_url", "input_audio",
	"file", "refusal", "video_url",
}

// lastName is the last token of a pointer that is not a position.
func lastName(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for len(tokens) > 1 && strings.Trim(tokens[len(tokens)-1], "0123456789") == "" {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens[len(tokens)-1]
}

// tagRules returns the rules in the tags of a type and of all types in it. Each rule follows its
// field.
func tagRules(typ reflect.Type, seen map[reflect.Type]bool) []string {
	typ, _ = element(typ)
	if typ.Kind() != reflect.Struct || seen[typ] {
		return nil
	}
	seen[typ] = true
	var out []string
	for field := range typ.Fields() {
		tag := field.Tag.Get("validate")
		if tag == "-" || !field.IsExported() {
			continue
		}
		for rule := range strings.SplitSeq(tag, ",") {
			if rule, _, _ = strings.Cut(rule, "="); rule != "" && rule != "dive" &&
				rule != "omitnil" {
				out = append(out, fieldName(typ, field)+" "+rule)
			}
		}
		out = append(out, tagRules(field.Type, seen)...)
	}
	return out
}
