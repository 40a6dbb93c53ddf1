// Package typeschema makes JSON Schemas of Go types, in the form that Gemini accepts. Package
// structured documents the result.
package typeschema

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

// Of returns the JSON Schema of a type. Equal types give equal bytes.
func Of(t reflect.Type) (jsontext.Value, error) {
	g := generator{names: map[reflect.Type]string{}, types: map[string]reflect.Type{},
		cited: map[string]bool{}}
	reflected, err := g.reflect(t)
	if err != nil {
		return nil, err
	}
	g.definitions = reflected.Definitions
	root, err := g.schemaOf(reflected, t, nil)
	if err != nil {
		return nil, err
	}
	if root.Definitions, err = g.citedDefinitions(); err != nil {
		return nil, err
	}
	return json.Marshal(root)
}

// generator makes the schema of a type and of the types it consists of.
type generator struct {
	names       map[reflect.Type]string
	types       map[string]reflect.Type
	definitions jsonschema.Definitions // by the names
	// the names of the types whose schemas are being made, the outermost first
	within     []string
	cited      map[string]bool // those that are referred to from within themselves
	unreadable reflect.Type    // an interface with methods, nil for none
}

// reflect passes the types to the library, which panics for types without a schema.
func (g *generator) reflect(t reflect.Type) (schema *jsonschema.Schema, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			schema, err = nil, fmt.Errorf("structured: schema of %s: %v", t, fault)
		}
	}()
	reflector := jsonschema.Reflector{Anonymous: true, Namer: g.name, Mapper: g.ownForm}
	schema = reflector.ReflectFromType(t)
	if g.unreadable != nil {
		return nil, fmt.Errorf("structured: schema of %s: no JSON can be read into the interface %s",
			t, g.unreadable)
	}
	return schema, nil
}

// name gives each named type a unique name.
func (g *generator) name(t reflect.Type) string {
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

// ownForm returns schemas for types whose JSON form the library does not know, nil for others.
func (g *generator) ownForm(t reflect.Type) *jsonschema.Schema {
	pointer := reflect.PointerTo(t)
	switch {
	case t.Kind() == reflect.Interface && t.NumMethod() > 0: // which the library takes for anything
		g.unreadable = t
		return &jsonschema.Schema{}
	case t == reflect.TypeFor[time.Time](), pointer.Implements(reflect.TypeFor[describesItself]()):
		return nil
	case pointer.Implements(reflect.TypeFor[json.UnmarshalerFrom]()),
		pointer.Implements(reflect.TypeFor[json.Unmarshaler]()):
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

// describesItself is a type that returns its own schema to the library.
type describesItself interface{ JSONSchema() *jsonschema.Schema }
