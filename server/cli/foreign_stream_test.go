package cli_test

import (
	"strings"
	"testing"
)

// A stream that is converted to a gemini-stream is converted to itself, too.
func TestStreamsOfOtherServersAreConvertedToThemselves(t *testing.T) {
	t.Parallel()
	chunk := func(members string) string {
		return `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",` + members + "}\n\n"
	}
	delta := func(content string) string {
		return chunk(`"choices":[{"index":0,"delta":{"role":"assistant","content":` + content + `},"finish_reason":null}]`)
	}
	stop := chunk(`"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]`)
	const done = "data: [DONE]\n\n"
	const thinking = `[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"Hi"}]`
	for name, test := range map[string]struct{ stream, want string }{
		"content in parts":        {delta(thinking) + stop + done, delta(thinking) + stop + done},
		"content that is no text": {delta(`5`) + stop + done, delta(`"5"`) + stop + done},
		"an id of digits":         {strings.Replace(delta(`"Hi"`), `"id":"c"`, `"id":7`, 1) + stop + done, strings.Replace(delta(`"Hi"`), `"id":"c"`, `"id":"7"`, 1) + stop + done},
		"an error in words":       {delta(`"Hi"`) + "data: {\"error\":\"Overloaded\"}\n\n", delta(`"Hi"`) + `data: {"error":{"message":"Overloaded","type":"","param":null,"code":null}}` + "\n\n"},
	} {
		got := convert(t, test.stream, "openai-stream", "openai-stream")
		if got.code != 0 || got.stdout != test.want {
			t.Errorf("%s: %+v, want %s", name, got, test.want)
		}
		if again := convert(t, got.stdout, "openai-stream", "openai-stream"); again.stdout != got.stdout {
			t.Errorf("%s: %s becomes %s", name, got.stdout, again.stdout)
		}
	}
}
