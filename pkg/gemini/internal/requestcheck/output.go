package requestcheck

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/go-json-experiment/json/jsontext"
)

// outputFormat checks that one schema member is set, with a MIME type that fits.
func (v *checker) outputFormat(at *codec.Location, c *geminiapi.GenerationConfig) {
	schema := v.outputSchema(at, c)
	v.responseMIMEType(at, textOf(c.ResponseMIMEType), schema)
	v.jsonSchema(at, "responseJsonSchema", c.ResponseJSONSchema)
	v.jsonSchema(at, "_responseJsonSchema", c.ResponseJSONSchemaTrial)
}

func (v *checker) checkTextResponseFormat(at *codec.Location, f *geminiapi.TextResponseFormat) {
	v.jsonSchema(at, "schema", f.Schema)
}

// outputSchema reports all schemas except the first, and returns the name of the first, or "".
func (v *checker) outputSchema(at *codec.Location, c *geminiapi.GenerationConfig) string {
	inFormat := c.ResponseFormat != nil && c.ResponseFormat.Text != nil &&
		len(c.ResponseFormat.Text.Schema) > 0
	first := ""
	for _, member := range []struct {
		name string
		set  bool
	}{
		{"responseSchema", c.ResponseSchema != nil},
		{"responseJsonSchema", len(c.ResponseJSONSchema) > 0},
		{"_responseJsonSchema", len(c.ResponseJSONSchemaTrial) > 0},
		{"responseFormat", inFormat},
	} {
		switch {
		case !member.set:
		case first == "":
			first = member.name
		default:
			v.reportMember(at, member.name, ruleExcluded, "",
				"must be absent if "+first+" is set; the answer has one schema")
		}
	}
	return first
}

// textMIMETypes are the MIME types of text answers. The error of the Gemini API lists them.
const textMIMETypes = "text/plain, application/json, application/xml, application/yaml, text/x.enum"

// responseMIMEType: a schema describes JSON, or the names of an enum. A schema in responseFormat
// has its own MIME type there.
func (v *checker) responseMIMEType(at *codec.Location, mimeType, schema string) {
	known := mimeType == ""
	for text := range strings.SplitSeq(textMIMETypes, ", ") {
		known = known || strings.EqualFold(mimeType, text)
	}
	describable := strings.EqualFold(mimeType, "application/json") ||
		strings.EqualFold(mimeType, "text/x.enum")
	switch {
	case !known:
		v.reportMember(at, "responseMimeType", ruleOneOf, shortString(mimeType),
			quote(mimeType)+" is not a MIME type of an answer; must be one of "+textMIMETypes)
	case schema != "" && schema != "responseFormat" && !describable:
		v.reportMember(at, "responseMimeType", ruleNeeds, optionalString(mimeType),
			schema+" needs the MIME type application/json, or text/x.enum for an enum")
	}
}

// jsonSchema only checks that a value can be a JSON Schema.
func (v *checker) jsonSchema(at *codec.Location, name string, schema jsontext.Value) {
	if len(schema) == 0 {
		return
	}
	switch schema.Kind() {
	case jsontext.KindBeginObject, jsontext.KindTrue, jsontext.KindFalse:
	default:
		v.reportMember(at, name, ruleJSONObject, shortValue(schema),
			"is not a JSON Schema; must be an object")
	}
}
