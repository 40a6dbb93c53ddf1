package normalize_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/google/go-cmp/cmp"
)

func TestResponse(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{
			"members of the root",
			`{"responseId":"r1","modelVersion":"gemini-3-pro-preview","createTime":"2026-11-20T09:26:00.1Z",
			  "promptFeedback":{"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}]},
			  "modelStatus":{"modelStage":"PREVIEW","message":"soon gone"},"turnToken":"t"}`,
			`{"id":"r1","model":"gemini-3-pro-preview","create_time":"2026-11-20T09:26:00.1Z","candidates":[],
			  "usage":{"input_tokens":0,"output_tokens":0,"thinking_tokens":0,"cached_tokens":0,"total_tokens":0},
			  "prompt_feedback":{"safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}]},
			  "extra":{"modelStatus":{"modelStage":"PREVIEW","message":"soon gone"},"turnToken":"t"}}`,
		},
		{
			"members of a candidate",
			`{"candidates":[{"index":3,"content":{"role":"model","parts":[{"text":"Hi"}],"new":1},"finishReason":"SAFETY","finishMessage":"cut",
			  "safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"HIGH","blocked":true}],
			  "urlContextMetadata":{"urlMetadata":[{"retrievedUrl":"https://example.org","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_SUCCESS"}],"new":2},
			  "tokenCount":4,"continuationToken":"more","groundingAttributions":[{"sourceId":{"groundingPassage":{"passageId":"p"}}}],"score":-1.5}]}`,
			`{"candidates":[{"index":3,"role":"model","content_blocks":[{"type":"text","part":0,"text":"Hi"}],
			  "finish_reason":"content_filter","native_finish_reason":"SAFETY","finish_message":"cut",
			  "safety_ratings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"HIGH","blocked":true}],
			  "url_context":[{"retrievedUrl":"https://example.org","urlRetrievalStatus":"URL_RETRIEVAL_STATUS_SUCCESS"}],
			  "extra":{"content":{"new":1},"urlContextMetadata":{"new":2},"tokenCount":4,"continuationToken":"more",
			    "groundingAttributions":[{"sourceId":{"groundingPassage":{"passageId":"p"}}}],"score":-1.5}}],
			  "usage":{"input_tokens":0,"output_tokens":0,"thinking_tokens":0,"cached_tokens":0,"total_tokens":0}}`,
		},
		{
			"several candidates without an index",
			`{"candidates":[{"index":2},{"content":{"parts":[{"text":"a"}]}},{"content":{"parts":[{"text":"b"}]}},{}]}`,
			`{"candidates":[
			  {"index":0,"content_blocks":[{"type":"text","part":0,"text":"a"}],"finish_reason":"unknown"},
			  {"index":1,"content_blocks":[{"type":"text","part":0,"text":"b"}],"finish_reason":"unknown"},
			  {"index":2,"content_blocks":[],"finish_reason":"unknown"},
			  {"index":3,"content_blocks":[],"finish_reason":"unknown"}],
			  "usage":{"input_tokens":0,"output_tokens":0,"thinking_tokens":0,"cached_tokens":0,"total_tokens":0}}`,
		},
		{
			"several candidates",
			`{"responseId":"r","candidates":[
			  {"content":{"parts":[{"text":"one"}]},"finishReason":"STOP"},
			  {"content":{"parts":[{"functionCall":{"name":"f"}}]},"finishReason":"STOP","index":1},
			  {"content":{"parts":[{"functionCall":{"name":"f"}}]},"finishReason":"MAX_TOKENS","index":2},
			  {"index":-1}]}`,
			`{"id":"r","candidates":[
			  {"index":0,"content_blocks":[{"type":"text","part":0,"text":"one"}],"finish_reason":"stop","native_finish_reason":"STOP"},
			  {"index":1,"content_blocks":[{"type":"tool_call","part":0,"tool_call":{"id":"call-r-1-0","made_id":true,"name":"f","arguments":{}}}],
			   "finish_reason":"tool_use","native_finish_reason":"STOP"},
			  {"index":2,"content_blocks":[{"type":"tool_call","part":0,"tool_call":{"id":"call-r-2-0","made_id":true,"name":"f","arguments":{}}}],
			   "finish_reason":"length","native_finish_reason":"MAX_TOKENS"},
			  {"index":3,"content_blocks":[],"finish_reason":"unknown","extra":{"index":-1}}],
			  "usage":{"input_tokens":0,"output_tokens":0,"thinking_tokens":0,"cached_tokens":0,"total_tokens":0}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			equalJSON(t, asJSON(t, normalized(t, tt.in)), tt.want)
		})
	}
}

func TestBlockedErrorKeepsAllThatTheResponseSaid(t *testing.T) {
	t.Parallel()
	_, err := normalize.FromResponse(fromWire(t,
		`{"modelVersion":"gemini-2.5-flash","responseId":"r1","promptFeedback":
		{"blockReason":"PROHIBITED_CONTENT","blockReasonMessage":"not this","safetyRatings":[{"category":"HARM_CATEGORY_DANGEROUS_CONTENT","blocked":true}]},
		"usageMetadata":{"promptTokenCount":7,"totalTokenCount":7},"candidates":[{"content":{"parts":[{"text":"kept"}]}},{}]}`))
	blocked, ok := errors.AsType[*normalize.BlockedError](err)
	if !ok {
		t.Fatalf("the error is %v, want a *BlockedError", err)
	}
	if got, want := err.Error(),
		"normalize: Prompt blocked: PROHIBITED_CONTENT: not this"; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
	if blocked.Reason != geminiapi.BlockReasonProhibitedContent || blocked.Message != "not this" ||
		len(blocked.SafetyRatings) != 1 {
		t.Errorf("the error is %+v", blocked)
	}
	if blocked.Category() != normalize.CategoryContentFilter {
		t.Errorf("the category is %s", blocked.Category())
	}
	r := blocked.Response
	if r.Model != "gemini-2.5-flash" || r.ID != "r1" || r.Usage.InputTokens != 7 ||
		r.PromptFeedback == nil || len(r.Candidates) != 2 || r.Text() != "kept" {
		t.Errorf("the response is %+v", r)
	}
}

// A block reason always means a refusal. A text that describes a block means a refusal only if
// there is no other content.
func TestARefusalIsTheSameWholeAndStreamed(t *testing.T) {
	t.Parallel()
	const (
		reason  = `{"promptFeedback":{"blockReason":"SAFETY"}}`
		words   = `{"promptFeedback":{"blockReasonMessage":"not this"}}`
		text    = `{"candidates":[{"content":{"role":"user","parts":[{"text":"a"}]},"finishMessage":"m"}]}`
		another = `{"candidates":[{"index":1,"content":{"parts":[{"functionCall":{"name":"f","willContinue":true}}]}}]}`
		end     = `{"candidates":[{"finishReason":"MAX_TOKENS"}]}`
		empty   = `{"candidates":[]}`
		unsaid  = `{"promptFeedback":{"blockReason":""}}` // what readers make of null
	)
	tests := []struct {
		name    string
		chunks  []string
		blocked string // "" for an answer
	}{
		{"a reason alone", []string{reason}, "normalize: Prompt blocked: SAFETY"},
		{"words alone", []string{words, empty}, "normalize: Prompt blocked: Unknown reason: not this"},
		{"a reason and words", []string{words, reason}, "normalize: Prompt blocked: SAFETY: not this"},
		{"a reason before an answer", []string{reason, text, end}, "normalize: Prompt blocked: SAFETY"},
		{"a reason within an answer", []string{text, reason, end}, "normalize: Prompt blocked: SAFETY"},
		{"a reason after an answer", []string{text, end, reason}, "normalize: Prompt blocked: SAFETY"},
		{"a reason after one that only stops", []string{text, another, reason}, "normalize: Prompt blocked: SAFETY"},
		{"a reason that does not say which", []string{unsaid, empty}, "normalize: Prompt blocked: Unknown reason"},
		{"a reason that does not say which before an answer", []string{unsaid, text, end}, ""},
		{"a reason that does not say which after an answer", []string{text, end, unsaid}, ""},
		{"words before an answer", []string{words, text, end}, ""},
		{"words after an answer", []string{text, end, words}, ""},
		{"a text after two answers, and one of them only stops", []string{text, another, end, words}, ""},
	}
	ids := normalize.WithToolCallIDs(func(string, int, int) string { return "made" })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := streamOf(t, tt.chunks...)
			merged, _ := normalize.MergeChunks(s.chunks...)
			whole, wholeErr := normalize.FromResponse(merged, ids)
			streamed, streamedErr := normalize.Accumulate(normalize.Events(s.all, ids))
			for _, result := range []struct {
				response **normalize.Response
				err      error
			}{{&whole, wholeErr}, {&streamed, streamedErr}} {
				blocked, ok := errors.AsType[*normalize.BlockedError](result.err)
				switch {
				case ok != (tt.blocked != ""), ok && blocked.Error() != tt.blocked,
					!ok && result.err != nil:
					t.Fatalf("the error is %v, want %q", result.err, tt.blocked)
				case ok:
					*result.response = blocked.Response
				}
			}
			equalJSON(t, asJSON(t, whole), asJSON(t, streamed))
		})
	}
}

func TestNothingPanicsOnNil(t *testing.T) {
	t.Parallel()
	out, err := normalize.FromResponse(nil)
	if err != nil || out == nil {
		t.Fatalf("a nil response gives %v, %v; want an empty one", out, err)
	}
	for _, r := range []*normalize.Response{nil, out} {
		if r.Text() != "" || r.Blocks() != nil || r.FinishReason() != normalize.FinishUnknown {
			t.Errorf("%v has content", r)
		}
	}
	var c *normalize.Candidate
	if c.Text() != "" || c.Thinking() != "" || c.ToolCalls() != nil {
		t.Error("a nil candidate has content")
	}
	if err := normalize.Validate(nil); err == nil {
		t.Error("a nil response is valid")
	}
	if _, err := normalize.Encode(nil); err == nil {
		t.Error("a nil response is encoded")
	}
	if normalize.FromError(nil) != nil {
		t.Error("a nil error has a category")
	}
}

func TestAccessorsReadTheFirstCandidate(t *testing.T) {
	t.Parallel()
	out := normalized(t, `{"candidates":[{"content":{"parts":[
		{"text":"thinking ","thought":true},{"text":"One "},{"functionCall":{"id":"a","name":"f"}},
		{"text":"aloud","thought":true},{"text":"two."},{"functionCall":{"id":"b","name":"g"}}]},"finishReason":"STOP"},
		{"content":{"parts":[{"text":"other"}]}}]}`)
	if got, want := out.Text(), "One two."; got != want {
		t.Errorf("Text is %q, want %q", got, want)
	}
	if got, want := out.Candidates[0].Thinking(), "thinking aloud"; got != want {
		t.Errorf("Thinking is %q, want %q", got, want)
	}
	if got := len(out.Blocks()); got != 6 {
		t.Errorf("there are %d blocks, want 6", got)
	}
	if got := out.FinishReason(); got != normalize.FinishToolUse {
		t.Errorf("FinishReason is %s, want tool_use", got)
	}
	var ids []string
	for _, call := range out.Candidates[0].ToolCalls() {
		ids = append(ids, call.ID)
	}
	if diff := cmp.Diff([]string{"a", "b"}, ids); diff != "" {
		t.Errorf("tool calls: -want +got:\n%s", diff)
	}
	if got := out.Candidates[1].Text(); got != "other" {
		t.Errorf("the second candidate's Text is %q", got)
	}
}
