package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
)

// checkSchema checks a Schema, the part of OpenAPI that the backends read in parameters, response
// and responseSchema. Of the rules that span its members, it applies those that the Gemini API
// applies ("only allowed for OBJECT type", "property is not defined", "missing field").
func (v *checker) checkSchema(at *codec.Location, s *geminiapi.Schema) {
	v.schemaType(at, s)
	v.schemaRequired(at, s)
	v.schemaValues(at, s.Enum)
}

// schemaType: some members fit only one type. Vertex AI requires a type everywhere; it accepts an
// enum of integers, which the Gemini API refuses.
func (v *checker) schemaType(at *codec.Location, s *geminiapi.Schema) {
	for _, member := range [...]struct {
		name string
		set  bool
		only geminiapi.SchemaType
	}{
		{"properties", len(s.Properties) > 0, geminiapi.SchemaTypeObject},
		{"required", len(s.Required) > 0, geminiapi.SchemaTypeObject},
		{"items", s.Items != nil, geminiapi.SchemaTypeArray},
		{"minItems", s.MinItems != nil, geminiapi.SchemaTypeArray},
		{"maxItems", s.MaxItems != nil, geminiapi.SchemaTypeArray},
		{"enum", len(s.Enum) > 0 && v.backend == GeminiAPI, geminiapi.SchemaTypeString},
	} {
		if member.set && !mayBe(s.Type, member.only) {
			v.reportMember(at, member.name, ruleNeeds, "",
				"is only for the type "+string(member.only)+", which this schema does not have")
		}
	}
	if isEnum(s.Type, geminiapi.SchemaTypeArray) && s.Items == nil {
		v.reportMember(at, "items", ruleRequired, "", "an ARRAY must describe its elements")
	}
	if v.backend == VertexAI && s.Type == nil && s.AnyOf == nil && s.Ref == nil {
		v.reportMember(at, "type", ruleRequired, "",
			"Vertex AI needs a type in every schema, or anyOf")
	}
}

// mayBe reports whether a schema is of a type, or of a type that only the backend can check: a
// number, or a name that was already reported.
func mayBe(t *geminiapi.SchemaType, want geminiapi.SchemaType) bool {
	return isEnum(t, want) || t != nil && !geminiapi.SchemaType(strings.ToUpper(string(*t))).Valid()
}

func (v *checker) schemaRequired(at *codec.Location, s *geminiapi.Schema) {
	if !isEnum(s.Type, geminiapi.SchemaTypeObject) {
		return // the whole schema was refused
	}
	list := at.Member("required")
	name := list.Element(0)
	for i, required := range s.Required {
		if _, ok := s.Properties[required]; !ok {
			name.Index = i
			v.report(&name, ruleDeclared, shortString(required),
				quote(required)+
					" is not one of the properties; declare it there, or do not require it")
		}
	}
}

func (v *checker) schemaValues(at *codec.Location, values []string) {
	list := at.Member("enum")
	value := list.Element(0)
	for i := range values {
		if values[i] == "" {
			value.Index = i
			v.report(&value, ruleRequired, `""`, "a value of an enum must not be empty")
		}
	}
}

// schemaHints say what to use instead of members that JSON Schema has and a Schema has not.
var schemaHints = map[string]string{
	"$defs":             hintJSONSchema,
	"$id":               hintJSONSchema,
	"$ref":              "write the schema out, or " + hintJSONSchema,
	"$schema":           "leave it out",
	"allOf":             "merge the schemas into one",
	"const":             "use enum with the one value",
	"definitions":       hintJSONSchema,
	"examples":          "use example",
	"exclusiveMaximum":  "use maximum",
	"exclusiveMinimum":  "use minimum",
	"multipleOf":        "say it in the description",
	"not":               "say it in the description",
	"oneOf":             "use anyOf",
	"patternProperties": hintJSONSchema,
	"prefixItems":       hintJSONSchema,
	"uniqueItems":       "say it in the description",
}

const hintJSONSchema = "use parametersJsonSchema or responseJsonSchema, which take JSON Schema"
