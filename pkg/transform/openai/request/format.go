package request

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// The MIME types that stand for the forms of an answer.
const (
	mimeText = "text/plain"
	mimeJSON = "application/json"
)

// setResponseFormat sets the form of the answer as Google's own endpoint does: every form is a MIME
// type, and a string is one already.
func (c *converter) setResponseFormat() error {
	const pointer = "/response_format"
	if c.in.ResponseFormat.IsZero() {
		return nil
	}
	if setsForm(c.config()) {
		c.report.Add(transform.Lost, pointer, detailInExtraBody)
		return nil
	}
	if mimeType, ok := c.in.ResponseFormat.AsString(); ok {
		c.config().ResponseMIMEType = &mimeType
		return nil
	}
	format, _ := c.in.ResponseFormat.AsValue()
	c.loseUnknown(pointer, format.Unknown)
	switch format.Type {
	case openaiapi.ResponseFormatTypeText:
		c.config().ResponseMIMEType = new(mimeText)
	case openaiapi.ResponseFormatTypeJSONObject:
		c.config().ResponseMIMEType = new(mimeJSON)
	case openaiapi.ResponseFormatTypeJSONSchema:
		return c.setJSONSchema(pointer+"/json_schema", format.JSONSchema)
	default:
		return &Error{Pointer: pointer + "/type", Problem: "must be text, json_object or json_schema"}
	}
	if format.JSONSchema != nil {
		c.report.Add(transform.Lost, pointer+"/json_schema", "it counts only with the type json_schema")
	}
	return nil
}

// setsForm reports whether extra_body has set the form of the answer.
func setsForm(g *geminiapi.GenerationConfig) bool {
	return g.ResponseMIMEType != nil || g.ResponseSchema != nil || g.ResponseJSONSchema != nil ||
		g.ResponseJSONSchemaTrial != nil || g.ResponseFormat != nil
}

func (c *converter) setJSONSchema(pointer string, format *openaiapi.JSONSchemaFormat) error {
	if format == nil {
		return &Error{Pointer: pointer, Problem: "must be set, with the schema"}
	}
	form, err := c.schemaOf(pointer, format)
	if err != nil {
		return err
	}
	config := c.config()
	config.ResponseMIMEType = new(mimeJSON)
	config.ResponseJSONSchema, config.ResponseSchema = form.json, form.own
	if format.Name != "" {
		c.report.Add(transform.Approximated, pointer+"/name", "Gemini's schemas have no name; the model does not see one")
	}
	if format.Strict != nil && !*format.Strict && !c.cannotBindToJSON() {
		c.report.Add(transform.Approximated, pointer+"/strict", "Gemini follows the schema always")
	}
	c.loseUnknown(pointer, format.Unknown)
	return nil
}

// schemaOf returns the schema of a format with its description, in the form that the model takes.
func (c *converter) schemaOf(pointer string, format *openaiapi.JSONSchemaFormat) (schemaForm, error) {
	form := schemaForm{json: format.Schema}
	if form.json.Kind() == jsontext.KindNull {
		form.json = nil
	}
	if len(form.json) > 0 && !c.takesJSONSchema() {
		var err error
		if form, err = c.ownForm(pointer+"/schema", form.json); err != nil {
			return form, err
		}
	}
	c.describe(pointer+"/description", format.Description, &form)
	return form, nil
}

// describe puts the description of the format, by which the model writes, into the schema. There it is
// the only thing that is added; a schema with a description of its own, or that only refers to another,
// keeps every byte.
func (c *converter) describe(pointer string, description *string, form *schemaForm) {
	switch {
	case optional.Value(description) == "":
		return
	case form.own != nil && form.own.Description == nil:
		form.own.Description = description
		return
	case form.json.Kind() == jsontext.KindBeginObject && rawobject.Member(form.json, "description") == nil && rawobject.Member(form.json, "$ref") == nil:
		form.json = rawobject.Merge(wrapText("description", *description), form.json)
		return
	}
	c.report.Add(transform.Lost, pointer, "the schema has no place for it")
}
