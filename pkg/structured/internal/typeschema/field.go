package typeschema

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// addProperties adds the members of a struct, including the tags of its fields.
func (g *generator) addProperties(out *schema, s *jsonschema.Schema, t reflect.Type) error {
	if s.Properties == nil {
		return nil
	}
	fields := map[string]field{}
	if t != nil && t.Kind() == reflect.Struct {
		if err := addFields(fields, s, t); err != nil {
			return err
		}
	}
	for name, property := range s.Properties.FromOldest() {
		f := fields[name]
		if f.embeds {
			s.AdditionalProperties = nil // all others are welcome
			continue
		}
		member, err := g.memberOf(name, property, f, slices.Contains(s.Required, name))
		if err != nil {
			return err
		}
		out.Properties = append(out.Properties, member)
		if (f.required || slices.Contains(s.Required, name)) && !member.schema.leadsBack() {
			out.Required = append(out.Required, name)
		}
	}
	return nil
}

// memberOf returns the schema of a field. A required pointer may be null.
func (g *generator) memberOf(name string, property *jsonschema.Schema, f field,
	needed bool) (member, error) {
	out, err := g.schemaOf(property, f.kept, f.rules)
	if err != nil {
		return member{}, err
	}
	if f.pointer && !f.required && needed {
		out = &schema{AnyOf: []*schema{out, {Type: "null"}}}
	}
	return member{name, out}, nil
}

// field is a field of a struct with its tags.
type field struct {
	name     string       // of the member
	kept     reflect.Type // without the pointers to it
	pointer  bool
	promotes bool // the members of the field are members of the struct, by the rules of Go
	embeds   bool // the field takes the members that no other takes
	ignored  bool // the field is not in the JSON
	required bool
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
	f.required = slices.Contains(f.rules, "required")
	return f
}

var (
	errTaken    = errors.New("another field of the struct has the same name in JSON")
	errEmbedded = errors.New("a struct is embedded by its tag; embed it without a name instead")
)

// addFields adds the fields of a struct and of its embedded structs, by the names of their members.
// If two have the same name, the JSON library hides one or both, by rules that the validator and
// the schema library do not have.
func addFields(fields map[string]field, s *jsonschema.Schema, t reflect.Type) error {
	for i := range t.NumField() {
		f := newField(t.Field(i))
		if f.promotes {
			if err := addFields(fields, s, f.kept); err != nil {
				return err
			}
			continue
		}
		if _, ok := s.Properties.Get(f.name); !ok || f.ignored {
			continue
		}
		_, taken := fields[f.name]
		if err := f.fault(taken); err != nil {
			return fmt.Errorf("structured: schema of %s: field %s: %w", t, t.Field(i).Name, err)
		}
		fields[f.name] = f
	}
	return nil
}

func (f *field) fault(taken bool) error {
	switch {
	case taken:
		return errTaken
	case f.embeds && f.kept.Kind() == reflect.Struct:
		return errEmbedded
	default:
		return nil
	}
}
