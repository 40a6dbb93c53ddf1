package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
	"github.com/google/go-cmp/cmp"
)

// A call that repeats an id of its turn gets an id that no call of another turn has. So does its
// result.
func TestCallsOfOneIDHaveTheirOwnInTheWholeConversation(t *testing.T) {
	t.Parallel()
	const turn = `{"role":"model","parts":[{"functionCall":{"id":"a","name":"f"}},{"functionCall":{"id":"a","name":"g"}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{}}},{"functionResponse":{"id":"a","name":"g","response":{}}}]}`
	in, err := gemini.DecodeRequest([]byte(`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
		turn + `,` + strings.ReplaceAll(turn, `"a"`, `"b"`) +
		`],"tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, opts := range map[string][]request.Option{"with extensions": nil,
		"plain": {request.WithoutExtensions()}} {
		out, _, err := request.FromGemini(in, append(opts, request.ForModel(model))...)
		if err != nil {
			t.Fatal(err)
		}
		taken := map[string]bool{}
		var calls, results []string
		for i := range out.Messages {
			for _, call := range out.Messages[i].ToolCalls {
				if taken[call.ID] {
					t.Errorf("%s: two calls have the id %s", name, call.ID)
				}
				taken[call.ID] = true
				calls = append(calls, call.ID)
			}
			if id := out.Messages[i].ToolCallID; id != nil {
				results = append(results, *id)
			}
		}
		if diff := cmp.Diff(calls, results); diff != "" || len(calls) != 4 {
			t.Errorf("%s: -calls +results:\n%s", name, diff)
		}
	}
}

// OpenAI accepts ids of 64 characters. The id that replaces a longer one is unique.
func TestIDsOfCallsAreShortEnoughAndStillDiffer(t *testing.T) {
	t.Parallel()
	ids := func(first, second string) []string {
		t.Helper()
		in, err := gemini.DecodeRequest(
			[]byte(`{"contents":[{"role":"user","parts":[{"text":"q"}]},` +
				`{"role":"model","parts":[{"functionCall":{"id":"` + first +
				`","name":"f"}},{"functionCall":{"id":"` + second + `","name":"g"}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"id":"` + first +
				`","name":"f","response":{}}},{"functionResponse":{"id":"` + second +
				`","name":"g","response":{}}}]}` +
				`],"tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"}]}]}`))
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := request.FromGemini(in, request.WithoutExtensions(), request.ForModel(model))
		if err != nil {
			t.Fatal(err)
		}
		calls := out.Messages[1].ToolCalls
		if len(calls) != 2 {
			t.Fatalf("%d calls", len(calls))
		}
		return []string{calls[0].ID, calls[1].ID}
	}
	longest := strings.Repeat("a", 64)
	got := ids(longest+"a", longest)
	made := got[0]
	if len(made) > 64 || got[1] != longest {
		t.Errorf("ids of 65 and 64 characters become %q", got)
	}
	if got := ids(longest+"a", made); got[0] == got[1] {
		t.Errorf("two calls have the id %q", made)
	}
}
