package schema_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func Example() {
	document := jsontext.Value(`{
		"type": "object",
		"properties": {
			"city":  {"$ref": "#/$defs/name", "description": "Where"},
			"unit":  {"type": ["string", "null"], "enum": ["C", "F", null]},
			"hours": {"type": "integer", "exclusiveMinimum": 0, "multipleOf": 3}
		},
		"required": ["city"],
		"additionalProperties": false,
		"$defs": {"name": {"type": "string", "minLength": 2}}
	}`)
	parameters, report, err := schema.FromJSON(document, schema.ForParameters())
	if err != nil {
		log.Fatal(err)
	}
	text, err := json.Marshal(parameters, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	for _, entry := range report {
		fmt.Println(entry)
	}
	// Output:
	// {
	//   "properties": {
	//     "city": {
	//       "description": "Where",
	//       "minLength": "2",
	//       "type": "STRING"
	//     },
	//     "hours": {
	//       "minimum": 1,
	//       "type": "INTEGER"
	//     },
	//     "unit": {
	//       "enum": [
	//         "C",
	//         "F"
	//       ],
	//       "nullable": true,
	//       "type": "STRING"
	//     }
	//   },
	//   "propertyOrdering": [
	//     "city",
	//     "unit",
	//     "hours"
	//   ],
	//   "required": [
	//     "city"
	//   ],
	//   "type": "OBJECT"
	// }
	// lost /additionalProperties: the Gemini API's schema allows only declared properties
	// lost /properties/hours/multipleOf: Gemini's schema limits only the size of numbers
}

func ExampleError() {
	document := jsontext.Value(`{"type": "object", "properties": {"parent": {"$ref": "#"}}}`)
	_, _, err := schema.FromJSON(document)
	if errors.Is(err, schema.ErrCycle) {
		fmt.Println(err)
	}
	// Output:
	// schema: /properties/parent/$ref: a cycle of references: it is a part of its target "#"
}
