package cli_test

import (
	"os"
	"strings"
	"testing"
)

// ofEachFormat returns a payload of each format that validate accepts.
func ofEachFormat(t *testing.T) map[string]string {
	t.Helper()
	read := func(name string) string {
		data, err := os.ReadFile(payload(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	response, stream := read("response-text.json"), read("stream-text.sse")
	out := map[string]string{
		"gemini-request": read("request-tools.json"), "gemini-response": response,
		"gemini-stream":  stream,
		"openai-request": read("openai-request-tools.json"),
	}
	for _, to := range []string{"openai-response", "normalized"} {
		out[to] = convert(t, response, "gemini-response", to).stdout
	}
	for _, to := range []string{"openai-stream", "normalized-stream", "aisdk-stream"} {
		out[to] = convert(t, stream, "gemini-stream", to).stdout
	}
	return out
}

func TestValidateDoesNotConfuseFormats(t *testing.T) {
	t.Parallel()
	payloads := ofEachFormat(t)
	for as := range payloads {
		for format, body := range payloads {
			// A whole response is a stream of one chunk.
			want := format == as || format == "gemini-response" && as == "gemini-stream"
			if got := gemwire(t, body, "validate", "--as", as); (got.code == 0) != want {
				t.Errorf("%s as %s: %+v", format, as, got)
			}
		}
		for name, body := range map[string]string{
			"nothing": "", "an empty object": "{}", "a list": "[]", "null": "null",
			"members that is unknown": `{"a":1,"b":[]}`,
		} {
			if got := gemwire(t, body, "validate", "--as", as); got.code != 1 {
				t.Errorf("%s as %s: %+v", name, as, got)
			}
		}
	}
}

func TestValidateRefusesAnAnswerWithoutCandidates(t *testing.T) {
	t.Parallel()
	const reason = ": must contain an answer, because there is no block reason\n"
	const missing = ": offset 0: must hold a candidate, or promptFeedback a blockReason\n"
	for name, test := range map[string]struct{ as, body, want string }{
		"an empty object":   {"gemini-response", `{}`, "-: /candidates" + missing},
		"a misspelt member": {"gemini-response", `{"candidate":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`, "-: /candidates" + missing + "-: /candidate: offset 1: warning: is not a known member of GenerateContentResponse; did you mean \"candidates\"?\n"},
		"counts alone":      {"gemini-response", `{"usageMetadata":{"promptTokenCount":7,"totalTokenCount":7},"responseId":"a"}`, "-: /candidates" + missing},
		"no candidates":     {"gemini-response", `{"candidates":[],"promptFeedback":{"safetyRatings":[]}}`, "-: /candidates: offset 14" + strings.TrimPrefix(missing, ": offset 0")},
		"a misspelt content": {"gemini-response",
			`{"candidates":[{"contents":{"parts":[{"text":"a"}]}}]}`, "-: /candidates/0/content: offset 15: must be set; the candidate has only unknown members\n" +
				"-: /candidates/0/finishReason: offset 15: must say why the candidate ended\n" +
				"-: /candidates/0/contents: offset 16: warning: is not a known member of Candidate; did you mean \"content\"?\n"},
		"a blocked prompt":     {"gemini-response", `{"promptFeedback":{"blockReason":"SAFETY"}}`, ""},
		"an error":             {"gemini-response", `{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}`, ""},
		"only a finish reason": {"gemini-response", `{"candidates":[{"finishReason":"SAFETY"}]}`, ""},
		"members yet unknown": {"gemini-response",
			`{"candidates":[{"content":{"parts":[{"text":"a"}]},"new":1,"finishReason":"STOP"}],"newer":{}}`,
			"-: /candidates/0/new: offset 51: warning: is not a known member of Candidate, found 1\n-: /newer: offset 83: warning: is not a known member of GenerateContentResponse\n"},
		"a normalised one":      {"normalized", `{"usage":{"input_tokens":7}}`, "-: /candidates" + reason},
		"a normalised refusal":  {"normalized", `{"prompt_feedback":{"blockReason":"SAFETY"}}`, ""},
		"events of nothing":     {"normalized-stream", `{"type":"start"}` + "\n" + `{"type":"done"}` + "\n", "-: /candidates" + reason},
		"events of a failure":   {"normalized-stream", `{"type":"error","error":{"category":"server","message":"busy"}}` + "\n", ""},
		"a stream that says no": {"gemini-stream", `data: {"promptFeedback":{"blockReason":"SAFETY"}}` + "\n\n", ""},
	} {
		got := gemwire(t, test.body, "validate", "--as", test.as)
		if got.stdout != test.want ||
			(got.code == 0) != (test.want == "" || name == "members yet unknown") {
			t.Errorf("%s: %+v, want %s", name, got, strings.TrimSpace(test.want))
		}
	}
}
