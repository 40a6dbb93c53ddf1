package structvalidator

import (
	"reflect"
	"strings"
	"unicode"

	"github.com/go-playground/validator/v10"
)

// want returns the expectation of a tag: the table's text with the tag's parameter.
func want(fault validator.FieldError) string {
	texts := valueTexts
	switch fault.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array:
		texts = lengthTexts
	case reflect.String:
		texts = stringTexts
	}
	for _, table := range []map[string]string{texts, valueTexts} {
		if text, ok := table[fault.Tag()]; ok {
			return strings.ReplaceAll(text, "%", parameter(fault))
		}
	}
	if fault.Param() != "" {
		return "must fulfil " + fault.Tag() + "=" + fault.Param()
	}
	return "must fulfil " + fault.Tag()
}

// parameter returns the tag's parameter. oneof separates its choices by spaces.
func parameter(fault validator.FieldError) string {
	switch fault.Tag() {
	case "oneof":
		return strings.ReplaceAll(fault.Param(), " ", ", ")
	case "gtefield", "ltefield":
		return memberName(fault.Param())
	case "required_if":
		if field, value, ok := strings.Cut(fault.Param(), " "); ok {
			return memberName(field) + " is " + value
		}
	}
	return fault.Param()
}

// memberName returns the JSON name of a Go field that a tag names, such as start_index for
// StartIndex. This holds for all APIs whose tags name fields.
func memberName(field string) string {
	var out strings.Builder
	for i, c := range field {
		if unicode.IsUpper(c) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(c))
	}
	return out.String()
}

// valueTexts has the texts for the tags that are used here. % is the tag's parameter.
var valueTexts = map[string]string{
	"required":    "must be set",
	"required_if": "must be set, as %",
	"oneof":       "must be one of %",
	"eq":          "must be %",
	"ne":          "must not be %",
	"gt":          "must be greater than %",
	"gte":         "must be at least %",
	"min":         "must be at least %",
	"lt":          "must be less than %",
	"lte":         "must be at most %",
	"max":         "must be at most %",
	"gtefield":    "must be at least %",
	"ltefield":    "must be at most %",
	"url":         "must be a URL",
	"uri":         "must be a URI",
	"json":        "must be JSON",
	"unique":      "must not contain an element twice",
}

// stringTexts has the texts that are different for a string.
var stringTexts = map[string]string{
	"len": "must have % characters",
	"gt":  "must have more than % characters",
	"gte": "must have at least % characters",
	"min": "must have at least % characters",
	"lt":  "must have fewer than % characters",
	"lte": "must have at most % characters",
	"max": "must have at most % characters",
}

// lengthTexts has the texts that are different for a list or a map.
var lengthTexts = map[string]string{
	"len": "must have % elements",
	"gt":  "must have more than % elements",
	"gte": "must have at least % elements",
	"min": "must have at least % elements",
	"lt":  "must have fewer than % elements",
	"lte": "must have at most % elements",
	"max": "must have at most % elements",
}
