package openai_test

import (
	"bytes"
	stdjson "encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai"
	"github.com/gemwire/gemwire/pkg/union"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// convert converts a response that must be convertible.
func convert(t testing.TB, wire string, opts ...openai.Option) (*openaiapi.CreateChatCompletionResponse, transform.Report) {
	t.Helper()
	out, report, err := openai.Response(decode(t, wire), opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := openai.Validate(out); err != nil {
		t.Error(err)
	}
	return out, report
}

func decode(t testing.TB, wire string) *geminiapi.GenerateContentResponse {
	t.Helper()
	in, err := gemini.DecodeResponse([]byte(wire))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func encode(t testing.TB, out *openaiapi.CreateChatCompletionResponse) string {
	t.Helper()
	data, err := openai.EncodeResponse(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// part converts a response of one candidate with the given parts that ended normally.
func part(t testing.TB, parts string, opts ...openai.Option) (openaiapi.Choice, transform.Report) {
	t.Helper()
	return candidate(t, `{"content":{"role":"model","parts":[`+parts+`]},"finishReason":"STOP"}`, opts...)
}

// candidate converts a response of one candidate, which says all that else would be added.
func candidate(t testing.TB, wire string, opts ...openai.Option) (openaiapi.Choice, transform.Report) {
	t.Helper()
	out, report := convert(t, `{"responseId":"r1","modelVersion":"gemini-3-pro","createTime":"2026-11-20T10:00:00Z",`+
		`"usageMetadata":{},"candidates":[`+wire+`]}`, opts...)
	if len(out.Choices) != 1 {
		t.Fatalf("%d choices", len(out.Choices))
	}
	return out.Choices[0], report
}

// subset fails the test unless all of want is in got: of an object the members that want names, of
// a list all elements.
func subset(t testing.TB, got, want string) {
	t.Helper()
	g, w := tree(t, []byte(got)), tree(t, []byte(want))
	if diff := cmp.Diff(w, project(g, w)); diff != "" {
		t.Errorf("%s\nin %s", diff, got)
	}
}

// project leaves out of got the members of objects that want does not have.
func project(got, want any) any {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return got
		}
		out := map[string]any{}
		for name := range w {
			if value, ok := g[name]; ok {
				out[name] = project(value, w[name])
			}
		}
		return out
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return got
		}
		out := make([]any, len(g))
		for i := range g {
			out[i] = project(g[i], w[i])
		}
		return out
	default:
		return got
	}
}

// tree decodes JSON into maps, slices and exact numbers.
func tree(t testing.TB, data []byte) any {
	t.Helper()
	dec := stdjson.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return value
}

// entries returns a report as lines of kind and pointer.
func entries(report transform.Report) []string {
	var out []string
	for _, e := range report {
		out = append(out, string(e.Kind)+" "+e.Pointer)
	}
	return out
}

// reports fails the test unless the report has exactly these lines of kind and pointer.
func reports(t testing.TB, report transform.Report, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, entries(report), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

// sameCompletion compares completions: a list that is empty and one that is absent are the same in
// Go, and free-form values may differ in white space.
var sameCompletion = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.FilterValues(func(a, b jsontext.Value) bool { return len(a) > 0 && len(b) > 0 },
		cmp.Comparer(func(a, b jsontext.Value) bool { return compact(a) == compact(b) })),
	cmp.Comparer(func(a, b union.MediaURL) bool { return a == b }),
	cmp.Comparer(func(a, b union.Int64) bool { return a == b }),
	cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }),
}

func compact(v jsontext.Value) string {
	v = v.Clone()
	if err := v.Compact(jsontext.PreserveRawStrings(true)); err != nil {
		return err.Error()
	}
	return string(v)
}

// exists reports whether a JSON pointer leads to a value of the document.
func exists(document any, pointer string) bool {
	at := document
	for token := range jsontext.Pointer(pointer).Tokens() {
		switch value := at.(type) {
		case map[string]any:
			next, ok := value[token]
			if !ok {
				return false
			}
			at = next
		case []any:
			i, err := stdjson.Number(token).Int64()
			if err != nil || i < 0 || i >= int64(len(value)) || strings.HasPrefix(token, "+") {
				return false
			}
			at = value[i]
		default:
			return false
		}
	}
	return true
}

// ofIndex returns the entries about candidates' indices.
func ofIndex(report transform.Report) transform.Report {
	var out transform.Report
	for _, e := range report {
		if strings.HasSuffix(e.Pointer, "/index") {
			out = append(out, e)
		}
	}
	return out
}
