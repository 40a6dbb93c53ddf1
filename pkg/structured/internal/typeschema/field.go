package typeschema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// addTags adds to the schema of a struct what the tags of its fields say.
func (g *generator) addTags(t reflect.Type, schema *jsonschema.Schema) error {
	if t.Kind() != reflect.Struct || schema.Properties == nil {
		return nil
	}
	if err := g.addFields(t, schema, map[string]bool{}); err != nil {
		return err
	}
	schema.Required = slices.DeleteFunc(propertyNames(schema), func(name string) bool {
		return !slices.Contains(schema.Required, name)
	})
	return nil
}

// addFields adds the fields of a struct, and of those that it embeds. Of two of one name the JSON library
// hides one or both, by rules that the validator and the library for schemas do not have.
func (g *generator) addFields(t reflect.Type, schema *jsonschema.Schema, taken map[string]bool) error {
	for i := range t.NumField() {
		f := newField(t.Field(i))
		if f.promotes {
			if err := g.addFields(f.kept, schema, taken); err != nil {
				return err
			}
			continue
		}
		property, ok := schema.Properties.Get(f.name)
		if !ok || f.ignored {
			continue
		}
		err := errTaken
		if !taken[f.name] {
			taken[f.name] = true
			err = g.addField(schema, property, f)
		}
		if err != nil {
			return fmt.Errorf("structured: schema of %s: field %s: %w", t, t.Field(i).Name, err)
		}
	}
	return nil
}

var errTaken = errors.New("another field of the struct has the same name in JSON")

// field is a field of a struct, with what its tags say.
type field struct {
	name     string       // of the member
	kept     reflect.Type // without the pointers to it
	pointer  bool
	promotes bool // the members of the field are members of the struct, by the rules of Go
	embeds   bool // the field takes the members that no other takes
	ignored  bool // the field is not in the JSON
	rules    []string
}

func newField(in reflect.StructField) field {
	name, options, _ := strings.Cut(in.Tag.Get("json"), ",")
	f := field{name: name, kept: in.Type, rules: strings.Split(in.Tag.Get("validate"), ",")}
	for f.kept.Kind() == reflect.Pointer {
		f.kept, f.pointer = f.kept.Elem(), true
	}
	if name == "" {
		f.name = in.Name
	}
	f.promotes = in.Anonymous && name == "" && f.kept.Kind() == reflect.Struct
	f.ignored = in.Tag.Get("json") == "-" || !in.IsExported() && !in.Anonymous
	f.embeds = slices.Contains(strings.Split(options, ","), "embed")
	return f
}

func propertyNames(schema *jsonschema.Schema) []string {
	return slices.Collect(schema.Properties.KeysFromOldest())
}

// addField adds what the tags of a field say to its schema, and to that of the struct.
func (g *generator) addField(schema, property *jsonschema.Schema, f field) error {
	if f.embeds {
		if f.kept.Kind() == reflect.Struct {
			return errors.New("a struct is embedded by its tag; embed it without a name instead")
		}
		schema.Properties.Delete(f.name)
		schema.AdditionalProperties = nil
		return nil
	}
	if err := g.addInnerTags(f.kept, property); err != nil {
		return err
	}
	required := slices.Contains(f.rules, "required")
	if required {
		schema.Required = append(schema.Required, f.name)
	}
	property = g.addRules(property, f.kept, f.rules)
	if f.pointer && !required && slices.Contains(schema.Required, f.name) {
		property = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{property, {Type: "null"}}}
	}
	schema.Properties.Set(f.name, property)
	return nil
}

// addInnerTags adds the tags of a struct that has no name and hence no definition, in a list or map or
// by itself.
func (g *generator) addInnerTags(t reflect.Type, schema *jsonschema.Schema) error {
	if schema == nil || schema.Ref != "" {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.addInnerTags(t.Elem(), schema)
	case reflect.Slice, reflect.Array:
		return g.addInnerTags(t.Elem(), schema.Items)
	case reflect.Map:
		return g.addInnerTags(t.Elem(), schema.AdditionalProperties)
	default:
		return g.addTags(t, schema)
	}
}
