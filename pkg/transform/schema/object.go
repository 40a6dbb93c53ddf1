package schema

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/go-json-experiment/json/jsontext"
)

// property is a property of an object, with all schemas that it must satisfy.
type property struct {
	source
	more []source
}

func (c *converter) readProperties(s *shape, v *value, jumps *jump) {
	if !v.isObject() {
		c.report(report.Lost, v, "not an object of schemas")
		return
	}
	s.propertiesAt = v
	isFirst := len(s.properties) == 0
	if isFirst {
		s.properties = slices.Grow(s.properties, v.count())
	}
	for m := v.first; m != nil; m = m.next {
		if m.isNull() {
			continue
		}
		c.charge(m, 1)
		if src := (source{m, jumps}); isFirst {
			s.properties = append(s.properties, property{source: src})
		} else {
			s.addProperty(src)
		}
	}
}

// addProperty adds a property with its schema. The property may already exist.
func (s *shape) addProperty(src source) {
	name := src.value.name
	if at := s.position(name); at >= 0 {
		p := &s.properties[at]
		p.more = append(slices.Clip(p.more), src)
		return
	}
	s.positions[name] = len(s.properties)
	s.properties = append(s.properties, property{source: src})
}

// position returns the position of a property in the list of an object, or -1.
func (s *shape) position(name string) int {
	if s.positions == nil {
		s.positions = make(map[string]int, len(s.properties))
		for i, p := range s.properties {
			s.positions[p.value.name] = i
		}
	}
	at, ok := s.positions[name]
	if !ok {
		return -1
	}
	return at
}

func (c *converter) readRequired(s *shape, v *value, _ *jump) {
	if !v.isList() {
		c.report(report.Lost, v, "not a list of names")
		return
	}
	s.required = slices.Grow(s.required, v.count())
	for e := v.first; e != nil; e = e.next {
		if !e.isString() {
			c.report(report.Lost, e, "not a name")
			continue
		}
		s.required = append(s.required, e)
	}
}

// readOrdering reads the order of properties from Gemini's own form.
func (c *converter) readOrdering(s *shape, v *value, _ *jump) {
	switch {
	case !v.isList():
		c.report(report.Lost, v, "not a list of names")
	case s.ordering != nil:
		c.report(report.Lost, v, "another order is used")
	default:
		s.ordering = v
	}
}

// readAdditional reads the schema for additional properties, which only the form of Vertex AI can
// express.
func (c *converter) readAdditional(s *shape, v *value, jumps *jump) {
	if !c.vertexAI {
		c.report(report.Lost, v, "the Gemini API's schema allows only declared properties")
		return
	}
	s.additional = append(s.additional, source{v, jumps})
}

// object completes the result for an object.
func (c *converter) object(out *geminiapi.Schema, s *shape) {
	order := c.properties(out, s)
	if s.ordering != nil {
		out.PropertyOrdering = c.order(s.ordering, out.Properties)
	}
	if out.PropertyOrdering == nil && len(order) > 1 {
		out.PropertyOrdering = order
	}
	out.Required = c.requiredOf(s, out.Properties)
	out.AdditionalProperties = c.additionalProperties(s)
	if s.propertiesAt == nil && len(s.additional) == 0 {
		c.report(report.Approximated, s.at,
			"all properties are allowed, but the model writes only declared ones")
	}
}

const whyNever = "dropped with its property, because no value is allowed"

// properties sets the properties of an object, and returns their names in order.
func (c *converter) properties(out *geminiapi.Schema, s *shape) []string {
	if s.propertiesAt == nil {
		return nil
	}
	out.Properties = make(map[string]geminiapi.Schema, len(s.properties))
	order := make([]string, 0, len(s.properties))
	slot := make([]geminiapi.Schema, 0, 1)
	for _, p := range s.properties {
		name := p.value.name
		c.chargeText(p.value, name)
		own := c.shapeOf(p.source, p.more...)
		if own.never == nil {
			out.Properties[name] = *one(c.schemas(slot[:0], own))
			order = append(order, name)
		} else {
			c.report(report.Lost, p.value, whyNever)
			c.reportSources(report.Lost, own.sources, whyNever)
		}
		c.release(own)
	}
	return order
}

// order returns the names of an order that are properties.
func (c *converter) order(v *value, properties map[string]geminiapi.Schema) []string {
	var out []string
	for e := v.first; e != nil; e = e.next {
		if name, ok := c.declared(e, properties); ok {
			out = append(out, name)
		}
	}
	return out
}

// requiredOf returns the names of the required properties, each once.
func (c *converter) requiredOf(s *shape, properties map[string]geminiapi.Schema) []string {
	if len(s.required) == 0 {
		return nil
	}
	out := make([]string, 0, len(s.required))
	for _, v := range s.required {
		c.charge(v, len(out)/256)
		if name, ok := c.declared(v, properties); ok && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return orNil(out)
}

// orNil returns nil for an empty list, so that it is absent.
func orNil(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}

// declared returns the name of a property. It reports a property that is not declared, because the
// API refuses it.
func (c *converter) declared(v *value, properties map[string]geminiapi.Schema) (name string,
	ok bool) {
	name = v.text()
	if _, ok = properties[name]; !ok || !v.isString() {
		c.report(report.Lost, v, "the property is not declared")
		return "", false
	}
	c.charge(v, 1+len(name)/64)
	return name, true
}

// additionalProperties returns Vertex AI's form of the schema for additional properties, or nil.
func (c *converter) additionalProperties(s *shape) jsontext.Value {
	if len(s.additional) == 0 {
		return nil
	}
	var schemas []source
	for i, src := range s.additional {
		switch {
		case src.value.isFalse():
			c.reportSources(report.Approximated, slices.Delete(slices.Clone(s.additional), i, i+1),
				"another schema that applies too allows no other properties")
			return jsontext.Value("false")
		case !src.value.isTrue():
			schemas = append(schemas, src)
		}
	}
	if len(schemas) == 0 {
		return jsontext.Value("true")
	}
	return c.encode(c.schema(schemas))
}
