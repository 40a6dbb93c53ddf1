package schema

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// alternativeSet is a list of different alternatives.
type alternativeSet struct {
	list jsonx.UniqueList[geminiapi.Schema]
}

// add adds a schema, or the alternatives that it consists of.
func (d *alternativeSet) add(out geminiapi.Schema) {
	if out.AnyOf == nil {
		d.list.Add([]geminiapi.Schema{out})
		return
	}
	for _, alternative := range out.AnyOf {
		d.add(alternative)
	}
}

// withoutNull returns the alternatives without the one for null, and makes the others nullable. An
// alternative for null that says more stays.
func (d *alternativeSet) withoutNull() []geminiapi.Schema {
	list := d.list.Values()
	rest := slices.DeleteFunc(slices.Clone(list), isNullOnly)
	if len(rest) == 0 || len(rest) == len(list) {
		return list
	}
	for i := range rest {
		if !isNull(rest[i]) {
			rest[i].Nullable = new(true)
		}
	}
	return rest
}

// isNull reports whether a result allows only null.
func isNull(out geminiapi.Schema) bool {
	return out.Type != nil && *out.Type == geminiapi.SchemaTypeNull
}

func isNullOnly(out geminiapi.Schema) bool {
	return isNull(out) && out.Title == nil && out.Description == nil && out.Format == nil &&
		out.Default == nil && out.Example == nil
}

// mergeEnums merges lists of values into one, if the alternatives do not differ otherwise.
func (c *converter) mergeEnums(list []geminiapi.Schema) []geminiapi.Schema {
	merged := list[0]
	merged.Enum = nil
	rest := string(c.encode(&merged))
	var values jsonx.UniqueList[string]
	for _, out := range list {
		own := out.Enum
		out.Enum = nil
		if own == nil || string(c.encode(&out)) != rest {
			return list
		}
		values.Add(own)
	}
	merged.Enum = values.Values()
	return []geminiapi.Schema{merged}
}

// encode returns a result as JSON, which is the same for equal results.
func (c *converter) encode(out *geminiapi.Schema) jsontext.Value {
	data, err := json.Marshal(out, json.Deterministic(true))
	if err != nil && c.err == nil {
		c.err = &Error{Err: err} // no known result of this package causes this
	}
	return data
}
