package instance

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// appendNumber appends a number within the bounds of a schema. Elements of a list get different
// numbers.
func appendNumber(dst []byte, schema facets, isInteger bool, index int) []byte {
	value := float64(1 + index)
	step := 1.0
	if !isInteger {
		value += 0.5
	}
	if multiple, ok := schema.number("multipleOf"); ok && multiple > 0 {
		step = multiple
		value = math.Ceil(value/multiple) * multiple
	}
	if lowest, ok := lowerBound(schema, step); ok && value < lowest {
		value = math.Ceil(lowest/step)*step + float64(index)*step
		if !isInteger && step == 1 {
			value = lowest + float64(index)
		}
	}
	if highest, ok := upperBound(schema, step); ok && value > highest {
		value = highest
		if isInteger || step != 1 {
			value = math.Floor(highest/step) * step
		}
	}
	return strconv.AppendFloat(dst, value, 'f', -1, 64)
}

func lowerBound(schema facets, step float64) (float64, bool) {
	if bound, ok := schema.number("exclusiveMinimum"); ok {
		return bound + step, true
	}
	return schema.number("minimum")
}

func upperBound(schema facets, step float64) (float64, bool) {
	if bound, ok := schema.number("exclusiveMaximum"); ok {
		return bound - step, true
	}
	return schema.number("maximum")
}

// formats has a text for each format of JSON Schema and the Gemini API.
var formats = map[string]string{
	"date":          "2026-01-02",
	"date-time":     "2026-01-02T03:04:05Z",
	"time":          "03:04:05Z",
	"duration":      "PT1H",
	"email":         "ada@example.com",
	"idn-email":     "ada@example.com",
	"uri":           "https://example.com/",
	"iri":           "https://example.com/",
	"uri-reference": "/example",
	"url":           "https://example.com/",
	"hostname":      "example.com",
	"ipv4":          "192.0.2.1",
	"ipv6":          "2001:db8::1",
	"uuid":          "01234567-89ab-4cde-8f01-23456789abcd",
	"byte":          "aGVsbG8=",
	"json-pointer":  "/a",
	"regex":         "a+",
}

// text returns a text that a schema allows: of its format or pattern, or else the name of the
// property.
func text(schema facets, at position) string {
	format, _ := strconv.Unquote(string(schema.first("format")))
	if value, ok := formats[format]; ok {
		return value
	}
	if pattern, err := strconv.Unquote(string(schema.first("pattern"))); err == nil &&
		pattern != "" {
		if value, ok := matching(pattern, schema.count("minLength")); ok {
			return value
		}
	}
	value := strings.NewReplacer("_", " ", "-", " ").Replace(at.name)
	if at.index > 0 {
		value += " " + strconv.Itoa(at.index+1)
	}
	return fitted(value, schema)
}

// fitted makes a text of the length that a schema requires, in characters.
func fitted(value string, schema facets) string {
	if missing := schema.count("minLength") - utf8.RuneCountInString(value); missing > 0 {
		value += strings.Repeat("x", missing)
	}
	if schema.first("maxLength") == nil {
		return value
	}
	runes := []rune(value)
	return string(runes[:min(len(runes), schema.count("maxLength"))])
}

// matching returns a text that matches a regular expression, or false if Go does not support it.
func matching(pattern string, length int) (string, bool) {
	expression, err := regexp.Compile(pattern)
	if err != nil {
		return "", false
	}
	for _, repeat := range []int{0, 1, length} {
		if value := generate(pattern, repeat); expression.MatchString(value) &&
			utf8.RuneCountInString(value) >= length {
			return value, true
		}
	}
	return "", false
}
