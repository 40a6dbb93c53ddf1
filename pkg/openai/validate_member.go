package openai

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
)

// checker collects the violations of a request.
type checker struct {
	violations []validation.Violation
}

func (v *checker) report(at *codec.Location, rule, want string) {
	v.violations = append(v.violations,
		validation.Violation{Pointer: at.Pointer(), Rule: rule, Want: want})
}

func (v *checker) reportMember(at *codec.Location, name, rule, want string) {
	in := at.Member(name)
	v.report(&in, rule, want)
}

func (v *checker) require(at *codec.Location, name string, isThere bool) {
	if !isThere {
		v.reportMember(at, name, "required", "must be set")
	}
}

// enum is a type of the wire that lists its values.
type enum interface {
	~string
	Valid() bool
}

func checkEnum[E enum](v *checker, at *codec.Location, name string, value *E, values string) {
	if value != nil && !(*value).Valid() {
		v.reportMember(at, name, "oneof", "must be one of "+values)
	}
}

// checkEnums is checkEnum for a list.
func checkEnums[E enum](v *checker, at *codec.Location, name string, list []E, values string) {
	in := at.Member(name)
	for i := range list {
		if !list[i].Valid() {
			element := in.Element(i)
			v.report(&element, "oneof", "must be one of "+values)
		}
	}
}

// bounds are the minimum and maximum of a number.
type bounds struct{ lowest, highest float64 }

// checkRange checks a number against inclusive bounds.
func checkRange[N int | int64 | float64](v *checker, at *codec.Location, name string, value *N,
	in bounds) {
	if value != nil && !(in.lowest <= float64(*value) && float64(*value) <= in.highest) {
		v.reportMember(at, name, "range",
			fmt.Sprintf("must be from %v to %v", in.lowest, in.highest))
	}
}

// length checks the number of elements of a list.
func (v *checker) length(at *codec.Location, name string, count, least, most int) {
	if count < least || count > most {
		v.reportMember(at, name, "length", fmt.Sprintf("must have %d to %d elements", least, most))
	}
}

func (v *checker) maxLength(at *codec.Location, name string, text *string, characters int) {
	if text != nil && utf8.RuneCountInString(*text) > characters {
		v.reportMember(at, name, "max", "must have at most "+strconv.Itoa(characters)+" characters")
	}
}

// object checks that a free-form value is an object if it is present.
func (v *checker) object(at *codec.Location, name string, value jsontext.Value) {
	if kind := value.Kind(); len(value) > 0 && kind != jsontext.KindBeginObject &&
		kind != jsontext.KindNull {
		v.reportMember(at, name, "object", "must be an object")
	}
}
