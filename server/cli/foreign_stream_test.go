package cli_test

import (
	"strings"
	"testing"
)

// A stream that is converted to a gemini-stream is converted to itself, too.
func TestStreamsOfOtherServersAreConvertedToThemselves(t *testing.T) {
	t.Parallel()
	chunk := func(members string) string {
		return `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",` +
			members + "}\n\n"
	}
	delta := func(content string) string {
		return chunk(`"choices":[{"index":0,"delta":{"role":"assistant","content":` + content +
			`},"finish_reason":null}]`)
	}
	stop := chunk(`"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]`)
	const done = "data: [DONE]\n\n"
	const thinking = `[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"Hi"}]`
	for name, test := range map[string]struct{ stream, want string }{
		"content in parts":           {delta(thinking) + stop + done, delta(thinking) + stop + done},
		"content that is not a text": {delta(`5`) + stop + done, delta(`"5"`) + stop + done},
		"an id of digits":            {strings.Replace(delta(`"Hi"`), `"id":"c"`, `"id":7`, 1) + stop + done, strings.Replace(delta(`"Hi"`), `"id":"c"`, `"id":"7"`, 1) + stop + done},
		"an error in words":          {delta(`"Hi"`) + "data: {\"error\":\"Overloaded\"}\n\n", delta(`"Hi"`) + `data: {"error":{"message":"Overloaded","type":"","param":null,"code":null}}` + "\n\n"},
	} {
		got := convert(t, test.stream, "openai-stream", "openai-stream")
		if got.code != 0 || got.stdout != test.want {
			t.Errorf("%s: %+v, want %s", name, got, test.want)
		}
		if again := convert(t, got.stdout, "openai-stream",
			"openai-stream"); again.stdout != got.stdout {
			t.Errorf("%s: %s becomes %s", name, got.stdout, again.stdout)
		}
	}
}

// Some servers send no mark after the last finish reason.
func TestStreamWithoutItsMarkIsConvertedToItself(t *testing.T) {
	t.Parallel()
	const (
		first = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":null},{"index":1,"delta":{"content":"Ho"},"finish_reason":"stop"}]}` +
			"\n\n"
		second = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` +
			"\n\n"
		counts = `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}` +
			"\n\n"
		done = "data: [DONE]\n\n"
	)
	for name, test := range map[string]struct {
		stream  string
		isWhole bool
	}{
		"all choices have ended":     {first + second, true},
		"counts after the end":       {first + second + counts, true},
		"one choice has not ended":   {first, false},
		"counts alone":               {counts, false},
		"one ends after it was open": {second + first, true},
	} {
		for _, to := range []string{"openai-stream", "gemini-stream"} {
			got := convert(t, test.stream, "openai-stream", to, "--quiet")
			if (got.code == 0) != test.isWhole {
				t.Errorf("%s, to %s: %+v", name, to, got)
			}
			if to == "openai-stream" && strings.HasSuffix(got.stdout, done) != test.isWhole {
				t.Errorf("%s: the output is %s", name, got.stdout)
			}
		}
	}
	got := convert(t, first+second, "openai-stream", "openai-stream", "--report", "/dev/stderr")
	if want := `"kind": "added"`; !strings.Contains(got.stderr, want) {
		t.Errorf("the report is %s", got.stderr)
	}
}
