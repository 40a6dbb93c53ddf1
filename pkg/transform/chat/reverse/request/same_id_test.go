package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
	"github.com/google/go-cmp/cmp"
)

// A call that repeats an id of its turn gets one that no call of another turn has, and so does its result.
func TestCallsOfOneIDHaveTheirOwnInTheWholeConversation(t *testing.T) {
	t.Parallel()
	const turn = `{"role":"model","parts":[{"functionCall":{"id":"a","name":"f"}},{"functionCall":{"id":"a","name":"g"}}]},` +
		`{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f","response":{}}},{"functionResponse":{"id":"a","name":"g","response":{}}}]}`
	in, err := gemini.DecodeRequest([]byte(`{"contents":[{"role":"user","parts":[{"text":"q"}]},` + turn + `,` + strings.ReplaceAll(turn, `"a"`, `"b"`) +
		`],"tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, opts := range map[string][]request.Option{"with extensions": nil, "plain": {request.WithoutExtensions()}} {
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
