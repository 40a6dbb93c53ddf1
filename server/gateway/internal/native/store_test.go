package native_test

import (
	"testing"

	"github.com/gemwire/gemwire/server/gateway/internal/native"
)

func TestStoreIsAddedToRequestsThatDoNotHaveIt(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ verb, in, want string }{
		"a request":             {native.VerbGenerate, ` { "contents" : [ {"store":1} ] } `, ` {"store":false, "contents" : [ {"store":1} ] } `},
		"a stream":              {native.VerbStream, `{"a":"\ud800"}`, `{"store":false,"a":"\ud800"}`},
		"an empty request":      {native.VerbGenerate, `{}`, `{"store":false}`},
		"one that is stored":    {native.VerbGenerate, `{"contents":[],"store":true}`, `{"contents":[],"store":true}`},
		"one that is not":       {native.VerbGenerate, `{"store":false}`, `{"store":false}`},
		"null":                  {native.VerbGenerate, `{"store": null,"contents":[]}`, `{"store": false,"contents":[]}`},
		"null and a value":      {native.VerbGenerate, `{"store":null,"store":true}`, `{"store":null,"store":true}`},
		"no object":             {native.VerbGenerate, `[]`, `[]`},
		"no JSON":               {native.VerbGenerate, `{"contents":`, `{"contents":`},
		"no body":               {native.VerbGenerate, ``, ``},
		"a count":               {"countTokens", `{}`, `{}`},
		"an embedding":          {"embedContent", `{}`, `{}`},
		"a batch of embeddings": {"asyncBatchEmbedContent", `{"batch":{}}`, `{"batch":{}}`},
		"a batch": {native.VerbBatch,
			`{"batch":{"displayName":"d","inputConfig":{"requests":{"requests":[{"request":{"contents":[]},"metadata":{}},{"request":{"store":true}},{"request":{}},{}]}}}}`,
			`{"batch":{"displayName":"d","inputConfig":{"requests":{"requests":[{"request":{"store":false,"contents":[]},"metadata":{}},{"request":{"store":true}},{"request":{"store":false}},{}]}}}}`},
		"a batch with underscores": {native.VerbBatch,
			`{"batch":{"input_config":{"requests":{"requests":[{"request":{}}]}}}}`,
			`{"batch":{"input_config":{"requests":{"requests":[{"request":{"store":false}}]}}}}`},
		"a batch of a file": {native.VerbBatch, `{"batch":{"inputConfig":{"fileName":"files/f"}}}`, `{"batch":{"inputConfig":{"fileName":"files/f"}}}`},
	} {
		if got := string(native.WithStore(tt.verb, []byte(tt.in), false)); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
	if got := string(native.WithStore(native.VerbGenerate, []byte(`{}`),
		true)); got != `{"store":true}` {
		t.Error(got)
	}
}
