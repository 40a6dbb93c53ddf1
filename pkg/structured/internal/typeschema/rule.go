package typeschema

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// addRules adds validate rules to the schema of a value. kind is the kind of its Go type.
func addRules(s *schema, kind reflect.Kind, rules []string) {
	for _, rule := range rules {
		if rule == "dive" {
			return
		}
		if name, parameter, _ := strings.Cut(rule, "="); !strings.Contains(rule, "|") {
			addRule(s, kind, name, escapedRule.Replace(parameter))
		}
	}
}

// escapedRule replaces the escaped forms of the characters that separate rules.
var escapedRule = strings.NewReplacer("0x2C", ",", "0x7C", "|")

// elementRules returns the rules after dive, which apply to the elements of a list or map.
func elementRules(rules []string) []string {
	dive := slices.Index(rules, "dive")
	if dive < 0 {
		return nil
	}
	rules = rules[dive+1:]
	if end := slices.Index(rules, "endkeys"); end >= 0 && rules[0] == "keys" {
		rules = rules[end+1:]
	}
	return rules
}

// addRule adds a rule, if JSON Schema has a keyword for it.
func addRule(s *schema, kind reflect.Kind, name, parameter string) {
	family := familyOf[kind]
	if family != s.Type {
		return // the kind has another form in JSON
	}
	switch {
	case name == "eq":
		addEnum(s, []string{parameter})
	case name == "oneof":
		addEnum(s, choice.FindAllString(parameter, -1))
	case name == "required" && family == "string":
		bounds["min"].add(s, "1")
	default:
		bounds[name].add(s, parameter)
	}
}

// familyOf names the JSON Schema types that rules can apply to.
var familyOf = map[reflect.Kind]string{
	reflect.String:  "string",
	reflect.Slice:   "array",
	reflect.Array:   "array",
	reflect.Float32: "number",
	reflect.Float64: "number",
	reflect.Int:     "integer",
	reflect.Int8:    "integer",
	reflect.Int16:   "integer",
	reflect.Int32:   "integer",
	reflect.Int64:   "integer",
	reflect.Uint:    "integer",
	reflect.Uint8:   "integer",
	reflect.Uint16:  "integer",
	reflect.Uint32:  "integer",
	reflect.Uint64:  "integer",
}

// bound is the limit that a rule sets on a size or value.
type bound struct {
	low, high bool
	off       int64 // from the parameter to the bound, of whole numbers
}

var bounds = map[string]bound{
	"min": {low: true},
	"gte": {low: true},
	"gt":  {low: true, off: 1},
	"max": {high: true},
	"lte": {high: true},
	"lt":  {high: true, off: -1},
	"len": {low: true, high: true},
}

// add adds the keywords for a bound. It replaces existing ones.
func (b bound) add(s *schema, parameter string) {
	if s.Type == "number" {
		if isNumber(parameter) {
			setNumber(&s.Minimum, parameter, b.low)
			setNumber(&s.Maximum, parameter, b.high)
		}
		return
	}
	size, err := strconv.ParseInt(parameter, 10, 64)
	if err != nil {
		return // a duration, or no bound at all
	}
	size += b.off
	switch s.Type {
	case "integer":
		setNumber(&s.Minimum, strconv.FormatInt(size, 10), b.low)
		setNumber(&s.Maximum, strconv.FormatInt(size, 10), b.high)
	case "string":
		setSize(&s.MinLength, size, b.low)
		setSize(&s.MaxLength, size, b.high)
	case "array":
		setSize(&s.MinItems, size, b.low)
		setSize(&s.MaxItems, size, b.high)
	}
}

func setNumber(keyword *jsontext.Value, number string, limits bool) {
	if limits {
		*keyword = jsontext.Value(number)
	}
}

func setSize(keyword **uint64, size int64, limits bool) {
	if limits && size >= 0 {
		*keyword = new(uint64(size))
	}
}

// choice is one of the choices of oneof, in single quotes if it contains a space.
var choice = regexp.MustCompile(`'[^']*'|\S+`)

func addEnum(s *schema, choices []string) {
	var enum []any
	for _, c := range choices {
		if s.Type == "string" {
			enum = append(enum, strings.ReplaceAll(c, "'", ""))
		} else if isNumber(c) {
			enum = append(enum, jsontext.Value(c))
		}
	}
	if s.Type != "array" && len(enum) > 0 {
		s.Enum = enum
	}
}

// isNumber reports whether a parameter of a rule is a number in JSON too.
func isNumber(parameter string) bool {
	value := jsontext.Value(parameter)
	return value.Kind() == jsontext.KindNumber && value.IsValid()
}
