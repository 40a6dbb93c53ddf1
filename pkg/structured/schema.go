package structured

import (
	"reflect"

	"github.com/gemwire/gemwire/pkg/structured/internal/typeschema"
	"github.com/go-json-experiment/json/jsontext"
)

// SchemaOf returns the JSON Schema of type T in the form that Gemini takes for an answer
// (generationConfig.responseJsonSchema) and for the parameters of a function
// (parametersJsonSchema). Equal types give equal bytes, and properties have the order of the
// fields, which is also the order in which the model writes them.
//
// The schema says what [Parse] checks, as far as JSON Schema has words for it:
//
//   - a field is required unless its json tag has omitempty or omitzero; the validate tag required
//     makes it so in any case. A pointer that is required may be null, unless its validate tag says
//     required.
//   - the validate tags min, max, len, gt, gte, lt and lte become minimum and maximum, minLength
//     and maxLength, or minItems and maxItems; oneof and eq become enum; required on a string
//     becomes minLength 1; what follows dive is said of the elements. Other validate tags have no
//     counterpart, and gt and lt of a fraction lose that the bound itself is out.
//   - jsonschema_description gives a field a description that the model reads; the other tags are
//     those of github.com/invopop/jsonschema, such as jsonschema:"title=...,format=date".
//   - other members than those of a struct are excluded, unless the struct embeds a map for them.
//   - a type that decodes itself from text is a string, one that decodes itself from JSON is
//     anything.
//   - a type that holds itself is defined under $defs, and everything else is written where it is
//     used. Gemini takes a type that holds itself only where it can be left out, so such a field is
//     never required.
//
// Only keywords that Gemini documents are used, and minLength, maxLength and pattern, which it
// reads over: they are for those who check the answer.
//
// It returns an error for a type that has no JSON, such as a channel, or that none can be read
// into, such as an interface with methods, and for a struct that embeds another and has two fields
// of one name in JSON.
func SchemaOf[T any]() (jsontext.Value, error) { return typeschema.Of(reflect.TypeFor[T]()) }
