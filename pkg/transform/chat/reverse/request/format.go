package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
)

// These are the MIME types that select the format of an answer.
const (
	mimeText = "text/plain"
	mimeJSON = "application/json"
	mimeEnum = "text/x.enum"
)

// schemaName is the name of an answer's schema. OpenAI requires one.
const schemaName = "response"

// setFormat sets the format of the answer.
func (c *converter) setFormat() {
	document, exact := c.formatSchema()
	mimeType := jsonx.Deref(c.config.ResponseMIMEType)
	switch {
	case mimeType == mimeEnum && document != nil:
		c.setSchema(valueSchema(document))
		c.report.Add(report.Approximated, configPointer+"/responseMimeType",
			"the answer is a JSON object that has the value")
		exact = false
	case document != nil:
		c.setSchema(document)
		if mimeType == "" {
			c.report.Add(report.Added, configPointer+"/responseMimeType",
				"replaced, because an answer with a schema is JSON")
		}
	case mimeType == mimeJSON:
		c.out.ResponseFormat = wiretype.ValueOf(
			openaiapi.ResponseFormat{Type: openaiapi.ResponseFormatTypeJSONObject})
	case mimeType == mimeText:
		c.out.ResponseFormat = wiretype.ValueOf(
			openaiapi.ResponseFormat{Type: openaiapi.ResponseFormatTypeText})
	default:
		return
	}
	if !exact && !c.plain {
		return // repeated in the extensions, which take precedence
	}
	if mimeType == mimeJSON || mimeType == mimeEnum || document == nil {
		c.config.ResponseMIMEType = nil
	}
	c.config.ResponseSchema, c.config.ResponseJSONSchema = nil, nil
	c.takeTextFormat()
}

// WrappedMember is the member that wraps the answer if Gemini's request asks for one value of an
// enum. OpenAI's structured answers must be objects.
const WrappedMember = "value"

func valueSchema(document jsontext.Value) jsontext.Value {
	return jsontext.Value(`{"type":"object","properties":{"` + WrappedMember + `":` +
		string(document) +
		`},"required":["` + WrappedMember + `"],"additionalProperties":false}`)
}

// formatSchema returns the schema of the answer, or nil. exact reports whether it converts back
// unchanged. Gemini refuses several schemas; the first one counts here.
func (c *converter) formatSchema() (document jsontext.Value, exact bool) {
	text := jsonx.Deref(jsonx.Deref(c.config.ResponseFormat).Text)
	own, standard := c.config.ResponseSchema, jsonx.NonNull(c.config.ResponseJSONSchema)
	switch {
	case standard != nil:
		if c.plain && own != nil {
			c.loseRest(configPointer, &geminiapi.GenerationConfig{ResponseSchema: own})
		}
		return standard,
			own == nil && c.config.ResponseFormat == nil &&
				jsonx.Deref(c.config.ResponseMIMEType) == mimeJSON
	case own != nil:
		document, report := schema.ToJSON(own)
		if c.plain {
			for _, e := range report {
				c.report.Add(e.Kind, configPointer+"/responseSchema"+e.Pointer, e.Detail)
			}
		}
		return document, false
	default:
		return jsonx.NonNull(text.Schema), false
	}
}

func (c *converter) setSchema(document jsontext.Value) {
	c.out.ResponseFormat = wiretype.ValueOf(openaiapi.ResponseFormat{
		Type: openaiapi.ResponseFormatTypeJSONSchema,
		JSONSchema: &openaiapi.JSONSchemaFormat{Name: schemaName, Schema: document,
			Strict: new(false)},
	})
}

// takeTextFormat removes the schema in the newest member from the configuration, if it is the
// schema that was set.
func (c *converter) takeTextFormat() {
	format := c.config.ResponseFormat
	if format == nil || format.Text == nil || c.in.GenerationConfig.ResponseSchema != nil ||
		c.in.GenerationConfig.ResponseJSONSchema != nil {
		return
	}
	rest, text := *format, *format.Text
	text.Schema = nil
	if jsonx.Deref(text.MIMEType) == mimeJSON {
		text.MIMEType = nil
	}
	rest.Text = &text
	c.config.ResponseFormat = &rest
}
