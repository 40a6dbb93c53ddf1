package gateway

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

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
