// Package answerform sets the form that an answer is to have: text, any JSON, or JSON by a schema.
package answerform

import (
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/object"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/go-json-experiment/json/jsontext"
)

// Schema is a schema of the answer as OpenAI's forms have it.
type Schema struct {
	Name        string
	Description *string
	Schema      jsontext.Value
	Strict      *bool
}

// IsSet reports whether extra_body has set the form of the answer.
func IsSet(r *target.Request) bool {
	g := r.Config()
	return g.ResponseMIMEType != nil || g.ResponseSchema != nil || g.ResponseJSONSchema != nil ||
		g.ResponseJSONSchemaTrial != nil || g.ResponseFormat != nil
}

// SetText asks for text, as Google's own endpoint does: every form is a MIME type.
func SetText(r *target.Request) { r.Config().ResponseMIMEType = new("text/plain") }

// SetJSON asks for any JSON.
func SetJSON(r *target.Request) { r.Config().ResponseMIMEType = new(target.MIMETypeJSON) }

// SetSchema asks for JSON by a schema, in the form that the model takes. The members of the schema
// stand below the pointer by their names in small letters. The error is a *[refusal.Error].
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
			"Gemini's schemas have no name; the model does not see one")
	}
	if s.Strict != nil && !*s.Strict && !r.CannotBindToJSON() {
		r.Report.Add(report.Approximated, pointer+"/strict", "Gemini follows the schema always")
	}
	return nil
}

// formOf returns the schema with its description, in the form that the model takes.
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

// describe puts the description of the format, by which the model writes, into the schema. There it
// is the only thing that is added; a schema with a description of its own, or that only refers to
// another, keeps every byte.
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
	r.Report.Add(report.Lost, pointer, "the schema has no place for it")
}
