package cli_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValidatePrintsALocationForEverythingThatIsWrong(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ as, input, want string }{
		"not a response": {
			"gemini-response", `{"candidates":[{"content":{"parts":{"text":7}}}]}`,
			"-: /candidates/0/content/parts: offset 35: must be a list, found an object\n",
		},
		"empty": {"gemini-response", "", "-: offset 0: the input is empty\n"},
		"a call without a name": {
			"gemini-response",
			`{"candidates":[{"content":{"parts":[{"text":"a"},{"functionCall":{}}]},"finishReason":"STOP"}]}`,
			"-: /candidates/0/content/parts/1/functionCall/name: offset 65: must be set\n",
		},
		"not a request": {
			"gemini-request",
			`{"contents":[{"parts":[{"text":"a"}]}],"generationConfig":{"temperature":"hot"}}`,
			"-: /generationConfig/temperature: offset 73: a number was expected, found a string\n",
		},
		"several faults of a normalised response": {
			"normalized",
			`{"candidates":[{"index":0,"content_blocks":[{"type":"text","part":-1}],"finish_reason":"done"}],"usage":{"input_tokens":-1}}`,
			"-: /candidates/0/content_blocks/0/part: must be at least 0\n" +
				"-: /candidates/0/finish_reason: must be one of stop, length, tool_use, content_filter, error, unknown\n" +
				"-: /usage/input_tokens: must be at least 0\n",
		},
		"another format than the normalised one": {
			"normalized", smallResponse,
			"-: /candidates/0/content: offset 16: the format has no such member\n",
		},
		"several faults of a completion": {
			"openai-response", `{"id":"a","object":"chat.completion","created":1,"model":"m","choices":[` +
				`{"index":0,"message":{"role":"assistant","content":"","refusal":null},"finish_reason":"done"}],` +
				`"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":4}}`,
			"-: /choices/0/finish_reason: offset 158: warning: is not a known value; known are stop, length, tool_calls, content_filter, function_call, found \"done\"\n" +
				"-: /usage/total_tokens: offset 231: must be the sum of prompt_tokens and completion_tokens\n",
		},
		"not a completion": {
			"openai-response",
			`{"id":"a","object":"chat.completion","created":1,"model":"m","choices":{}}`,
			"-: /choices: offset 71: must be a list, found an object\n",
		},
		"not an OpenAI request": {
			"openai-request", `{"model":"m","messages":7}`,
			"-: /messages: offset 24: a list was expected, found a number\n",
		},
		"null as an OpenAI request":         {"openai-request", "null", "-: offset 0: an object was expected, found null\n"},
		"null as a normalised response":     {"normalized", "null", "-: offset 0: an object was expected, found null\n"},
		"nonsense as a normalised response": {"normalized", "nonsense", "-: offset 0: not JSON\n"},
		"truncated OpenAI request": {
			"openai-request", `{"model":`, "-: /model: offset 9: the input ends too early\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := gemwire(t, test.input, "validate", "--as", test.as)
			if diff := cmp.Diff(result{1, test.want, ""}, got, allowUnexported); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestValidateLooksAtEveryFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := writeFile(t, dir+"/good.json", smallResponse)
	bad := writeFile(t, dir+"/bad.json", `{"candidates":7}`)
	missing := filepath.Join(dir, "missing.json")
	got := gemwire(t, "", "validate", "--as", "gemini-response", bad, missing, good, bad)
	line := bad + ": /candidates: offset 14: must be a list, found 7\n"
	want := result{1, line + line, "gemwire: " + missing + ": no such file or directory\n"}
	if diff := cmp.Diff(want, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
	if got := gemwire(t, "", "validate", "--as", "gemini-response", good); got != (result{}) {
		t.Errorf("%+v", got)
	}
}
