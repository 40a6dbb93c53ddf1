package structured

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"sync"

	"github.com/gemwire/gemwire/internal/structvalidator"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// violations returns the rules that a value breaks: validate tags and the caller's check.
func (o *options) violations(value any, text string) []validation.Violation {
	var broken []validation.Violation
	if !o.skipValidation {
		broken = tagViolations(reflect.ValueOf(value), "", nil)
	}
	if o.check != nil {
		broken = append(broken, o.check(jsontext.Value(text))...)
	}
	return broken
}

var validator = sync.OnceValue(func() *structvalidator.Validator { return structvalidator.New() })

// tagViolations adds the rules that the structs in a value break. Package validator accepts only
// structs, so the structs of a list or map are checked one by one.
func tagViolations(value reflect.Value, pointer string,
	broken []validation.Violation) []validation.Violation {
	switch value.Kind() {
	case reflect.Pointer:
		return tagViolations(value.Elem(), pointer, broken)
	case reflect.Slice, reflect.Array:
		for i := 0; holdsStructs(value.Type()) && i < value.Len(); i++ {
			broken = tagViolations(value.Index(i), pointer+"/"+strconv.Itoa(i), broken)
		}
	case reflect.Map:
		for entry := value.MapRange(); holdsStructs(value.Type()) && entry.Next(); {
			inner := jsontext.Pointer(pointer).AppendToken(fmt.Sprint(entry.Key()))
			broken = tagViolations(entry.Value(), string(inner), broken)
		}
	case reflect.Struct:
		invalid, ok := errors.AsType[*validation.Error](validator().Struct(value.Interface()))
		if !ok {
			return broken
		}
		for _, v := range invalid.Violations {
			v.Pointer = pointer + v.Pointer
			broken = append(broken, v)
		}
	}
	return broken
}

// holdsStructs reports whether the elements of a list or map can have validate tags. Values that
// JSON decodes into an interface have none.
func holdsStructs(t reflect.Type) bool {
	const levels = 100 // a type can be a list of itself
	for range levels {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			t = t.Elem()
		default:
			return t.Kind() == reflect.Struct
		}
	}
	return false
}
