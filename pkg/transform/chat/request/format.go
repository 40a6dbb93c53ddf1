package request

import (
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/answerform"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
)

// setResponseFormat sets the format of the answer as Google's own endpoint does. Every format is a
// MIME type. A string is used as the MIME type.
func (c *converter) setResponseFormat() error {
	const pointer = "/response_format"
	if c.in.ResponseFormat.IsZero() {
		return nil
	}
	if answerform.IsSet(&c.Request) {
		c.Report.Add(report.Lost, pointer, target.DetailInExtraBody)
		return nil
	}
	if mimeType, ok := c.in.ResponseFormat.AsString(); ok {
		c.Config().ResponseMIMEType = &mimeType
		return nil
	}
	format, _ := c.in.ResponseFormat.AsValue()
	c.LoseUnknown(pointer, format.Unknown)
	switch format.Type {
	case openaiapi.ResponseFormatTypeText:
		answerform.SetText(&c.Request)
	case openaiapi.ResponseFormatTypeJSONObject:
		answerform.SetJSON(&c.Request)
	case openaiapi.ResponseFormatTypeJSONSchema:
		return c.setJSONSchema(pointer+"/json_schema", format.JSONSchema)
	default:
		return &refusal.Error{Pointer: pointer + "/type",
			Problem: "must be text, json_object or json_schema"}
	}
	if format.JSONSchema != nil {
		c.Report.Add(report.Lost, pointer+"/json_schema",
			"it applies only to the type json_schema")
	}
	return nil
}

func (c *converter) setJSONSchema(pointer string, format *openaiapi.JSONSchemaFormat) error {
	if format == nil {
		return &refusal.Error{Pointer: pointer, Problem: "must be set, with the schema"}
	}
	err := answerform.SetSchema(&c.Request, pointer, &answerform.Schema{
		Name: format.Name, Description: format.Description, Schema: format.Schema,
		Strict: format.Strict,
	})
	c.LoseUnknown(pointer, format.Unknown)
	return err
}
