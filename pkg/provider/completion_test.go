package provider_test

import (
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/provider"
	"github.com/google/go-cmp/cmp"
)

// completedBy returns the completions of a whole answer, and of the same answer as a stream.
func completedBy(t *testing.T, whole string, chunks ...string) map[string]provider.Completion {
	t.Helper()
	out := map[string]provider.Completion{}
	keep := func(name string) func(*provider.Call, provider.Completion) {
		return func(_ *provider.Call, c provider.Completion) { out[name] = c }
	}
	call, err := overHTTP(t, reply{status: 200, body: whole}).StartRequest(t.Context(), request,
		keep("whole"))
	if err != nil {
		t.Fatal(err)
	}
	<-call.Done()
	if call, err = overHTTP(t, reply{status: 200, body: sse(chunks...)}).StartStream(t.Context(),
		request, nil, keep("streamed")); err != nil {
		t.Fatal(err)
	}
	<-call.Done()
	return out
}

func TestTheCompletionHasTheCallWithItsSignature(t *testing.T) {
	t.Parallel()
	const part = `{"functionCall":{"name":"write_page","args":{"path":"a.txt","content":"x"}},"thoughtSignature":"c2ln"}`
	const usage = `"usageMetadata":{"promptTokenCount":500,"candidatesTokenCount":200,"totalTokenCount":700}`
	for name, c := range completedBy(t,
		`{"modelVersion":"m","candidates":[{"content":{"parts":[`+part+
			`]},"finishReason":"STOP"}],`+usage+`}`,
		`{"modelVersion":"m","candidates":[{"content":{"parts":[`+part+`]}}]}`,
		`{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}],`+usage+`}`,
	) {
		r := c.Response
		if !c.Success || r.Model != "m" || r.FinishReason() != normalize.FinishToolUse ||
			counts(&r.Usage) != "500/200/0/700" || len(r.Blocks()) != 1 {
			t.Fatalf("%s: %+v", name, c)
		}
		block := r.Blocks()[0]
		got := []string{block.ToolCall.Name, string(block.ToolCall.Arguments), block.Signature,
			fmt.Sprint(len(block.ToolCall.ID))}
		if diff := cmp.Diff([]string{"write_page", `{"path":"a.txt","content":"x"}`, "c2ln", "22"},
			got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// The provider reads such an answer from the reply. The caller must be able to read the reply too.
func TestACallersRawReplyLeavesTheProviderItsOwn(t *testing.T) {
	t.Parallel()
	const body = `{"candidates":[{"content":{"parts":[{"text":"here"}]},"finishReason":"STOP"}],"usageMetadata":"none"}`
	var raw gemini.RawResponse
	answer, err := overHTTP(t, reply{status: 200, body: body}).Generate(t.Context(), said,
		gemini.WithRawResponse(&raw))
	if err != nil || answer.Candidates[0].Text() != "here" || string(raw.Body) != body {
		t.Errorf("%+v, %v, kept %s", answer, err, raw.Body)
	}
}

func TestTheCompletionHasThoughtsAndText(t *testing.T) {
	t.Parallel()
	chunk := func(text string, thought bool) string {
		return parts(fmt.Sprintf(`{"text":%q,"thought":%t}`, text, thought))
	}
	const usage = `"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":25,"thoughtsTokenCount":15,"totalTokenCount":45}`
	for name, c := range completedBy(t,
		`{"candidates":[{"content":{"parts":[{"text":"One. Two. Three. Four. ","thought":true},{"text":"Five six."}]},"finishReason":"STOP"}],`+
			usage+`}`,
		chunk("One. ", true), chunk("Two. ", true), chunk("Three. ", true), chunk("Four. ", true),
		chunk("Five ", false),
		`{"candidates":[{"content":{"parts":[{"text":"six."}]},"finishReason":"STOP"}],`+usage+`}`,
	) {
		r := c.Response
		if !c.Success || len(r.Blocks()) != 2 ||
			r.Candidates[0].Thinking() != "One. Two. Three. Four. " || r.Text() != "Five six." ||
			counts(&r.Usage) != "5/25/15/45" || r.FinishReason() != normalize.FinishStop {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
