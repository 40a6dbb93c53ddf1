package typeschema

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"
)

// schema has the keywords that Gemini documents, in output order.
type schema struct {
	Ref                  string         `json:"$ref,omitzero"`
	Type                 string         `json:"type,omitzero"`
	Title                string         `json:"title,omitzero"`
	Description          string         `json:"description,omitzero"`
	Format               string         `json:"format,omitzero"`
	Enum                 []any          `json:"enum,omitempty"`
	Minimum              jsontext.Value `json:"minimum,omitzero"`
	Maximum              jsontext.Value `json:"maximum,omitzero"`
	MinLength            *uint64        `json:"minLength,omitzero"`
	MaxLength            *uint64        `json:"maxLength,omitzero"`
	Pattern              string         `json:"pattern,omitzero"`
	Items                *schema        `json:"items,omitzero"`
	PrefixItems          []*schema      `json:"prefixItems,omitempty"`
	MinItems             *uint64        `json:"minItems,omitzero"`
	MaxItems             *uint64        `json:"maxItems,omitzero"`
	Properties           members        `json:"properties,omitempty"`
	Required             []string       `json:"required,omitempty"`
	AdditionalProperties *additional    `json:"additionalProperties,omitzero"`
	AnyOf                []*schema      `json:"anyOf,omitempty"`
	Definitions          members        `json:"$defs,omitempty"`
}

// members are schemas with names, in output order.
type members []member

type member struct {
	name   string
	schema *schema
}

// MarshalJSONTo writes an object.
func (m members) MarshalJSONTo(out *jsontext.Encoder) error {
	if err := out.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, member := range m {
		if err := out.WriteToken(jsontext.String(member.name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(out, member.schema); err != nil {
			return err
		}
	}
	return out.WriteToken(jsontext.EndObject)
}

// additional is the schema of members that are not properties; nil excludes them.
type additional struct{ schema *schema }

// MarshalJSONTo writes the schema, or false.
func (a *additional) MarshalJSONTo(out *jsontext.Encoder) error {
	if a.schema == nil {
		return out.WriteToken(jsontext.False)
	}
	return json.MarshalEncode(out, a.schema)
}

// keywordsOf returns the keywords of a schema that contain no other schemas.
func keywordsOf(s *jsonschema.Schema) *schema {
	return &schema{
		Type:        s.Type,
		Title:       s.Title,
		Description: s.Description,
		Format:      s.Format,
		Enum:        s.Enum,
		Minimum:     number(s.Minimum),
		Maximum:     number(s.Maximum),
		MinLength:   s.MinLength,
		MaxLength:   s.MaxLength,
		Pattern:     s.Pattern,
		MinItems:    s.MinItems,
		MaxItems:    s.MaxItems,
	}
}

// number returns a number as JSON, nil for none.
func number[N ~string](n N) jsontext.Value {
	if n == "" {
		return nil
	}
	return jsontext.Value(n)
}

// leadsBack reports whether a schema contains a reference outside of its properties.
func (s *schema) leadsBack() bool {
	return s.Ref != "" || s.Items != nil && s.Items.leadsBack() ||
		s.AdditionalProperties != nil && s.AdditionalProperties.schema != nil &&
			s.AdditionalProperties.schema.leadsBack() ||
		slices.ContainsFunc(slices.Concat(s.AnyOf, s.PrefixItems), (*schema).leadsBack)
}
