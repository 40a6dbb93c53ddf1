package merge_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/go-json-experiment/json"
)

func TestTurnIsTheContentAsItCameWithAnAuthor(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{}`:                  `null`,
		`{"candidates":[{}]}`: `null`,
		`{"candidates":[{"content":{"role":"model"}}]}`:                                                                        `null`,
		`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`:                                                                `{"parts":[{"text":"a"}],"role":"model"}`,
		`{"candidates":[{"content":{"role":"","parts":[{"text":"a"}]}}]}`:                                                      `{"parts":[{"text":"a"}],"role":"model"}`,
		`{"candidates":[{"content":{"role":"user","parts":[{"text":"","thoughtSignature":"s","x":1}],"y":2}},{"content":{}}]}`: `{"parts":[{"text":"","thoughtSignature":"s","x":1}],"role":"user","y":2}`,
	} {
		var response geminiapi.GenerateContentResponse
		if err := json.Unmarshal([]byte(answer), &response); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(merge.Turn(&response))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", answer, got, err, want)
		}
	}
}
