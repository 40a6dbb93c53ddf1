// Package answerform sets the requested format of an answer: text, any JSON, or JSON with a schema.
package answerform

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/object"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/go-json-experiment/json/jsontext"
)

// Schema is a schema of the answer in the form of OpenAI's APIs.
type Schema struct {
	Name        string
	Description *string
	Schema      jsontext.Value
	Strict      *bool
}

// IsSet reports whether extra_body has set the format of the answer.
func IsSet(r *target.Request) bool {
	g := r.Config()
	return g.ResponseMIMEType != nil || g.ResponseSchema != nil || g.ResponseJSONSchema != nil ||
		g.ResponseJSONSchemaTrial != nil || g.ResponseFormat != nil
}

// SetText asks for text. Like Google's own endpoint, it sets a MIME type for every format.
func SetText(r *target.Request) { r.Config().ResponseMIMEType = new("text/plain") }

// SetJSON asks for any JSON.
func SetJSON(r *target.Request) { r.Config().ResponseMIMEType = new(target.MIMETypeJSON) }

// SetSchema asks for JSON with a schema, in the form that the model accepts. The pointers of the
// schema's members are below pointer, in lower case. The error is a *[refusal.Error].
func SetSchema(r *target.Request, pointer string, s *Schema) error {
	form, err := formOf(r, pointer, s)
	if err != nil {
		return err
	}
	SetJSON(r)
	config := r.Config()
	config.ResponseJSONSchema, config.ResponseSchema = form.JSON, form.Own
	if s.Name != "" {
		r.Report.Add(report.Approximated, pointer+"/name",
			"omitted, because Gemini's schemas have no name")
	}
	if s.Strict != nil && !*s.Strict && !r.CannotBindToJSON() {
		r.Report.Add(report.Approximated, pointer+"/strict", "Gemini always follows the schema")
	}
	return nil
}

// formOf returns the schema with its description, in the form that the model accepts.
func formOf(r *target.Request, pointer string, s *Schema) (target.Schema, error) {
	form := target.Schema{JSON: jsonx.NonNull(s.Schema)}
	if len(form.JSON) > 0 && !r.TakesJSONSchema() {
		var err error
		if form, err = r.OwnSchema(pointer+"/schema", form.JSON); err != nil {
			return form, err
		}
	}
	describe(r, pointer+"/description", s.Description, &form)
	return form, nil
}

// describe adds the description of the format, which guides the model, to the schema. Nothing else
// is added. A schema that has its own description, or is only a reference, stays byte for byte.
func describe(r *target.Request, pointer string, description *string, form *target.Schema) {
	switch {
	case jsonx.Deref(description) == "":
		return
	case form.Own != nil && form.Own.Description == nil:
		form.Own.Description = description
		return
	case form.JSON.Kind() == jsontext.KindBeginObject &&
		jsonx.Member(form.JSON, "description") == nil && jsonx.Member(form.JSON, "$ref") == nil:
		form.JSON = jsonx.MergeObjects(object.OfText("description", *description), form.JSON)
		return
	}
	r.Report.Add(report.Lost, pointer, "the schema cannot have a description")
}
