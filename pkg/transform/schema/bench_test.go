package schema_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// toolSchema is the parameters of a tool with ten properties of usual kinds.
const toolSchema = `{
  "type": "object",
  "properties": {
    "from": {"type": "string", "description": "Station of departure, by name or code"},
    "to": {"type": "string", "description": "Station of arrival, by name or code"},
    "date": {"type": "string", "format": "date", "description": "Day of travel"},
    "time": {"type": ["string", "null"], "pattern": "^[0-9]{2}:[0-9]{2}$", "description": "Earliest departure"},
    "passengers": {"type": "integer", "minimum": 1, "maximum": 9, "default": 1},
    "class": {"type": "string", "enum": ["first", "second"], "description": "Class of the seats"},
    "direct": {"type": "boolean", "description": "Without changes"},
    "maxPrice": {"type": "number", "exclusiveMinimum": 0, "description": "In euro"},
    "via": {"type": "array", "items": {"type": "string"}, "maxItems": 3, "description": "Stations on the way"},
    "bicycle": {"type": "object", "properties": {"count": {"type": "integer"}, "folding": {"type": "boolean"}}, "required": ["count"]}
  },
  "required": ["from", "to", "date"]
}`

func BenchmarkFromJSON(b *testing.B) {
	for _, bench := range []struct{ name, document string }{
		{"ten properties", toolSchema},
		{"strict, with a definition", `{"type":"object","additionalProperties":false,"required":["steps","answer"],"properties":{"steps":{"type":"array","items":{"$ref":"#/$defs/step"}},"answer":{"type":"string"}},"$defs":{"step":{"type":"object","additionalProperties":false,"required":["text","output"],"properties":{"text":{"type":"string"},"output":{"anyOf":[{"type":"string"},{"type":"null"}]}}}}}`},
		{"a thousand properties", `{"type":"object","properties":{` + members(1000, `"p%d":{"type":"string","description":"One of many"}`) + `}}`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			document := jsontext.Value(bench.document)
			b.SetBytes(int64(len(document)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := schema.FromJSON(document); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
