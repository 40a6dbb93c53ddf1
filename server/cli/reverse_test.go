package cli_test

import (
	"strings"
	"testing"
)

func TestGeminisRequestsBecomeThoseOfChatCompletions(t *testing.T) {
	t.Parallel()
	const in = `{"contents":[{"role":"user","parts":[{"text":"?"}]}],"generationConfig":{"topK":3}}`
	got := convert(t, in, "gemini-request", "openai-request", "--model", "gpt-5.1")
	if want := `{"model":"gpt-5.1","messages":[{"role":"user","content":"?"}],"extra_body":{"google":{"top_k":3}}}` +
		"\n"; got.code != 0 || got.stdout != want {
		t.Errorf("%+v", got)
	}
	got = convert(t, in, "gemini-request", "openai-request", "--model", "gpt-5.1",
		"--no-extensions", "--strict")
	if got.code != 1 || !strings.Contains(got.stderr, "/generationConfig/topK") ||
		got.stdout != "" {
		t.Errorf("strict: %+v", got)
	}
	if got := convert(t, in, "gemini-request", "openai-request"); got.code != 1 ||
		!strings.Contains(got.stderr, "/model") || !strings.Contains(got.stderr, "--model") {
		t.Errorf("without a model: %+v", got)
	}
}

func TestCompletionsBecomeGeminisAnswers(t *testing.T) {
	t.Parallel()
	const in = `{"id":"c","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","refusal":null},"logprobs":null,"finish_reason":"stop"}],"system_fingerprint":"f"}`
	const want = `{"candidates":[{"content":{"parts":[{"text":"Hi"}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"m","responseId":"c"}` +
		"\n"
	if got := convert(t, in, "openai-response", "gemini-response", "--quiet"); got.code != 0 ||
		got.stdout != want {
		t.Errorf("%+v", got)
	}
	if got := convert(t, in, "openai-response", "gemini-response", "--strict"); got.code != 1 ||
		!strings.Contains(got.stderr, "/system_fingerprint") {
		t.Errorf("strict: %+v", got)
	}
	if got := convert(t, `{"error":{"message":"No.","type":"x"}}`, "openai-response",
		"gemini-response"); got.code != 1 || got.stdout != "" {
		t.Errorf("an error: %+v", got)
	}
}

func TestStreamsOfCompletionsBecomeGeminis(t *testing.T) {
	t.Parallel()
	const head = `data: {"id":"c","object":"chat.completion.chunk","created":0,"model":"m","choices":[`
	const in = head + `{"index":0,"delta":{"content":"Hi"},"finish_reason":null}]}` + "\n\n" +
		head + `{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	got := convert(t, in+"data: [DONE]\n\n", "openai-stream", "gemini-stream", "--quiet")
	if got.code != 0 || strings.Count(got.stdout, "data: {") != 2 ||
		!strings.Contains(got.stdout, `"finishReason":"STOP"`) {
		t.Errorf("%+v", got)
	}
	if again := convert(t, got.stdout, "gemini-stream",
		"gemini-stream"); again.stdout != got.stdout {
		t.Errorf("not what the command writes itself: %s", again.stdout)
	}
	got = convert(t, in+
		"data: {\"error\":{\"message\":\"Slow down\",\"type\":\"rate_limit_error\",\"param\":null,\"code\":null}}\n\n",
		"openai-stream", "gemini-stream", "--quiet")
	if got.code != 1 || !strings.Contains(got.stdout, "RESOURCE_EXHAUSTED") ||
		!strings.Contains(got.stderr, "Slow down") {
		t.Errorf("an error: %+v", got)
	}
}
