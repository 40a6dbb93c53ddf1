package chat_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// digitTools is a request with a tool of an MCP server whose name Gemini does not accept.
const digitTools = `{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"a cube"},
{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"3d_render","arguments":"{}"}}]},
{"role":"tool","tool_call_id":"c1","name":"3d_render","content":"done"}],
"tools":[{"type":"function","function":{"name":"3d_render"}},{"type":"function","function":{"name":"-x"}},
{"type":"function","function":{"name":"_2fa"}}],
"tool_choice":{"type":"function","function":{"name":"3d_render"}}}`

// decodeDigits returns digitTools as a request of the form.
func decodeDigits(t *testing.T) transform.Request {
	t.Helper()
	in, err := chat.Form().Decode([]byte(digitTools))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestToolNamesThatBeginWithADigitOrADashAreRenamedForGemini(t *testing.T) {
	t.Parallel()
	out, report, err := decodeDigits(t).ToGemini(transform.Target{Model: "gemini-3.6-flash"})
	if err != nil {
		t.Fatal(err)
	}
	if err := gemini.ValidateRequest(out); err != nil {
		t.Error(err)
	}
	body, err := gemini.EncodeRequest(out)
	if err != nil {
		t.Fatal(err)
	}
	openaitest.Subset(t, string(body), `{"tools":[{"functionDeclarations":[{"name":"_3d_render"},{"name":"_-x"},{"name":"_2fa"}]}],
"toolConfig":{"functionCallingConfig":{"allowedFunctionNames":["_3d_render"]}},
"contents":[{},{"parts":[{"functionCall":{"name":"_3d_render"}}]},{"parts":[{"functionResponse":{"name":"_3d_render"}}]}]}`)
	for _, e := range report {
		if strings.Contains(e.Pointer, "name") {
			t.Errorf("the report has %v", e)
		}
	}
}

func TestCallsOfRenamedToolsHaveTheClientsName(t *testing.T) {
	t.Parallel()
	for function, want := range map[string]string{
		"_3d_render": "3d_render", "_-x": "-x",
		"_2fa": "_2fa", // which the client declared itself
		"_9":   "_9",   // of a tool that was not declared
	} {
		in := openaitest.Decode(t, `{"candidates":[{"content":{"parts":[{"functionCall":{"id":"a","name":"`+
			function+`","args":{}}}]},"finishReason":"STOP"}]}`)
		request := decodeDigits(t)
		whole, _, err := request.AppendAnswer(nil, in, &transform.Options{ID: "id"})
		if err != nil {
			t.Fatal(err)
		}
		stream := request.Stream(&transform.Options{ID: "id"})
		streamed, err := stream.Push(nil, in)
		if err != nil {
			t.Fatal(err)
		}
		if streamed, err = stream.Close(streamed, nil); err != nil {
			t.Fatal(err)
		}
		for kind, got := range map[string][]byte{"whole": whole, "streamed": streamed} {
			if !strings.Contains(string(got), `"name":"`+want+`"`) {
				t.Errorf("%s of %s has no call of %s: %s", kind, function, want, got)
			}
		}
	}
}
