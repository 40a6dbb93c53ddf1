// Package structvalidator checks structs by their validate tags and by rules in code. Each
// violation has its location, the broken rule and the expected value.
//
//	var validator = sync.OnceValue(func() *structvalidator.Validator {
//		return structvalidator.New(
//			structvalidator.WithPrefix("normalize"),
//			structvalidator.WithRule(spanOrder),
//		)
//	})
//
//	err := validator().Struct(response) // nil or *validation.Error
//
// It is github.com/go-playground/validator/v10 with settings for this code base: required also
// works for structs, and locations are JSON pointers with the JSON names of members.
//
// A package should make its Validator only once, because that is slow. Each check takes about two
// allocations for each member, and five for each element of a list. For values that are checked
// often and are rarely invalid, use plain code first. Prove in a test that this code misses
// nothing.
package structvalidator

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-playground/validator/v10"
)

// Validator checks values. It is safe for concurrent use. The zero value is not usable; use [New].
type Validator struct {
	prefix   string
	validate *validator.Validate
}

// Option configures a Validator.
type Option func(*Validator)

// WithPrefix sets the beginning of error texts, which is the name of the calling package. The
// default is "validation".
func WithPrefix(name string) Option {
	return func(v *Validator) { v.prefix = name }
}

// WithRule adds a rule for values of the struct type T. The rule runs for each such value, after
// the rules in its tags. It returns the violations, or nil. The pointers of its violations are
// relative to the value, and "" is the value itself.
//
// A type has one rule. A second rule for the same type replaces the first.
func WithRule[T any](rule func(*T) []validation.Violation) Option {
	return func(v *Validator) {
		var zero T
		v.validate.RegisterStructValidation(func(level validator.StructLevel) {
			for _, violation := range rule(current[T](level)) {
				level.ReportError(nil, relativeMark+violation.Pointer, "", violation.Rule,
					violation.Want)
			}
		}, zero)
	}
}

// relativeMark begins the field name of a rule's violation while it passes through package
// validator. The rest of the name is already a JSON pointer. No member's name begins with this
// mark.
const relativeMark = "\x00"

// current avoids copying a struct that was reached through a pointer or a slice.
func current[T any](level validator.StructLevel) *T {
	value := level.Current()
	if value.CanAddr() {
		return value.Addr().Interface().(*T)
	}
	copied := value.Interface().(T)
	return &copied
}

// New returns a Validator with the given options.
func New(opts ...Option) *Validator {
	v := &Validator{
		prefix: "validation",
		validate: validator.New(validator.WithRequiredStructEnabled(),
			validator.WithTagNameFuncBlankOmit()),
	}
	v.validate.RegisterTagNameFunc(jsonName)
	option.Apply(v, opts)
	return v
}

// jsonName is the name of a member in JSON. An embedded struct has the name "" and is not in the
// path, because its members are members of the struct around it.
func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	switch {
	case name != "" && name != "-":
		return name
	case field.Anonymous:
		return ""
	default:
		return field.Name
	}
}

// Struct checks a struct or a pointer to a struct, with all values that its tags include by dive.
// It returns nil, an error that wraps [validation.ErrNotStruct], or a *[validation.Error] with all
// violations.
//
// It panics at the first use of a type with invalid tags, so a test should check one value of each
// type.
func (v *Validator) Struct(value any) error {
	err := v.validate.Struct(value)
	if err == nil {
		return nil
	}
	faults, ok := errors.AsType[validator.ValidationErrors](err)
	if !ok {
		return fmt.Errorf("%s: %w", v.prefix, validation.ErrNotStruct)
	}
	root := reflect.Indirect(reflect.ValueOf(value)).Type().Name()
	out := &validation.Error{Prefix: v.prefix,
		Violations: make([]validation.Violation, len(faults))}
	for i, fault := range faults {
		out.Violations[i] = newViolation(strings.TrimPrefix(fault.Namespace(), root+"."), fault)
	}
	return out
}

func newViolation(path string, fault validator.FieldError) validation.Violation {
	path, relative, ofRule := strings.Cut(path, relativeMark)
	out := validation.Violation{Pointer: pointer(path) + relative, Rule: fault.Tag()}
	if ofRule {
		out.Want = fault.Param()
	} else {
		out.Want = want(fault)
	}
	return out
}
