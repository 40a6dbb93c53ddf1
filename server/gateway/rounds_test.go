package gateway_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/geminitest"
)

// Gemini ends a round of code execution with STOP in the middle of a stream.
func TestStreamThatContinuesAfterAFinishReasonIsOneAnswer(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
		geminitest.Chunk(`{"responseId":"r","candidates":[{"content":{"parts":[{"executableCode":{"language":"PYTHON","code":"print(1)"}}]}}],"usageMetadata":{"promptTokenCount":2,"totalTokenCount":9}}`),
		geminitest.Chunk(`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"It is "}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":2,"totalTokenCount":9}}`),
		geminitest.Chunk(`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"one."}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":2,"totalTokenCount":12}}`),
	).Unchecked().Times(9)))
	handler := gatewayOf(t, server)
	for path, test := range map[string]struct{ body, end string }{
		chatPath:        {streamed(hello), `"finish_reason":"stop"`},
		"/v1/responses": {`{"model":"gemini-3.5-flash","input":"hello","stream":true}`, `"type":"response.completed"`},
		"/v1/messages":  {`{"model":"gemini-3.5-flash","max_tokens":99,"messages":[{"role":"user","content":"hello"}],"stream":true}`, `"type":"message_stop"`},
	} {
		got := post(handler, path, test.body).Body.String()
		if !strings.Contains(got, "It is ") || !strings.Contains(got, "one.") ||
			strings.Count(got, test.end) != 1 ||
			strings.Index(got, test.end) < strings.Index(got, `"one."`) {
			t.Errorf("%s answered %s", path, got)
		}
	}
}

// The finish reason of a round does not end an answer that was cut off in the next round.
func TestCutRoundHasNoFinishReason(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
		geminitest.Chunk(`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"It is "}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":2,"totalTokenCount":9}}`),
		geminitest.Chunk(`{"responseId":"r","candidates":[{"content":{"parts":[{"text":"one"}]}}],"usageMetadata":{"promptTokenCount":2,"totalTokenCount":12}}`),
	).Unchecked().Times(9)))
	handler := gatewayOf(t, server)
	for path, test := range map[string]struct{ body, end, failure string }{
		chatPath:        {streamed(hello), `"finish_reason":"`, `{"error":`},
		"/v1/responses": {`{"model":"gemini-3.5-flash","input":"hello","stream":true}`, `"type":"response.completed"`, `"type":"response.failed"`},
		"/v1/messages":  {`{"model":"gemini-3.5-flash","max_tokens":99,"messages":[{"role":"user","content":"hello"}],"stream":true}`, `"type":"message_delta"`, `"type":"error"`},
	} {
		got := post(handler, path, test.body).Body.String()
		if !strings.Contains(got, `"one"`) || strings.Contains(got, test.end) ||
			!strings.Contains(got, test.failure) {
			t.Errorf("%s answered %s", path, got)
		}
	}
}
