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

func TestFirstCandidateHasTheLowestIndexWhereverItStands(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{}`:                                                 `null`,
		`{"candidates":[]}`:                                  `null`,
		`{"candidates":[{"tokenCount":1}]}`:                  `{"tokenCount":1}`,
		`{"candidates":[{"index":3}]}`:                       `{"index":3}`,
		`{"candidates":[{"index":1},{"index":0}]}`:           `{"index":0}`,
		`{"candidates":[{"index":2},{"index":1}]}`:           `{"index":1}`,
		`{"candidates":[{"index":1},{"tokenCount":1}]}`:      `{"tokenCount":1}`,
		`{"candidates":[{"tokenCount":1},{"tokenCount":2}]}`: `{"tokenCount":1}`,
		`{"candidates":[{"index":-1},{"index":1}]}`:          `{"index":-1}`,
		// which gets 0, the lowest free index
		`{"candidates":[{"index":5},{"index":5,"tokenCount":1},{"index":6}]}`: `{"index":5,"tokenCount":1}`,
	} {
		var response geminiapi.GenerateContentResponse
		if err := json.Unmarshal([]byte(answer), &response); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(merge.FirstCandidate(&response))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", answer, got, err, want)
		}
	}
	if merge.FirstCandidate(nil) != nil {
		t.Error("no answer has a candidate")
	}
}
