package reverse_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
)

// The service tier of an answer is converted if Gemini has it, and reported otherwise.
func TestTheEnvelopeIsConvertedOrReported(t *testing.T) {
	t.Parallel()
	const choice = `{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}`
	for tier, want := range map[string]string{"default": `"serviceTier":"standard"`,
		"flex": `"serviceTier":"flex"`, "priority": `"serviceTier":"priority"`, "scale": ""} {
		out, entries := whole(t, choice,
			`,"service_tier":"`+tier+`","system_fingerprint":"fp","moderation":{"flagged":false}`)
		if got := written(t, out); !strings.Contains(got, want) ||
			strings.Contains(got, "serviceTier") != (want != "") {
			t.Errorf("%s: %s", tier, got)
		}
		lost := entries.Of(report.Lost)
		if !lost.Covers("/system_fingerprint") || !lost.Covers("/moderation") ||
			lost.Covers("/service_tier") != (want == "") {
			t.Errorf("%s: %v", tier, entries)
		}
	}
}

// All chunks of a stream have the id and the model of the first one.
func TestEachChunkHasTheIDAndTheModel(t *testing.T) {
	t.Parallel()
	s := streamed(t, delta(`"role":"assistant"`), delta(`"content":"a"`), delta(`"content":"b"`),
		finish("stop"))
	if len(s.chunks) != 3 {
		t.Fatalf("%d chunks", len(s.chunks))
	}
	for i, c := range s.chunks {
		if c.ResponseID == nil || *c.ResponseID != "c1" || c.ModelVersion == nil ||
			*c.ModelVersion != "m" {
			t.Errorf("chunk %d: %s", i, written(t, c))
		}
	}
}

// Tokens of each kind are counted by modality. Counts that Gemini does not have are reported.
func TestTokensAreCountedByModality(t *testing.T) {
	t.Parallel()
	out, entries := whole(t,
		`{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}`,
		`,"usage":{"prompt_tokens":10,"completion_tokens":8,"total_tokens":18,
		"prompt_tokens_details":{"text_tokens":5,"image_tokens":3,"audio_tokens":2,"cache_write_tokens":4},
		"completion_tokens_details":{"text_tokens":6,"audio_tokens":2,"accepted_prediction_tokens":1,"rejected_prediction_tokens":1}}`)
	const want = `{"usageMetadata":{"candidatesTokenCount":8,"candidatesTokensDetails":[{"modality":"TEXT","tokenCount":6},{"modality":"AUDIO","tokenCount":2}],` +
		`"promptTokenCount":10,"promptTokensDetails":[{"modality":"TEXT","tokenCount":5},{"modality":"IMAGE","tokenCount":3},{"modality":"AUDIO","tokenCount":2}],"totalTokenCount":18}}`
	if got := written(t,
		&geminiapi.GenerateContentResponse{UsageMetadata: out.UsageMetadata}); got != want {
		t.Errorf("got %s", got)
	}
	for _, pointer := range []string{
		"/usage/prompt_tokens_details/cache_write_tokens",
		"/usage/completion_tokens_details/accepted_prediction_tokens",
		"/usage/completion_tokens_details/rejected_prediction_tokens",
	} {
		if !entries.Of(report.Lost).Covers(pointer) {
			t.Errorf("%s is not lost: %v", pointer, entries)
		}
	}
}

// Arguments in pieces become one whole call, never pieces in Gemini's form. A path in an object is
// known only when its value is complete.
func TestCallsAreWhole(t *testing.T) {
	t.Parallel()
	s := streamed(t, delta(`"tool_calls":[{"index":0,"id":"1","type":"function","function":{"name":"f","arguments":"{\"x\":"}}]`),
		delta(`"tool_calls":[{"index":0,"function":{"arguments":"\"a"}}]`),
		delta(`"tool_calls":[{"index":0,"function":{"arguments":"b\"}"}}]`), finish("tool_calls"))
	if len(s.chunks) != 1 || strings.Contains(written(t, s.chunks[0]), "partialArgs") ||
		strings.Contains(written(t, s.chunks[0]), "willContinue") {
		t.Errorf("%d chunks: %s", len(s.chunks), written(t, s.chunks[0]))
	}
	checkParts(t, s.merged(), `{"functionCall":{"args":{"x":"ab"},"id":"1","name":"f"}}`)
}

// The time of a completion is in seconds. Some servers send milliseconds, and some send none.
func TestTheTimeIsThatOfTheCompletion(t *testing.T) {
	t.Parallel()
	for created, want := range map[string]string{
		"1700000000":    `"createTime":"2023-11-14T22:13:20Z"`,
		"1700000000000": `"createTime":"2023-11-14T22:13:20Z"`, "0": "", "-5": "",
	} {
		in, _, err := openai.DecodeForeignResponse([]byte(`{"object":"chat.completion","created":` +
			created + `,"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		out, report, err := reverse.ToGemini(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := written(t, out); !strings.Contains(got, want) ||
			strings.Contains(got, "createTime") != (want != "") {
			t.Errorf("%s: %s", created, got)
		}
		if isExact := created == "1700000000" ||
			created == "0"; report.Covers("/created") == isExact {
			t.Errorf("%s: %v", created, report)
		}
	}
}

// Status 400 with code content_filter means a refused prompt, as Azure sends it. Everything else is
// an error.
func TestOnlyAFilterOfThePromptIsABlock(t *testing.T) {
	t.Parallel()
	const filtered = `{"error":{"message":"filtered","code":"content_filter"}}`
	for _, tc := range []struct {
		status int
		body   string
		want   bool
	}{
		{400, filtered, true}, {500, filtered, false}, {400, `{"error":{"message":"too long","code":"context_length_exceeded"}}`, false}, {400, `{"error":{"message":"bad"}}`, false},
	} {
		if got := reverse.IsBlockedPrompt(reverse.DecodeError(tc.status, nil,
			[]byte(tc.body))); got != tc.want {
			t.Errorf("%d %s: %v", tc.status, tc.body, got)
		}
	}
}

// The retry delay is in seconds, in milliseconds or a time.
func TestTheRetryDelayIsConverted(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		header      http.Header
		least, most time.Duration
	}{
		"seconds":      {http.Header{"Retry-After": {"1.5"}}, 1500 * time.Millisecond, 1500 * time.Millisecond},
		"milliseconds": {http.Header{"Retry-After": {"9"}, "Retry-After-Ms": {"250"}}, 250 * time.Millisecond, 250 * time.Millisecond},
		"zero, with a more precise header in seconds": {http.Header{"Retry-After": {"9"}, "Retry-After-Ms": {"0"}}, 9 * time.Second, 9 * time.Second},
		"a time":      {http.Header{"Retry-After": {time.Now().Add(time.Minute).UTC().Format(http.TimeFormat)}}, 50 * time.Second, time.Minute},
		"a past time": {http.Header{"Retry-After": {"Mon, 02 Jan 2006 15:04:05 GMT"}}, 0, 0},
		"no time":     {http.Header{"Retry-After": {"soon"}}, 0, 0},
	} {
		e := reverse.DecodeError(429, tc.header, []byte(`{"error":{"message":"slow down"}}`))
		if e.RetryAfter < tc.least || e.RetryAfter > tc.most {
			t.Errorf("%s: %v", name, e.RetryAfter)
		}
	}
}
