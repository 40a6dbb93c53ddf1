package request_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// A client of generateContent sends the content of a recorded answer back in its next request. The
// steps are the ones that Google sent. Citations are not in the content.
func TestARecordedAnswerComesBackWithTheSameSteps(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(corpustest.Shared(t, "corpus-interactions"), "*",
		"*.response.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := interactions.DecodeResponse(body)
			if err != nil {
				t.Fatal(err)
			}
			checkAnswer(t, answer)
		})
	}
}

// checkAnswer sends an answer back.
func checkAnswer(t *testing.T, answer *interactionsapi.Interaction) {
	t.Helper()
	converted, _, err := reverse.ToGemini(answer)
	if err != nil {
		t.Fatal(err)
	}
	wire, err := gemini.EncodeResponse(converted)
	if err != nil {
		t.Fatal(err)
	}
	received, err := gemini.DecodeResponse(wire)
	if err != nil {
		t.Fatal(err)
	}
	in := &geminiapi.GenerateContentRequest{Contents: []geminiapi.Content{
		{Role: new("user"), Parts: []geminiapi.Part{{Text: new("?")}}},
		*received.Candidates[0].Content,
		{Role: new("user"), Parts: []geminiapi.Part{{Text: new("And?")}}},
	}}
	out, report, err := request.FromGemini(in, request.ForModel(model), request.WithStore())
	if err != nil {
		t.Fatal(err)
	}
	if report != nil {
		t.Errorf("the report is %v", report)
	}
	list, _ := out.Input.AsValue()
	steps, _ := list.AsList()
	for i := range answer.Steps {
		for j := range interactions.ContentOf(&answer.Steps[i]) {
			interactions.ContentOf(&answer.Steps[i])[j].Annotations = nil
		}
	}
	if diff := cmp.Diff(canonical(t, answer.Steps), canonical(t, steps[1:len(steps)-1])); diff != "" {
		t.Error(diff)
	}
}

// canonical returns a value as JSON with its members in order.
func canonical(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	value := jsontext.Value(data)
	if err := value.Indent(); err != nil {
		t.Fatal(err)
	}
	return string(value)
}
