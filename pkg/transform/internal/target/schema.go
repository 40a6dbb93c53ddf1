package target

import (
	"errors"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// Schema is a schema in one of the two forms that Gemini accepts.
type Schema struct {
	JSON jsontext.Value    // JSON Schema, byte for byte
	Own  *geminiapi.Schema // Gemini's own form
}

// TakesJSONSchema reports whether schemas stay JSON Schema.
func (r *Request) TakesJSONSchema() bool { return r.Traits.JSONSchema && !r.SchemaForm }

// OwnSchema converts the schema at the pointer to Gemini's own form. A schema that contains itself
// has no such form. It stays JSON Schema if the model accepts that.
func (r *Request) OwnSchema(pointer string, document jsontext.Value, opts ...schema.Option) (Schema,
	error) {
	if r.VertexAI {
		opts = append(opts, schema.ForVertexAI())
	}
	own, entries, err := schema.FromJSON(document, opts...)
	if errors.Is(err, schema.ErrCycle) && r.Traits.JSONSchema {
		r.Report.Add(report.Approximated, pointer, "stays JSON Schema, because it contains itself")
		return Schema{JSON: document}, nil
	}
	if err != nil {
		return Schema{}, schemaError(pointer, err)
	}
	for _, e := range entries {
		r.Report.Add(e.Kind, pointer+e.Pointer, e.Detail)
	}
	return Schema{Own: own}, nil
}

// schemaError converts the location of a schema error to a location in the request.
func schemaError(pointer string, err error) error {
	out := &refusal.Error{Pointer: pointer, Problem: "cannot be converted to Gemini's Schema",
		Err: err}
	if fault, ok := errors.AsType[*schema.Error](err); ok {
		out.Pointer, out.Problem = pointer+fault.Pointer, "Gemini's Schema cannot express it"
	}
	return out
}
