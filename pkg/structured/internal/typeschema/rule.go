package typeschema

import (
	"cmp"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"
)

// addRules returns a schema with what validate rules say of its values, which are of type t.
func (g *generator) addRules(schema *jsonschema.Schema, t reflect.Type, rules []string) *jsonschema.Schema {
	schema = g.own(schema)
	for i, rule := range rules {
		if rule == "dive" {
			g.addElementRules(schema, t, rules[i+1:])
			break
		}
		if name, parameter, _ := strings.Cut(rule, "="); !strings.Contains(rule, "|") {
			addRule(schema, t.Kind(), name, escapedRule.Replace(parameter))
		}
	}
	return schema
}

// escapedRule are the characters that separate rules, as they are written in a parameter.
var escapedRule = strings.NewReplacer("0x2C", ",", "0x7C", "|")

// own returns a copy of a schema, which may be shared by all who use a type. That of a struct is not
// changed by rules and stays a reference.
func (g *generator) own(schema *jsonschema.Schema) *jsonschema.Schema {
	own := *schema
	definition := g.definitions[strings.TrimPrefix(schema.Ref, definitionPrefix)]
	if definition != nil && definition.Properties == nil {
		own = *definition
		own.Description = cmp.Or(schema.Description, definition.Description)
	}
	return &own
}

// addElementRules adds the rules behind dive to the elements of a list or a map.
func (g *generator) addElementRules(schema *jsonschema.Schema, t reflect.Type, rules []string) {
	if end := slices.Index(rules, "endkeys"); end >= 0 && rules[0] == "keys" {
		rules = rules[end+1:]
	}
	element := &schema.Items
	if t.Kind() == reflect.Map {
		element = &schema.AdditionalProperties
	}
	if *element == nil || *element == jsonschema.FalseSchema {
		return
	}
	t = t.Elem()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	*element = g.addRules(*element, t, rules)
}

// addRule adds a rule, if JSON Schema has a keyword for it.
func addRule(schema *jsonschema.Schema, kind reflect.Kind, name, parameter string) {
	family := familyOf[kind]
	if family != schema.Type {
		return // another form in JSON than that of the kind
	}
	switch {
	case name == "eq":
		addEnum(schema, []string{parameter})
	case name == "oneof":
		addEnum(schema, choice.FindAllString(parameter, -1))
	case name == "required" && family == "string":
		bounds["min"].add(schema, "1")
	default:
		bounds[name].add(schema, parameter)
	}
}

// familyOf names the types of JSON Schema whose values rules can be about.
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

// bound is what a rule about a size or a value limits.
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

// add adds the keywords for a bound. Those that are there already are replaced.
func (b bound) add(schema *jsonschema.Schema, parameter string) {
	if schema.Type == "number" {
		if isNumber(parameter) {
			setNumber(&schema.Minimum, parameter, b.low)
			setNumber(&schema.Maximum, parameter, b.high)
		}
		return
	}
	size, err := strconv.ParseInt(parameter, 10, 64)
	if err != nil {
		return // a duration, or no bound at all
	}
	size += b.off
	switch schema.Type {
	case "integer":
		setNumber(&schema.Minimum, strconv.FormatInt(size, 10), b.low)
		setNumber(&schema.Maximum, strconv.FormatInt(size, 10), b.high)
	case "string":
		setSize(&schema.MinLength, size, b.low)
		setSize(&schema.MaxLength, size, b.high)
	case "array":
		setSize(&schema.MinItems, size, b.low)
		setSize(&schema.MaxItems, size, b.high)
	}
}

func setNumber[N ~string](keyword *N, number string, limits bool) {
	if limits {
		*keyword = N(number)
	}
}

func setSize(keyword **uint64, size int64, limits bool) {
	if limits && size >= 0 {
		*keyword = new(uint64(size))
	}
}

// choice is one of the choices of oneof, in single quotes if it holds a space.
var choice = regexp.MustCompile(`'[^']*'|\S+`)

func addEnum(schema *jsonschema.Schema, choices []string) {
	var enum []any
	for _, c := range choices {
		if schema.Type == "string" {
			enum = append(enum, strings.ReplaceAll(c, "'", ""))
		} else if isNumber(c) {
			enum = append(enum, jsontext.Value(c))
		}
	}
	if schema.Type != "array" && len(enum) > 0 {
		schema.Enum = enum
	}
}

// isNumber reports whether a parameter of a rule is a number in JSON too.
func isNumber(parameter string) bool {
	value := jsontext.Value(parameter)
	return value.Kind() == jsontext.KindNumber && value.IsValid()
}
