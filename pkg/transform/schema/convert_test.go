package schema_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// isVertexAI and isParameters interpret the name of a mode.
func isVertexAI(mode string) bool   { return strings.HasPrefix(mode, "Vertex AI") }
func isParameters(mode string) bool { return strings.HasSuffix(mode, "parameters") }

// modes are the forms of the result, by name.
var modes = map[string][]schema.Option{
	"Gemini API":             nil,
	"Vertex AI":              {schema.ForVertexAI()},
	"parameters":             {schema.ForParameters()},
	"Vertex AI's parameters": {schema.ForVertexAI(), schema.ForParameters()},
}

// visible returns the result, or the error for a document that cannot be converted.
func visible(t testing.TB, document string, opts ...schema.Option) (string, report.Report) {
	t.Helper()
	out, report, err := schema.FromJSON(jsontext.Value(document), opts...)
	if err != nil {
		return err.Error(), nil
	}
	return encode(t, out), report
}

// encode returns the canonical JSON of a result.
func encode(t testing.TB, out *geminiapi.Schema) string {
	t.Helper()
	text, err := json.Marshal(out, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// lines returns the kind and the pointer of each entry.
func lines(report report.Report) string {
	var out strings.Builder
	for _, e := range report {
		out.WriteString(string(e.Kind) + " " + e.Pointer + "\n")
	}
	return out.String()
}
