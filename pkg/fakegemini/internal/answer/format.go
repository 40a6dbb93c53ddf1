package answer

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/instance"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// formatted returns an answer in the format of the configuration: JSON that satisfies the schema,
// or a value of an enum. It returns false if the format is plain text.
func (a *author) formatted() (text string, ok bool) {
	mimeType, schema := a.format()
	switch {
	case strings.EqualFold(mimeType, "application/json") && len(schema) == 0:
		answer, _ := json.Marshal(struct {
			Answer string `json:"answer"`
		}{a.text()})
		return string(answer), true
	case strings.EqualFold(mimeType, "application/json"):
		return string(instance.Of(schema, false)), true
	case strings.EqualFold(mimeType, "text/x.enum") && len(schema) > 0:
		value, err := jsontext.AppendUnquote(nil, instance.Of(schema, false))
		return string(value), err == nil
	default:
		return "", false
	}
}

// format returns the MIME type and the schema of the answer.
func (a *author) format() (mimeType string, schema jsontext.Value) {
	c := &a.config
	if f := c.ResponseFormat; f != nil && f.Text != nil && f.Text.MIMEType != nil &&
		*f.Text.MIMEType == geminiapi.TextMIMETypeApplicationJSON {
		return "application/json", f.Text.Schema
	}
	if c.ResponseMIMEType != nil {
		mimeType = *c.ResponseMIMEType
	}
	switch {
	case c.ResponseSchema != nil:
		schema, _ = json.Marshal(c.ResponseSchema)
	case len(c.ResponseJSONSchema) > 0:
		schema = c.ResponseJSONSchema
	default:
		schema = c.ResponseJSONSchemaTrial
	}
	return mimeType, schema
}
