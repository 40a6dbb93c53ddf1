package structured

import (
	"reflect"

	"github.com/gemwire/gemwire/pkg/structured/internal/typeschema"
	"github.com/go-json-experiment/json/jsontext"
)

// SchemaOf returns the JSON Schema of type T in the form that Gemini accepts for an answer
// (generationConfig.responseJsonSchema) and for the parameters of a function
// (parametersJsonSchema). Equal types give equal bytes. Properties have the order of the fields,
// and the model writes them in that order.
//
// The schema states what [Parse] checks, if JSON Schema can express it:
//
//   - A field is required unless its json tag has omitempty or omitzero. The validate tag required
//     makes it required in any case. A required pointer may be null, unless its validate tag says
//     required.
//   - The validate tags min, max, len, gt, gte, lt and lte become minimum and maximum, minLength
//     and maxLength, or minItems and maxItems. The tags oneof and eq become enum; required on a
//     string becomes minLength 1. Tags after dive apply to the elements. Other validate tags have
//     no counterpart. For fractions, gt and lt include the bound itself.
//   - jsonschema_description gives a field a description for the model. The tags of
//     github.com/invopop/jsonschema work, too, such as jsonschema:"title=...,format=date".
//   - Members that a struct does not have are excluded, unless the struct embeds a map for them.
//   - A type that decodes itself from text is a string. A type that decodes itself from JSON is
//     anything.
//   - A recursive type is defined under $defs; every other type is written where it is used. Gemini
//     accepts a recursive type only if it can be left out, so such a field is never required.
//
// The schema uses only keywords that Gemini documents, and minLength, maxLength and pattern. Gemini
// ignores these three; they are for programs that check the answer.
//
// SchemaOf returns an error for a type that has no JSON form, such as a channel, or that cannot be
// decoded, such as an interface with methods. It also returns an error for a struct that embeds
// another and has two fields with the same JSON name.
func SchemaOf[T any]() (jsontext.Value, error) { return typeschema.Of(reflect.TypeFor[T]()) }
