// Package instance makes JSON values that satisfy a schema: a JSON Schema of responseJsonSchema or
// parametersJsonSchema, or a Schema of the Gemini API.
package instance

import (
	"strings"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// Of returns a value that satisfies a schema, the same value for the same schema. With onlyRequired
// it omits optional properties, like a model does in arguments. Otherwise it includes them while
// the value is not nested deeply. It ignores if, not, dependencies and patternProperties.
//
// A value has at most [budget] values within it. If it would have more, as with a schema that
// refers to itself, Of makes it again with required values only. If that is also too much, the
// value is cut off: it has null where it ends, and does not satisfy the schema.
func Of(schema jsontext.Value, onlyRequired bool) jsontext.Value {
	return maker{onlyRequired: onlyRequired}.within(schema)
}

// Arguments returns arguments that satisfy the schema of a function's parameters. They are an
// object with the properties that the schema requires. From a choice at the root, it uses the first
// object schema.
func Arguments(schema jsontext.Value) jsontext.Value {
	args := maker{onlyRequired: true, isArguments: true}.within(schema)
	if args.Kind() != jsontext.KindBeginObject { // a constant of another kind
		return jsontext.Value("{}")
	}
	return args
}

// within makes a value within the budget.
func (m maker) within(schema jsontext.Value) jsontext.Value {
	m.budget = budget
	least := m
	if value, ok := m.make(schema); ok {
		return value
	}
	least.onlyRequired, least.isLeast = true, true
	value, _ := least.make(schema)
	return value
}

const (
	// budget is the maximum number of values within a value. A value counts as several if it or its
	// schema is long.
	budget = 10_000
	// bytesPerValue and schemaPerValue are the numbers of bytes of a value and of its schema that
	// count as one more value.
	bytesPerValue  = 32
	schemaPerValue = 4096
)

// maker makes one value.
type maker struct {
	root         jsontext.Value
	onlyRequired bool
	// isArguments requires the whole value to be an object.
	isArguments bool
	// wantsObject is true during the choices at the root of arguments.
	wantsObject bool
	// isLeast omits everything that the schema does not require.
	isLeast bool
	// budget is the remaining number of values. isCut reports that it was too small, or that a
	// value is nested too deeply.
	budget int
	isCut  bool
	// ends caches the results of [maker.endsWithin].
	ends map[question]bool
}

// make returns a value, and false if it was cut.
func (m *maker) make(schema jsontext.Value) (jsontext.Value, bool) {
	m.root, m.ends = schema, make(map[question]bool)
	m.wantsObject = m.isArguments
	root := m.resolve(schema, 0)
	m.wantsObject = false
	value := m.append(nil, root, position{name: "text"})
	return value, !m.isCut
}

// spend takes a value from the budget, and returns false if the budget is used up.
func (m *maker) spend(values int) bool {
	m.budget -= values
	m.isCut = m.isCut || m.budget < 0
	return !m.isCut
}

// position is the position of a value.
type position struct {
	// name is the name of the property, from which texts are made.
	name string
	// depth counts the values around this one.
	depth int
	// index distinguishes the elements of a list.
	index int
}

// Beyond the first depths optional properties, then optional elements, are omitted, so that a
// schema that refers to itself ends. Beyond the last depth values are null.
const (
	optionalDepth = 3
	elementDepth  = 5
	maxDepth      = 100
)

func (m *maker) append(dst []byte, schema facets, at position) []byte {
	m.isCut = m.isCut || at.depth > maxDepth
	if !m.spend(1) {
		return append(dst, "null"...)
	}
	kind := schema.kind()
	if m.isArguments && at.depth == 0 {
		kind = "object"
	}
	switch {
	case schema.given(at.index) != nil:
		return m.appendBounded(dst, schema.given(at.index))
	case kind == "null":
		return append(dst, "null"...)
	case kind == "object":
		return m.appendObject(dst, schema, at)
	case kind == "array":
		return m.appendArray(dst, schema, at)
	case kind == "boolean":
		return append(dst, "true"...)
	case kind == "integer" || kind == "number":
		return appendNumber(dst, schema, kind == "integer", at.index)
	default:
		quoted, _ := jsontext.AppendQuote(nil, text(schema, at))
		return m.appendBounded(dst, quoted)
	}
}

// appendBounded appends a value that may be long.
func (m *maker) appendBounded(dst []byte, value jsontext.Value) []byte {
	if !m.spend(len(value) / bytesPerValue) {
		return append(dst, "null"...)
	}
	return append(dst, value...)
}

func (m *maker) appendObject(dst []byte, schema facets, at position) []byte {
	required, properties := schema.names("required"), schema.properties()
	isRequired := make(map[string]bool)
	for _, name := range required {
		isRequired[name] = true
	}
	first := true
	dst = append(dst, '{')
	member := func(name string, of facets) {
		if !m.spend(len(name) / bytesPerValue) {
			return
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst, _ = jsontext.AppendQuote(dst, name)
		dst = append(dst, ':')
		dst = m.append(dst, of, position{name: name, depth: at.depth + 1, index: at.index})
	}
	made := 0
	for _, name := range properties.names {
		if !isRequired[name] && (m.onlyRequired || at.depth >= optionalDepth) {
			continue
		}
		if m.isCut {
			break
		}
		member(name, m.resolveAll(properties.of[name], at.depth))
		made++
	}
	for _, name := range required {
		if len(properties.of[name]) == 0 && !m.isCut {
			member(name, m.resolveAll(schema.all("additionalProperties"), at.depth))
			made++
		}
	}
	for i := made; i < schema.count("minProperties") && !m.isCut; i++ {
		member("more"+strings.Repeat("_", i),
			m.resolveAll(schema.all("additionalProperties"), at.depth))
	}
	return append(dst, '}')
}

func (m *maker) appendArray(dst []byte, schema facets, at position) []byte {
	dst = append(dst, '[')
	prefix := jsonx.Elements(schema.first("prefixItems"))
	for i := range m.elementCount(schema, len(prefix), at.depth) {
		if m.isCut {
			break
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		of := schema.all("items")
		if i < len(prefix) {
			of = facets{prefix[i]}
		}
		dst = m.append(dst, m.resolveAll(of, at.depth),
			position{name: at.name, depth: at.depth + 1, index: i})
	}
	return append(dst, ']')
}

// elementCount is one element if the list allows it, and more if the list requires it.
func (m *maker) elementCount(schema facets, prefix, depth int) int {
	n := max(1, prefix)
	if depth >= elementDepth || m.onlyRequired {
		n = prefix
	}
	if m.isLeast {
		n = 0
	}
	n = max(n, schema.count("minItems"))
	if most := schema.first("maxItems"); most != nil {
		n = min(n, schema.count("maxItems"))
	}
	if items := schema.first("items"); items.Kind() == jsontext.KindFalse {
		n = min(n, prefix)
	}
	return n
}

// target returns the target of a reference within the schema, and nil for any other reference.
func (m *maker) target(reference string) jsontext.Value {
	pointer, isInside := strings.CutPrefix(reference, "#")
	if !isInside {
		return nil
	}
	start, end := jsonx.Find(m.root, jsontext.Pointer(pointer))
	return m.root[start:end]
}
