package main

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// description has the facts of an OpenAPI document that Go's types do not have: which types are
// unions, and the members of closed objects.
type description struct {
	Components struct {
		Schemas map[string]*schema `yaml:"schemas"`
	} `yaml:"components"`
}

type schema struct {
	Text       string    `yaml:"description"`
	Type       string    `yaml:"type"`
	Required   []string  `yaml:"required"`
	Properties yaml.Node `yaml:"properties"`
	// Additional is false for closed objects, and the schema of a map's values.
	Additional    yaml.Node `yaml:"additionalProperties"`
	Nullable      bool      `yaml:"nullable"`
	FreeForm      bool      `yaml:"x-free-form"`
	Enum          []string  `yaml:"enum"`
	Discriminator *struct {
		PropertyName string    `yaml:"propertyName"`
		Mapping      yaml.Node `yaml:"mapping"`
	} `yaml:"discriminator"`
	// Since is the first version of the format that has the type or property. EnumSince is the same
	// for enum values.
	Since     string            `yaml:"x-since"`
	EnumSince map[string]string `yaml:"x-enum-since"`

	// Where a value is described elsewhere, and which values it may be or contain.
	Ref   string   `yaml:"$ref"`
	AllOf []schema `yaml:"allOf"`
	OneOf []schema `yaml:"oneOf"`
	AnyOf []schema `yaml:"anyOf"`
	Items *schema  `yaml:"items"`
	// AnswersHave lists the members that all recorded answers have, in place of Required.
	// AnswersNull lists those that recorded answers have as null.
	AnswersHave []string `yaml:"x-answers-have"`
	AnswersNull []string `yaml:"x-answers-null"`

	// What values are held to.
	Format           string `yaml:"format"`
	Minimum          string `yaml:"minimum"`
	ExclusiveMinimum bool   `yaml:"exclusiveMinimum"`
	Maximum          string `yaml:"maximum"`
	MinItems         string `yaml:"minItems"`
	MaxItems         string `yaml:"maxItems"`
	MinLength        string `yaml:"minLength"`
	MaxLength        string `yaml:"maxLength"`
	// AsIs marks a property that a structural check ignores.
	AsIs bool `yaml:"x-as-is"`
	// SelectedBy is a property whose value is the name of another property. Only the named property
	// is read, and it is required.
	SelectedBy string `yaml:"x-selected-by"`
	// Only names the only backend that has the property. EnumRefused has the values that requests
	// must not contain.
	Only        string   `yaml:"x-only"`
	EnumRefused []string `yaml:"x-enum-refused"`
}

// readDescription returns nil if there is no file.
func readDescription(file string) (*description, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d := &description{}
	return d, yaml.Unmarshal(data, d)
}

// schema returns nil for a type without a description.
func (d *description) schema(name string) *schema {
	if d == nil {
		return nil
	}
	return d.Components.Schemas[name]
}

// ofType returns the schema from which a Go type was made, or nil. Initialisms have another
// spelling in the document.
func (d *description) ofType(name string) *schema {
	for described, s := range d.Components.Schemas {
		if strings.EqualFold(described, name) {
			return s
		}
	}
	return nil
}

// closed reports whether objects have only the described members.
func (s *schema) closed() bool {
	return s != nil && s.Additional.Kind == yaml.ScalarNode && s.Additional.Value == "false"
}

// property is a member of a closed object, in the order of the description.
type property struct {
	name string
	schema
}

// constant returns the value of a property that has only one value, or "".
func (p *property) constant() string {
	if len(p.Enum) == 1 {
		return p.Enum[0]
	}
	return ""
}

func (s *schema) properties() ([]property, error) {
	var out []property
	for i := 0; i+1 < len(s.Properties.Content); i += 2 {
		p := property{name: s.Properties.Content[i].Value}
		if err := s.Properties.Content[i+1].Decode(&p.schema); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// requires reports whether an object must have a member. The member is then not null.
func (s *schema) requires(p *property) bool {
	return slices.Contains(s.Required, p.name) && !p.Nullable
}

// mapping returns the values of the discriminator and the names of their schemas, in order.
func (s *schema) mapping() (values, names []string) {
	nodes := s.Discriminator.Mapping.Content
	for i := 0; i+1 < len(nodes); i += 2 {
		values = append(values, nodes[i].Value)
		names = append(names, path.Base(nodes[i+1].Value))
	}
	return values, names
}
