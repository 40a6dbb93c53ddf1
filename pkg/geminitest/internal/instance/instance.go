// Package instance makes JSON values that satisfy a schema: JSON Schema as responseJsonSchema and
// parametersJsonSchema take it, or a Schema of the Gemini API.
package instance

import (
	"slices"
	"strings"

	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/go-json-experiment/json/jsontext"
)

// Of returns a value that satisfies a schema, the same one for the same schema. With onlyRequired it leaves out the
// properties that need not be there, as a model does in arguments; else they are there as long as the value does not
// nest deep. What a schema says by if, not, dependencies or patternProperties is not looked at.
func Of(schema jsontext.Value, onlyRequired bool) jsontext.Value {
	m := maker{root: schema, onlyRequired: onlyRequired}
	return m.append(nil, m.resolve(schema, 0), spot{name: "text"})
}

// maker makes one value.
type maker struct {
	root         jsontext.Value
	onlyRequired bool
}

// spot is where a value is made.
type spot struct {
	// name is that of the property, which texts are made of.
	name string
	// depth counts the values around this one.
	depth int
	// index tells the elements of a list from one another.
	index int
}

// Beyond these depths optional properties, then optional elements, are left out, so that a schema that refers to
// itself comes to an end; beyond the last there is null.
const (
	optionalDepth = 3
	elementDepth  = 5
	maxDepth      = 100
	// maxSize bounds the bytes of a value, which a few counts within one another could make endless.
	maxSize = 1 << 16
)

func (m *maker) append(dst []byte, schema facets, at spot) []byte {
	if value := schema.given(at.index); value != nil {
		return append(dst, value...)
	}
	switch kind := schema.kind(); {
	case at.depth > maxDepth || kind == "null":
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
		dst, _ = jsontext.AppendQuote(dst, text(schema, at))
		return dst
	}
}

func (m *maker) appendObject(dst []byte, schema facets, at spot) []byte {
	required := schema.names("required")
	first := true
	dst = append(dst, '{')
	member := func(name string, of facets) {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst, _ = jsontext.AppendQuote(dst, name)
		dst = append(dst, ':')
		dst = m.append(dst, of, spot{name: name, depth: at.depth + 1, index: at.index})
	}
	made := 0
	for _, name := range schema.propertyNames() {
		optional := !slices.Contains(required, name)
		if optional && (m.onlyRequired || at.depth >= optionalDepth) {
			continue
		}
		member(name, m.resolveAll(schema.property(name), at.depth))
		made++
	}
	for _, name := range required {
		if len(schema.property(name)) == 0 {
			member(name, m.resolveAll(schema.all("additionalProperties"), at.depth))
			made++
		}
	}
	for i := made; i < schema.count("minProperties") && len(dst) < maxSize; i++ {
		member("more"+strings.Repeat("_", i), m.resolveAll(schema.all("additionalProperties"), at.depth))
	}
	return append(dst, '}')
}

func (m *maker) appendArray(dst []byte, schema facets, at spot) []byte {
	dst = append(dst, '[')
	prefix := rawobject.Elements(schema.first("prefixItems"))
	for i := range m.elementCount(schema, len(prefix), at.depth) {
		if len(dst) > maxSize {
			break
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		of := schema.all("items")
		if i < len(prefix) {
			of = facets{prefix[i]}
		}
		dst = m.append(dst, m.resolveAll(of, at.depth), spot{name: at.name, depth: at.depth + 1, index: i})
	}
	return append(dst, ']')
}

// elementCount is one element where a list may have one, more where it must.
func (m *maker) elementCount(schema facets, prefix, depth int) int {
	n := max(1, prefix)
	if depth >= elementDepth || m.onlyRequired {
		n = prefix
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

// target returns what a reference within the schema names, nil for any other.
func (m *maker) target(reference string) jsontext.Value {
	pointer, isInside := strings.CutPrefix(reference, "#")
	if !isInside {
		return nil
	}
	start, end := rawobject.Find(m.root, jsontext.Pointer(pointer))
	return m.root[start:end]
}
