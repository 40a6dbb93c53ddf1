package request

import (
	"errors"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// schemaForm is a schema in one of the two forms that Gemini takes.
type schemaForm struct {
	json jsontext.Value    // JSON Schema, byte for byte
	own  *geminiapi.Schema // Gemini's own form
}

// takesJSONSchema reports whether schemas stay as they are.
func (c *converter) takesJSONSchema() bool { return c.traits.JSONSchema && !c.schemaForm }

// ownForm brings the schema at the pointer into Gemini's own form. A schema that contains itself has
// none; it stays JSON Schema for a model that takes it.
func (c *converter) ownForm(pointer string, document jsontext.Value, opts ...schema.Option) (schemaForm, error) {
	if c.vertex {
		opts = append(opts, schema.ForVertexAI())
	}
	own, report, err := schema.FromJSON(document, opts...)
	if errors.Is(err, schema.ErrCycle) && c.traits.JSONSchema {
		c.report.Add(transform.Approximated, pointer, "stays JSON Schema, as it contains itself")
		return schemaForm{json: document}, nil
	}
	if err != nil {
		return schemaForm{}, schemaError(pointer, err)
	}
	for _, e := range report {
		c.report.Add(e.Kind, pointer+e.Pointer, e.Detail)
	}
	return schemaForm{own: own}, nil
}

// schemaError moves the place of an error from the schema to the request.
func schemaError(pointer string, err error) error {
	out := &Error{Pointer: pointer, Problem: "cannot be written as Gemini's Schema", Err: err}
	if fault, ok := errors.AsType[*schema.Error](err); ok {
		out.Pointer, out.Problem = pointer+fault.Pointer, "Gemini's Schema cannot say it"
	}
	return out
}
