package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/google/go-cmp/cmp"
)

// Gemini may send two calls with one id. Clients match results by ids, so each call gets its own.
func TestCallsWithOneIDGetTheirOwnResults(t *testing.T) {
	t.Parallel()
	in := openaitest.Decode(t,
		`{"candidates":[{"finishReason":"STOP","content":{"role":"model","parts":[
		{"functionCall":{"id":"a","name":"f","args":{"n":1}},"thoughtSignature":"QUJD"},
		{"functionCall":{"id":"a","name":"f","args":{"n":2}}},
		{"functionCall":{"id":"b","name":"f","args":{"n":3}}},
		{"functionCall":{"id":"a","name":"f","args":{"n":4}}}]}}],"responseId":"r","modelVersion":"m"}`)
	for name, opts := range map[string][]chat.Option{
		"with extensions": nil, "plain": {chat.WithoutExtensions(), chat.WithSignaturesInIDs()},
	} {
		whole, report, err := chat.FromGemini(in, opts...)
		if err != nil {
			t.Fatal(err)
		}
		const at = "approximated /candidates/0/content/parts/"
		openaitest.Reports(t, report.Of("approximated"), at+"1/functionCall/id",
			at+"3/functionCall/id")
		var chunks []openaiapi.CreateChatCompletionStreamResponse
		for chunk, err := range chat.NewStream(
			opts...).Chunks(openaitest.Pairs([]*geminiapi.GenerateContentResponse{in}, nil)) {
			if err != nil {
				t.Fatal(err)
			}
			chunks = append(chunks, chunk)
		}
		streamed := openaitest.Accumulate(chunks)
		calls := whole.Choices[0].Message.ToolCalls
		if diff := cmp.Diff(calls, streamed.Choices[0].Message.ToolCalls); diff != "" {
			t.Errorf("%s (-whole +streamed):\n%s", name, diff)
		}
		if got := resultsBack(t, calls); got != "1=1 2=2 3=3 4=4" {
			t.Errorf("%s: the results are %s", name, got)
		}
	}
}

// resultsBack returns the results of the calls for a client that sends them in another order, as
// "1=1" for {"n":1}.
func resultsBack(t *testing.T, calls []openaiapi.ToolCall) string {
	t.Helper()
	in := &openaiapi.CreateChatCompletionRequest{Model: "gemini-3-pro-preview",
		Messages: []openaiapi.ChatMessage{
			openai.UserText("Go"), {Role: openaiapi.RoleAssistant, ToolCalls: calls},
		}}
	for i := len(calls) - 1; i >= 0; i-- {
		_, n, _ := strings.Cut(calls[i].Function.Arguments, ":")
		in.Messages = append(in.Messages,
			openai.ToolMessage(calls[i].ID, strings.TrimSuffix(n, "}")))
	}
	out, _, err := request.ToGemini(in)
	if err != nil {
		t.Fatal(err)
	}
	var pairs []string
	for i, call := range out.Contents[1].Parts {
		result := out.Contents[2].Parts[i].FunctionResponse
		if jsonx.Deref(call.FunctionCall.ID) != jsonx.Deref(result.ID) {
			t.Errorf("call %d has the id %v, its result %v", i, call.FunctionCall.ID, result.ID)
		}
		pairs = append(pairs,
			numberIn(string(call.FunctionCall.Args))+"="+numberIn(string(result.Response)))
	}
	return strings.Join(pairs, " ")
}

// numberIn returns the only digit of a text.
func numberIn(text string) string { return text[strings.IndexAny(text, "1234"):][:1] }
