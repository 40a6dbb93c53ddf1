package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// halves are payloads with half a surrogate pair, with the pointers of the texts that have one.
var halves = map[string]struct {
	from, body string
	pointers   []string
}{
	"a response": {
		"gemini-response",
		`{"candidates":[{"content":{"parts":[{"text":"a\ud83d"},{"functionCall":{"name":"f","args":{"x":"\ud83d!"}}}]},"finishReason":"STOP"}],"modelVersion":"m"}`,
		[]string{"/candidates/0/content/parts/0/text",
			"/candidates/0/content/parts/1/functionCall/args/x"},
	},
	"a stream": {
		"gemini-stream", "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n\n" +
			`data: {"candidates":[{"content":{"parts":[{"text":"\udc00b"},{"functionCall":{"name":"f","args":{"x":"\ud83d!"}}}]},"finishReason":"STOP"}],"modelVersion":"m"}` +
			"\n\n",
		[]string{"/1/candidates/0/content/parts/0/text",
			"/1/candidates/0/content/parts/1/functionCall/args/x"},
	},
	"pieces of arguments": {
		"gemini-stream", `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","willContinue":true}}]}}]}` +
			"\n\n" +
			`data: {"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.x","stringValue":"\ud83d"}]}}]},"finishReason":"STOP"}]}` +
			"\n\n",
		[]string{"/1/candidates/0/content/parts/0/functionCall/partialArgs/0/stringValue"},
	},
	"a request of Gemini's": {
		"gemini-request",
		`{"contents":[{"role":"user","parts":[{"text":"\ud83d"}]}],"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":{"title":"\udc00"}}]}]}`,
		[]string{"/contents/0/parts/0/text",
			"/tools/0/functionDeclarations/0/parametersJsonSchema/title"},
	},
	"a request": {
		"openai-request",
		`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"a\ud83d"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":\"\\ud83d\"}"}}]},{"role":"tool","tool_call_id":"a","content":"{\"r\":\"\\udc00\"}"}]}`,
		[]string{"/messages/0/content", "/messages/1/tool_calls/0/function/arguments",
			"/messages/2/content"},
	},
	"a completion": {
		"openai-response",
		`{"id":"a","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"\ud83d","refusal":null},"logprobs":null,"finish_reason":"stop"}]}`,
		[]string{"/choices/0/message/content"},
	},
	"a stream of completions": {
		"openai-stream",
		`data: {"id":"a","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"\ud83d"},"finish_reason":"stop"}]}` +
			"\n\ndata: [DONE]\n\n",
		[]string{"/0/choices/0/delta/content"},
	},
	"a normalised response": {
		"normalized", `{"candidates":[{"index":0,"content_blocks":[{"type":"text","part":0,"text":"\ud83d"}],"finish_reason":"stop"}],"usage":{"input_tokens":0,"output_tokens":0,"thinking_tokens":0,"cached_tokens":0,"total_tokens":0}}`,
		[]string{"/candidates/0/content_blocks/0/text"},
	},
}

func TestHalfASurrogatePairIsReplacedAndReported(t *testing.T) {
	t.Parallel()
	count := 0
	for name, test := range halves {
		for _, line := range strings.Split(gemwire(t, "", "convert", "--help").stdout, "\n") {
			from, to, ok := strings.Cut(strings.TrimSpace(line), "->")
			if to = strings.TrimSpace(to); !ok || strings.TrimSpace(from) != test.from {
				continue
			}
			report := filepath.Join(t.TempDir(), "report")
			count++
			flags := []string{"--report", report}
			if test.from == "gemini-request" &&
				(to == "openai-request" || to == "interactions-request") { // which name their model
				flags = append(flags, "--model", "m")
			}
			got := convert(t, test.body, test.from, to, flags...)
			if got.code != 0 ||
				!strings.ContainsAny(got.stdout, "\uFFFD") &&
					!strings.Contains(got.stdout, `\ufffd`) {
				t.Errorf("%s to %s: %+v", name, to, got)
				continue
			}
			data, err := os.ReadFile(report)
			if err != nil {
				t.Fatal(err)
			}
			var entries []struct{ Pointer, Kind, Detail string }
			if err := json.Unmarshal(data, &entries); err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, e := range entries {
				if e.Kind == "approximated" && strings.Contains(e.Detail, "half a surrogate pair") {
					found = append(found, e.Pointer)
				}
			}
			if strings.Join(found, " ") != strings.Join(test.pointers, " ") &&
				!(to == test.from && len(found) > 0) {
				t.Errorf("%s to %s: reported at %v, want %v", name, to, found, test.pointers)
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d conversions", count)
	}
}
