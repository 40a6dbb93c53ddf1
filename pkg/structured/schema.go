package structured

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"
)

// SchemaOf returns the JSON Schema of type T in the form that Gemini takes for an answer
// (generationConfig.responseJsonSchema) and for the parameters of a function
// (parametersJsonSchema). Equal types give equal bytes, and properties have the order of the fields,
// which is also the order in which the model writes them.
//
// The schema says what [Parse] checks, as far as JSON Schema has words for it:
//
//   - a field is required unless its json tag has omitempty or omitzero; the validate tag required
//     makes it so in any case. A pointer that is required may be null, unless its validate tag says
//     required.
//   - the validate tags min, max, len, gt, gte, lt and lte become minimum and maximum, minLength and
//     maxLength, or minItems and maxItems; oneof and eq become enum; required on a string becomes
//     minLength 1; what follows dive is said of the elements. Other validate tags have no counterpart,
//     and gt and lt of a fraction lose that the bound itself is out.
//   - jsonschema_description gives a field a description that the model reads; the other tags are
//     those of github.com/invopop/jsonschema, such as jsonschema:"title=...,format=date".
//   - other members than those of a struct are excluded, unless the struct embeds a map for them.
//   - a type that decodes itself from text is a string, one that decodes itself from JSON is anything.
//   - a type that holds itself is defined under $defs, and everything else is written where it is
//     used. Gemini takes a type that holds itself only where it can be left out, so such a field is
//     never required.
//
// Only keywords that Gemini documents are used, and minLength, maxLength and pattern, which it reads
// over: they are for those who check the answer.
//
// It returns an error for a type that has no JSON, such as a channel, and for a struct that embeds another
// and has two fields of one name in JSON.
func SchemaOf[T any]() (jsontext.Value, error) {
	g := schemaGenerator{names: map[reflect.Type]string{}, types: map[string]reflect.Type{}}
	root, err := g.reflect(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	g.definitions = root.Definitions
	for name, definition := range g.definitions {
		if err := g.addInnerTags(g.types[name], definition); err != nil {
			return nil, err
		}
	}
	if err := g.addInnerTags(reflect.TypeFor[T](), root); err != nil {
		return nil, err
	}
	return writeSchema(root)
}

// schemaGenerator makes the schema of a type, and of those that it is made of.
type schemaGenerator struct {
	names       map[reflect.Type]string
	types       map[string]reflect.Type
	definitions jsonschema.Definitions // by the names
}

// reflect leaves the types to the library, which panics at those that have no schema.
func (g *schemaGenerator) reflect(t reflect.Type) (schema *jsonschema.Schema, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			schema, err = nil, fmt.Errorf("structured: schema of %s: %v", t, fault)
		}
	}()
	reflector := jsonschema.Reflector{Anonymous: true, Namer: g.name, Mapper: ownForm}
	return reflector.ReflectFromType(t), nil
}

// name gives each named type a name of its own.
func (g *schemaGenerator) name(t reflect.Type) string {
	if name, ok := g.names[t]; ok || t.Name() == "" {
		return name
	}
	plain, _, _ := strings.Cut(t.Name(), "[") // of a generic type
	name := plain
	for n := 2; g.types[name] != nil; n++ {
		name = plain + strconv.Itoa(n)
	}
	g.names[t], g.types[name] = name, t
	return name
}

// ownForm returns the schemas of types that the library does not know by their JSON, nil for others.
func ownForm(t reflect.Type) *jsonschema.Schema {
	pointer := reflect.PointerTo(t)
	switch {
	case t == reflect.TypeFor[time.Time](), pointer.Implements(reflect.TypeFor[describesItself]()):
		return nil
	case pointer.Implements(reflect.TypeFor[json.UnmarshalerFrom]()), pointer.Implements(reflect.TypeFor[json.Unmarshaler]()):
		return &jsonschema.Schema{}
	case pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return &jsonschema.Schema{Type: "string"}
	case t.Kind() == reflect.Array && t.Elem().Kind() == reflect.Uint8:
		return &jsonschema.Schema{Type: "string"} // in base64
	case reflect.Uint <= t.Kind() && t.Kind() <= reflect.Uint64:
		return &jsonschema.Schema{Type: "integer", Minimum: "0"}
	default:
		return nil
	}
}

// describesItself is a type that the library asks for its schema.
type describesItself interface{ JSONSchema() *jsonschema.Schema }
