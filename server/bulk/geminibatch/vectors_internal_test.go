package geminibatch

import (
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// A gateway makes its next embedding call only after it has vectors for the previous one. Zeros
// replace them while requests are collected.
func TestPlaceholdersHaveAsManyNumbersAsVectorsMayHave(t *testing.T) {
	t.Parallel()
	for length, want := range map[int]bool{-1: false, 0: false, 1: true, 768: true,
		longestVector: true, longestVector + 1: false} {
		body := jsontext.Value(`{"embedContentConfig":{"outputDimensionality":` +
			strconv.Itoa(length) + `}}`)
		out := placeholders([]jsontext.Value{body, jsontext.Value(`{}`)})
		if (out != nil) != want {
			t.Errorf("%d numbers: %d placeholders", length, len(out))
			continue
		}
		if want && (strings.Count(string(out[0]), "0") != length ||
			string(out[1]) != `{"embedding":{"values":[0]}}`) {
			t.Errorf("%d numbers: %.100s, %s", length, out[0], out[1])
		}
	}
}

func TestTokensOfSeveralVectorsAddUpWhereAllAreCounted(t *testing.T) {
	t.Parallel()
	const one, two = `{"embedding":{"values":[1]},"usageMetadata":{"promptTokenCount":3}}`,
		`{"embedding":{"values":[2]},"usageMetadata":{"promptTokenCount":4}}`
	for name, tt := range map[string]struct {
		answers []string
		want    string
	}{
		"all":            {[]string{one, two}, `{"embeddings":[{"values":[1]},{"values":[2]}],"usageMetadata":{"promptTokenCount":7}}`},
		"no usage":       {[]string{one, `{"embedding":{"values":[2]}}`}, `{"embeddings":[{"values":[1]},{"values":[2]}]}`},
		"no count":       {[]string{`{"embedding":{},"usageMetadata":{}}`, two}, `{"embeddings":[{},{"values":[2]}]}`},
		"no vector":      {[]string{`{"usageMetadata":{"promptTokenCount":3}}`, two}, `{"embeddings":[{},{"values":[2]}],"usageMetadata":{"promptTokenCount":7}}`},
		"another answer": {[]string{`{"embedding":{},"usageMetadata":7}`}, `{"embeddings":[{}]}`},
	} {
		var answers []jsontext.Value
		for _, answer := range tt.answers {
			answers = append(answers, jsontext.Value(answer))
		}
		if got := string(vectorsOf(answers)); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestOnlyMethodsOfModelsAreInBatches(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][2]string{
		"/v1beta/models/m:generateContent": {"m", "generateContent"},
		"/v1beta/models/m":                 {},
		"/v1beta/models":                   {},
		"/upload/v1beta/files:generate":    {},
	} {
		if model, method := methodOf(path); model != want[0] || method != want[1] {
			t.Errorf("%s: %q, %q", path, model, method)
		}
	}
}
