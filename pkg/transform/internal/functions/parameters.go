package functions

import (
	"bytes"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/internal/refusal"
	"github.com/gemwire/gemwire/pkg/transform/internal/target"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// setParameters sets the schema of the arguments: JSON Schema byte for byte, or Gemini's own form.
// A function without arguments gets none, because Gemini refuses an object without properties.
func setParameters(r *target.Request, f *Function, at *codec.Location,
	out *geminiapi.FunctionDeclaration) error {
	if kind := f.Parameters.Kind(); len(f.Parameters) == 0 || kind == jsontext.KindNull {
		return nil
	} else if kind != jsontext.KindBeginObject {
		return &refusal.Error{Pointer: at.Pointer() + f.ParametersMember,
			Problem: "must be a JSON Schema of an object"}
	}
	if empty, plain := takesNothing(f.Parameters); empty {
		if !plain {
			r.Report.Add(report.Approximated, at.Pointer()+f.ParametersMember,
				"omitted, because the function takes no arguments")
		}
		return nil
	}
	if r.TakesJSONSchema() {
		out.ParametersJSONSchema = f.Parameters
		return nil
	}
	form, err := r.OwnSchema(at.Pointer()+f.ParametersMember, f.Parameters, schema.ForParameters())
	if err != nil {
		return err
	}
	out.ParametersJSONSchema, out.Parameters = form.JSON, form.Own
	return nil
}

// takesNothing reports whether the schema is an object without properties, and whether it says
// nothing else, such as a title.
func takesNothing(parameters jsontext.Value) (empty, plain bool) {
	if namesProperty(parameters) {
		return false, false
	}
	plain = true
	for name, value := range jsonx.Members(parameters) {
		switch want, known := emptyParameters[name]; {
		case known && compacted(value) == want:
		case !known && remarks[name]:
			plain = false
		default:
			return false, false
		}
	}
	return true, plain
}

// namesProperty reports whether the first "properties" in the schema, at any depth, has a member.
// Then the schema is not an object without properties, because nothing below could have properties
// of its own. The function looks at bytes, which spares nearly every schema a full parse.
func namesProperty(schema jsontext.Value) bool {
	const space = " \t\r\n"
	_, after, found := bytes.Cut(schema, []byte(`"properties"`))
	after, isName := bytes.CutPrefix(bytes.TrimLeft(after, space), []byte(":"))
	after, isObject := bytes.CutPrefix(bytes.TrimLeft(after, space), []byte("{"))
	return found && isName && isObject && bytes.HasPrefix(bytes.TrimLeft(after, space), []byte(`"`))
}

// emptyParameters are the schema members of an object without properties. It is never modified.
var emptyParameters = map[string]string{
	"type":                 `"object"`,
	"properties":           `{}`,
	"required":             `[]`,
	"additionalProperties": `false`,
}

// remarks are the schema members that do not restrict values. It is never modified.
var remarks = map[string]bool{"$schema": true, "$id": true, "$comment": true, "title": true,
	"description": true}

// compacted returns a short value without white space, and a long value unchanged.
func compacted(value jsontext.Value) string {
	if len(value) > 32 {
		return string(value)
	}
	_ = value.Compact() // it has been read as JSON
	return string(value)
}
