package instance

import (
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json/jsontext"
)

// maxHeight is where looking for an end of a schema ends.
const maxHeight = 20

// height is how many values nest at least in one that satisfies a schema: 0 for a number, 1 for an
// object that must have a number. It is more than maxHeight for a schema that has no end.
func (m *maker) height(schema jsontext.Value) int {
	height := 0
	for height <= maxHeight && !m.endsWithin(schema, height) {
		height++
	}
	return height
}

// question is a question of [maker.endsWithin].
type question struct {
	schema string
	height int
}

// endsWithin reports whether a schema has a value of a height. A question that leads to itself has
// none: it is how a schema refers to itself without a way out.
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

// partsEndWithin asks for all that a schema is made of, and for what its value must hold.
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
