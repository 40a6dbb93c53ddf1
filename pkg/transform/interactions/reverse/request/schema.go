package request

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json/jsontext"
)

const detailEmptyRequired = "omitted, because Google refuses an empty list of required properties"

// ownSchema returns a schema in Gemini's form as JSON Schema: types are in lower case, null is one
// of them, and limits are numbers.
func (c *converter) ownSchema(in *geminiapi.Schema, at string) jsontext.Value {
	document, entries := schema.ToJSON(in)
	for _, e := range entries {
		c.report.Add(e.Kind, at+e.Pointer, e.Detail)
	}
	c.reportEmptyRequired(in, at)
	return c.jsonSchema(document, at)
}

// reportEmptyRequired reports empty lists of required properties, which JSON Schema omits.
func (c *converter) reportEmptyRequired(in *geminiapi.Schema, at string) {
	if in.Required != nil && len(in.Required) == 0 {
		c.report.Add(report.Approximated, at+"/required", detailEmptyRequired)
	}
	for i := range in.AnyOf {
		c.reportEmptyRequired(&in.AnyOf[i], at+"/anyOf/"+strconv.Itoa(i))
	}
	if in.Items != nil {
		c.reportEmptyRequired(in.Items, at+"/items")
	}
	for name, inner := range in.Properties {
		c.reportEmptyRequired(&inner, jsonx.MemberPointer(at+"/properties", name))
	}
	for name, inner := range in.Defs {
		c.reportEmptyRequired(&inner, jsonx.MemberPointer(at+"/defs", name))
	}
}

// jsonSchema returns a JSON Schema without empty lists of required properties. All other bytes stay
// as they are.
func (c *converter) jsonSchema(document jsontext.Value, at string) jsontext.Value {
	if !bytes.Contains(document, []byte(`"required"`)) {
		return document
	}
	out, _ := c.withoutEmptyRequired(document, at)
	return out
}

// dataKeywords have values that are data and not schemas. The list is never modified.
var dataKeywords = map[string]bool{"enum": true, "const": true, "default": true, "example": true,
	"examples": true}

// namedSchemas have schemas by names that are not keywords. The list is never modified.
var namedSchemas = map[string]bool{"properties": true, "patternProperties": true, "$defs": true,
	"definitions": true, "dependentSchemas": true}

// withoutEmptyRequired removes empty lists of required properties from a schema and the schemas in
// it. It reports whether there was one.
func (c *converter) withoutEmptyRequired(in jsontext.Value, at string) (jsontext.Value, bool) {
	if in.Kind() != jsontext.KindBeginObject {
		return in, false
	}
	changed := false
	var out jsontext.Value
	for name, value := range jsonx.Members(in) {
		pointer := jsonx.MemberPointer(at, name)
		switch {
		case name == "required" && isEmptyList(value):
			c.report.Add(report.Approximated, pointer, detailEmptyRequired)
			changed = true
			continue
		case dataKeywords[name]:
		default:
			inner, isChanged := c.withoutEmptyInMember(name, value, pointer)
			value, changed = inner, changed || isChanged
		}
		out = appendMember(out, name, value)
	}
	if !changed {
		return in, false
	}
	return endObject(out), true
}

// withoutEmptyInMember does the same for the value of a keyword.
func (c *converter) withoutEmptyInMember(name string, in jsontext.Value,
	at string) (jsontext.Value, bool) {
	switch {
	case in.Kind() == jsontext.KindBeginArray:
		return c.withoutEmptyInList(in, at)
	case namedSchemas[name]:
		return c.withoutEmptyInNamed(in, at)
	default:
		return c.withoutEmptyRequired(in, at)
	}
}

func (c *converter) withoutEmptyInList(in jsontext.Value, at string) (jsontext.Value, bool) {
	changed := false
	elements := jsonx.Elements(in)
	for i := range elements {
		inner, isChanged := c.withoutEmptyRequired(elements[i], at+"/"+strconv.Itoa(i))
		elements[i], changed = inner, changed || isChanged
	}
	if !changed {
		return in, false
	}
	out := jsontext.Value("[")
	for i, e := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, e...)
	}
	return append(out, ']'), true
}

func (c *converter) withoutEmptyInNamed(in jsontext.Value, at string) (jsontext.Value, bool) {
	changed := false
	var out jsontext.Value
	for name, value := range jsonx.Members(in) {
		inner, isChanged := c.withoutEmptyRequired(value, jsonx.MemberPointer(at, name))
		out, changed = appendMember(out, name, inner), changed || isChanged
	}
	if !changed {
		return in, false
	}
	return endObject(out), true
}

func isEmptyList(value jsontext.Value) bool {
	return value.Kind() == jsontext.KindBeginArray && len(bytes.TrimSpace(value[1:len(value)-1])) == 0
}

func appendMember(object jsontext.Value, name string, value jsontext.Value) jsontext.Value {
	separator := byte(',')
	if len(object) == 0 {
		separator = '{'
	}
	object = append(object, separator)
	object, _ = jsontext.AppendQuote(object, name) // invalid UTF-8 was refused before
	return slices.Concat(object, jsontext.Value(":"), value)
}

func endObject(object jsontext.Value) jsontext.Value {
	if len(object) == 0 {
		return jsontext.Value("{}")
	}
	return append(object, '}')
}
