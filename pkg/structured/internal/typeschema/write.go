package typeschema

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"
)

// writer writes a schema with the keywords that Gemini documents, and with what it refers to in
// place of the references, except where a type holds itself.
type writer struct {
	definitions jsonschema.Definitions
	out         *jsontext.Encoder
	err         error
	within      []string        // the names of the types that are being written, the outermost first
	cited       map[string]bool // those that are referred to from within themselves
}

// definitionPrefix begins a reference.
const definitionPrefix = "#/$defs/"

func write(root *jsonschema.Schema) (jsontext.Value, error) {
	var buffer bytes.Buffer
	w := writer{
		definitions: root.Definitions,
		out:         jsontext.NewEncoder(&buffer),
		cited:       map[string]bool{},
	}
	w.object(func() {
		w.keywords(root)
		w.citedDefinitions()
	})
	if w.err != nil {
		return nil, w.err
	}
	return bytes.TrimSpace(buffer.Bytes()), nil
}

// citedDefinitions writes the types that were referred to. Writing one can refer to others.
func (w *writer) citedDefinitions() {
	if len(w.cited) == 0 {
		return
	}
	w.name("$defs")
	w.object(func() {
		for written := map[string]bool{}; ; {
			next := ""
			for _, name := range slices.Sorted(maps.Keys(w.cited)) {
				if !written[name] {
					next = cmp.Or(next, name)
				}
			}
			if next == "" {
				return
			}
			written[next] = true
			w.name(next)
			w.schema(&jsonschema.Schema{Ref: definitionPrefix + next})
		}
	})
}

// schema writes a schema, or a reference where it is within itself.
func (w *writer) schema(s *jsonschema.Schema) {
	if name := definitionName(s); slices.Contains(w.within, name) {
		w.cited[name] = true
		w.object(func() { w.text("$ref", s.Ref) })
		return
	}
	w.object(func() { w.keywords(s) })
}

// definitionName returns the name of the type that a schema refers to, "" if it refers to none.
func definitionName(s *jsonschema.Schema) string { return strings.TrimPrefix(s.Ref, definitionPrefix) }

// keywords writes the inside of a schema.
func (w *writer) keywords(s *jsonschema.Schema) {
	outside := len(w.within)
	defer func() { w.within = w.within[:outside] }()
	for name := definitionName(s); name != ""; name = definitionName(s) {
		if w.definitions[name] == nil || slices.Contains(w.within, name) {
			w.try(fmt.Errorf("structured: the schema refers to %q, which defines nothing", s.Ref))
			return
		}
		w.within = append(w.within, name)
		definition := *w.definitions[name]
		definition.Title = cmp.Or(s.Title, definition.Title)
		definition.Description = cmp.Or(s.Description, definition.Description)
		s = &definition
	}
	w.text("type", s.Type)
	w.text("title", s.Title)
	w.text("description", s.Description)
	w.text("format", s.Format)
	w.values("enum", s.Enum)
	number(w, "minimum", s.Minimum)
	number(w, "maximum", s.Maximum)
	w.size("minLength", s.MinLength)
	w.size("maxLength", s.MaxLength)
	w.text("pattern", s.Pattern)
	w.inner("items", s.Items)
	w.list("prefixItems", s.PrefixItems)
	w.size("minItems", s.MinItems)
	w.size("maxItems", s.MaxItems)
	w.properties(s)
	w.list("anyOf", slices.Concat(s.AnyOf, s.OneOf))
}

// properties writes what an object may hold, and what it must.
func (w *writer) properties(s *jsonschema.Schema) {
	if s.Properties != nil && s.Properties.Len() > 0 {
		w.name("properties")
		w.object(func() {
			for name, property := range s.Properties.FromOldest() {
				w.name(name)
				w.schema(property)
			}
		})
	}
	var required []any
	for _, name := range s.Required {
		if property, ok := s.Properties.Get(name); ok && !w.leadsBack(property) {
			required = append(required, name)
		}
	}
	w.values("required", required)
	for _, values := range s.PatternProperties { // of a map whose keys are numbers
		w.inner("additionalProperties", values)
		return
	}
	if s.AdditionalProperties == jsonschema.FalseSchema {
		w.name("additionalProperties")
		w.token(jsontext.False)
		return
	}
	w.inner("additionalProperties", s.AdditionalProperties)
}

// leadsBack reports whether a reference stands in a schema that is not one of a property of it.
func (w *writer) leadsBack(s *jsonschema.Schema) bool {
	name := definitionName(s)
	if name == "" {
		return s.Items != nil && w.leadsBack(s.Items) ||
			s.AdditionalProperties != nil && w.leadsBack(s.AdditionalProperties) ||
			slices.ContainsFunc(slices.Concat(s.AnyOf, s.OneOf, s.PrefixItems), w.leadsBack)
	}
	if slices.Contains(w.within, name) {
		return true
	}
	definition := w.definitions[name]
	return definition != nil && definition.Properties == nil && w.leadsBack(definition)
}

// The functions below write a keyword, unless it says nothing.

func (w *writer) text(keyword, value string) {
	if value != "" {
		w.name(keyword)
		w.token(jsontext.String(value))
	}
}

func (w *writer) size(keyword string, value *uint64) {
	if value != nil {
		w.name(keyword)
		w.token(jsontext.Uint(*value))
	}
}

func number[N ~string](w *writer, keyword string, value N) {
	if value != "" {
		w.name(keyword)
		w.try(w.out.WriteValue(jsontext.Value(value)))
	}
}

func (w *writer) values(keyword string, values []any) {
	if len(values) > 0 {
		w.name(keyword)
		w.try(json.MarshalEncode(w.out, values))
	}
}

func (w *writer) inner(keyword string, s *jsonschema.Schema) {
	if s != nil {
		w.name(keyword)
		w.schema(s)
	}
}

func (w *writer) list(keyword string, schemas []*jsonschema.Schema) {
	if len(schemas) > 0 {
		w.name(keyword)
		w.token(jsontext.BeginArray)
		for _, s := range schemas {
			w.schema(s)
		}
		w.token(jsontext.EndArray)
	}
}

func (w *writer) object(inside func()) {
	w.token(jsontext.BeginObject)
	inside()
	w.token(jsontext.EndObject)
}

func (w *writer) name(name string) { w.token(jsontext.String(name)) }

func (w *writer) token(t jsontext.Token) { w.try(w.out.WriteToken(t)) }

// try keeps the first error.
func (w *writer) try(err error) { w.err = cmp.Or(w.err, err) }
