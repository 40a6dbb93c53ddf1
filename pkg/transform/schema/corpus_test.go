package schema_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/schema"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// Schemas that people have sent to the API in its own form are JSON Schema to this package, and
// stay unchanged.
func TestSchemasOfRecordedRequestsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	count := 0
	for _, p := range corpustest.Payloads(t, corpustest.Request) {
		r, err := gemini.DecodeRequest(p.Read(t))
		if err != nil {
			continue
		}
		for _, in := range schemasOf(r) {
			if strings.Contains(encode(t, in), "exclusiveMinimum") || in.Type == nil {
				continue // which the API refuses, or which is no schema but none
			}
			count++
			out, entries, err := schema.FromJSON(jsontext.Value(encode(t, in)),
				schema.ForVertexAI())
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
				continue
			}
			checkRules(t, out, true)
			if lost := entries.Of(report.Lost); lost != nil {
				t.Errorf("%s: %v", p.Name, lost)
			}
			order(in)
			if diff := cmp.Diff(encode(t, in), encode(t, out)); diff != "" {
				t.Errorf("%s: %s", p.Name, diff)
			}
		}
	}
	t.Logf("%d schemas", count)
}

func schemasOf(r *geminiapi.GenerateContentRequest) []*geminiapi.Schema {
	var out []*geminiapi.Schema
	if g := r.GenerationConfig; g != nil && g.ResponseSchema != nil {
		out = append(out, g.ResponseSchema)
	}
	for _, tool := range r.Tools {
		for _, f := range tool.FunctionDeclarations {
			for _, s := range []*geminiapi.Schema{f.Parameters, f.Response} {
				if s != nil {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// order prepares a schema for comparison. It adds the order of properties that encode writes,
// removes empty lists, and writes lengths as the API does.
func order(s *geminiapi.Schema) {
	if len(s.Properties) > 1 && s.PropertyOrdering == nil {
		s.PropertyOrdering = slices.Sorted(maps.Keys(s.Properties))
	}
	if len(s.Required) == 0 {
		s.Required = nil
	}
	for _, length := range []*wiretype.Int64{s.MinLength, s.MaxLength, s.MinItems, s.MaxItems} {
		if length != nil {
			*length = wiretype.NewInt64(length.Int64())
		}
	}
	for name, property := range s.Properties {
		order(&property)
		s.Properties[name] = property
	}
	if s.Items != nil {
		order(s.Items)
	}
}

func TestJSONSchemasOfRecordedRequestsConvertCompletely(t *testing.T) {
	t.Parallel()
	count := 0
	for _, p := range corpustest.Payloads(t, corpustest.Request) {
		r, err := gemini.DecodeRequest(p.Read(t))
		if err != nil {
			continue
		}
		for _, document := range jsonSchemasOf(r) {
			count++
			out, _, err := schema.FromJSON(document)
			if err != nil {
				t.Errorf("%s: %v", p.Name, err)
				continue
			}
			checkRules(t, out, false)
			checkChanges(t, p.Name, string(document))
		}
	}
	t.Logf("%d schemas", count)
}

func jsonSchemasOf(r *geminiapi.GenerateContentRequest) []jsontext.Value {
	var out []jsontext.Value
	if g := r.GenerationConfig; g != nil && g.ResponseJSONSchema != nil {
		out = append(out, g.ResponseJSONSchema)
	}
	for _, tool := range r.Tools {
		for _, f := range tool.FunctionDeclarations {
			if f.ParametersJSONSchema != nil {
				out = append(out, f.ParametersJSONSchema)
			}
		}
	}
	return out
}
