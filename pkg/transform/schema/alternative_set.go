package schema

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// alternativeSet is a list of alternatives of which no two are equal.
type alternativeSet struct {
	list  []geminiapi.Schema
	known map[string]bool
}

// add adds a schema, or the alternatives that it is made of.
func (d *alternativeSet) add(c *converter, out geminiapi.Schema) {
	if out.AnyOf != nil {
		for _, alternative := range out.AnyOf {
			d.add(c, alternative)
		}
		return
	}
	text := string(c.encode(&out))
	if d.known[text] {
		return
	}
	if d.known == nil {
		d.known = map[string]bool{}
	}
	d.known[text] = true
	d.list = append(d.list, out)
}

// withoutNull returns the alternatives with null in each instead of one for null, unless that one says
// something else.
func (d *alternativeSet) withoutNull() []geminiapi.Schema {
	rest := slices.DeleteFunc(slices.Clone(d.list), isNullOnly)
	switch len(rest) {
	case 0:
		return d.list
	case len(d.list):
		return d.list
	}
	for i := range rest {
		if !isNull(rest[i]) {
			rest[i].Nullable = new(true)
		}
	}
	return rest
}

// isNull reports whether a result allows null only.
func isNull(out geminiapi.Schema) bool {
	return out.Type != nil && *out.Type == geminiapi.SchemaTypeNull
}

func isNullOnly(out geminiapi.Schema) bool {
	return isNull(out) && out.Title == nil && out.Description == nil && out.Format == nil &&
		out.Default == nil && out.Example == nil
}

// mergeEnums returns one list of values for several, if the alternatives differ in nothing else.
func (c *converter) mergeEnums(list []geminiapi.Schema) []geminiapi.Schema {
	merged := list[0]
	merged.Enum = nil
	rest := string(c.encode(&merged))
	isListed := map[string]bool{}
	for _, out := range list {
		values := out.Enum
		out.Enum = nil
		if values == nil || string(c.encode(&out)) != rest {
			return list
		}
		for _, text := range values {
			if !isListed[text] {
				isListed[text] = true
				merged.Enum = append(merged.Enum, text)
			}
		}
	}
	return []geminiapi.Schema{merged}
}

// encode returns a result as JSON, the same for equal ones.
func (c *converter) encode(out *geminiapi.Schema) jsontext.Value {
	data, err := json.Marshal(out, json.Deterministic(true))
	if err != nil && c.err == nil {
		c.err = &Error{Err: err} // which no result of this package is known to cause
	}
	return data
}
