package instance

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// maxHeight limits the search for the height of a schema.
const maxHeight = 20

// height returns the minimum nesting of a value that satisfies a schema: 0 for a number, 1 for an
// object that must have a number. It is above maxHeight for a schema that cannot end.
func (m *maker) height(schema jsontext.Value) int {
	height := 0
	for height <= maxHeight && !m.endsWithin(schema, height) {
		height++
	}
	return height
}

// question is the arguments of a call of [maker.endsWithin].
type question struct {
	schema string
	height int
}

// endsWithin reports whether a schema has a value of a height. If the question leads to itself, the
// answer is no: the schema refers to itself without an end.
func (m *maker) endsWithin(schema jsontext.Value, height int) bool {
	if height < 0 || !m.spend(len(schema)/schemaPerValue) {
		return false
	}
	question := question{string(schema), height}
	if ends, known := m.ends[question]; known {
		return ends
	}
	m.ends[question] = false
	m.ends[question] = m.partsEndWithin(schema, height)
	return m.ends[question]
}

// partsEndWithin checks all parts of a schema, and the required parts of its value.
func (m *maker) partsEndWithin(schema jsontext.Value, height int) bool {
	of := facets{schema}
	if of.given(0) != nil {
		return true
	}
	within := func(height int) func(jsontext.Value) bool {
		return func(part jsontext.Value) bool { return m.endsWithin(part, height) }
	}
	for name, value := range jsonx.Members(schema) {
		ends := true
		switch name {
		case "$ref", "ref":
			reference, _ := strconv.Unquote(string(value))
			ends = m.endsWithin(m.target(reference), height)
		case "allOf":
			ends = all(jsonx.Elements(value), within(height))
		case "anyOf", "oneOf":
			ends = slices.ContainsFunc(jsonx.Elements(value), within(height))
		case "items":
			ends = of.count("minItems") == 0 || m.endsWithin(value, height-1)
		case "prefixItems":
			elements := jsonx.Elements(value)
			ends = all(elements[:min(len(elements), of.count("minItems"))], within(height-1))
		case "required":
			properties := of.properties()
			for _, required := range of.names(name) {
				ends = ends && all(properties.of[required], within(height-1))
			}
		}
		if !ends {
			return false
		}
	}
	return true
}

func all(schemas []jsontext.Value, holds func(jsontext.Value) bool) bool {
	return !slices.ContainsFunc(schemas, func(schema jsontext.Value) bool { return !holds(schema) })
}
