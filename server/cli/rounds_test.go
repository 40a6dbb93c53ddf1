package cli_test

import (
	"slices"
	"strings"
	"testing"
)

// roundsOfCode is a stream with two rounds of code execution. As in Gemini's streams, the chunk of
// the second executableCode has STOP.
const roundsOfCode = `data: {"candidates":[{"content":{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"print(1)"}}]},"index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":20,"totalTokenCount":29},"modelVersion":"m","responseId":"r"}

data: {"candidates":[{"content":{"role":"model","parts":[{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1\n"}}]},"index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":20,"totalTokenCount":29},"modelVersion":"m","responseId":"r"}

data: {"candidates":[{"content":{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"print(2)"}}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":41,"totalTokenCount":50},"modelVersion":"m","responseId":"r"}

data: {"candidates":[{"content":{"role":"model","parts":[{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2\n"}}]},"index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":41,"totalTokenCount":50},"modelVersion":"m","responseId":"r"}

data: {"candidates":[{"content":{"role":"model","parts":[{"text":"One and "}]},"index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":44,"toolUsePromptTokenCount":80,"totalTokenCount":133},"modelVersion":"m","responseId":"r"}

data: {"candidates":[{"content":{"role":"model","parts":[{"text":"two."}]},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":46,"toolUsePromptTokenCount":80,"totalTokenCount":135},"modelVersion":"m","responseId":"r"}

`

func TestAnAnswerThatContinuesAfterAFinishReasonIsWholeInEveryForm(t *testing.T) {
	t.Parallel()
	formats := []string{"responses-response", "responses-stream", "messages-response",
		"messages-stream"}
	for _, output := range streamOutputs {
		formats = append(formats, output.format)
	}
	for _, format := range slices.Sorted(slices.Values(formats)) {
		got := convert(t, roundsOfCode, "gemini-stream", format, "--report", "/dev/stderr")
		if got.code != 0 ||
			strings.Index(got.stdout, "One and ") > strings.LastIndex(got.stdout, "two.") ||
			!strings.Contains(got.stdout, "two.") {
			t.Errorf("to %s: %+v", format, got)
		}
		// A stream that is converted while it arrives still has both finish reasons.
		entry := `"pointer":"/2/candidates/0/finishReason","kind":"approximated"`
		if isReported := strings.Contains(strings.Join(strings.Fields(got.stderr), ""),
			entry); isReported != (format != "gemini-stream") {
			t.Errorf("to %s, reported %t: %s", format, isReported, got.stderr)
		}
		for _, end := range []string{`"finish_reason":"`, `"stop_reason":"`,
			`"type":"response.completed"`, `"type":"finish"`, `"type":"done"`} {
			if n := strings.Count(got.stdout, end); format != "gemini-stream" && n > 1 {
				t.Errorf("to %s: %s stands %d times:\n%s", format, end, n, got.stdout)
			}
		}
	}
	if got := gemwire(t, roundsOfCode, "validate", "--as", "gemini-stream"); got.code != 0 {
		t.Errorf("validate: %+v", got)
	}
}

// An answer that continues after a finish reason needs another one. Without it the answer is cut
// off.
func TestAStreamEndsWithAFinishReason(t *testing.T) {
	t.Parallel()
	events := strings.SplitAfter(roundsOfCode, "\n\n")
	for n := range len(events) {
		got := convert(t, strings.Join(events[:n], ""), "gemini-stream", "openai-stream")
		if isWhole := n == 3 || n == 6; (got.code == 0) != isWhole ||
			strings.Contains(got.stdout, "[DONE]") != isWhole {
			t.Errorf("%d chunks: %+v", n, got)
		}
	}
}
