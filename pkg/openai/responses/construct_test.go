package responses_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai/responses"
)

func TestARequestIsWrittenAsOpenAITakesIt(t *testing.T) {
	t.Parallel()
	request := &openaiapi.CreateResponseRequest{
		Model: new("gemini-3.6-flash"),
		Input: responses.Input(
			responses.SystemText("Be brief."), responses.DeveloperText("Be kind."),
			responses.UserText("Hello"),
			responses.UserParts(
				responses.InputTextPart("Look"), responses.ImagePart("image/png", []byte{0}),
				responses.ImageURLPart("https://example.org/a.png"),
				responses.FilePart("a.pdf", "application/pdf", []byte{0}),
			),
			responses.AssistantText("Hi"), responses.FunctionCallOutput("call_1", "{}"),
			responses.CustomToolCallOutput("call_2", "done"),
		),
		Tools: []openaiapi.ResponseTool{
			responses.FunctionTool("f", "Does f.", []byte(`{"type":"object"}`)),
			responses.CustomTool("g", ""),
		},
		ToolChoice: responses.ToolChoice(openaiapi.ToolChoiceModeRequired),
		Text:       responses.JSONSchema("s", []byte(`{"type":"object"}`)),
	}
	want := `{"model":"gemini-3.6-flash","input":[` +
		`{"type":"message","role":"system","content":[{"type":"input_text","text":"Be brief."}]},` +
		`{"type":"message","role":"developer","content":[{"type":"input_text","text":"Be kind."}]},` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello"}]},` +
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"Look"},` +
		`{"type":"input_image","image_url":"data:image/png;base64,AA==","detail":"auto"},` +
		`{"type":"input_image","image_url":"https://example.org/a.png","detail":"auto"},` +
		`{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,AA=="}]},` +
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi"}]},` +
		`{"type":"function_call_output","call_id":"call_1","output":"{}"},` +
		`{"type":"custom_tool_call_output","call_id":"call_2","output":"done"}],` +
		`"text":{"format":{"type":"json_schema","name":"s","schema":{"type":"object"},"strict":true}},` +
		`"tool_choice":"required","tools":[{"type":"function","name":"f","description":"Does f.","parameters":{"type":"object"},"strict":false},` +
		`{"type":"custom","name":"g"}]}`
	if out, err := responses.EncodeRequest(request); err != nil || string(out) != want {
		t.Errorf("got\n%s, %v, want\n%s", out, err, want)
	}
	text := &openaiapi.CreateResponseRequest{Input: responses.InputText("Hello"),
		ToolChoice: responses.ToolChoiceFunction("f")}
	if out, err := responses.EncodeRequest(text); err != nil ||
		string(out) != `{"input":"Hello","tool_choice":{"type":"function","name":"f"}}` {
		t.Errorf("got %s, %v", out, err)
	}
}

func TestTextIsThatOfAllMessages(t *testing.T) {
	t.Parallel()
	if got := responses.Text(decode(t, answer)); got != "Sonne in 東京." {
		t.Errorf("got %q", got)
	}
}

func TestScreenshotsAndListsComeBackInTheirForm(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		`{"type":"computer_call_output","call_id":"c","output":{"type":"computer_screenshot","image_url":"data:image/png;base64,AA=="}}`,
		`{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"a"}]}`,
		`{"type":"function_call_output","call_id":"c","output":"a"}`,
		`{"type":"tool_search_call","arguments":{"a":9007199254740993}}`,
		`{"type":"mcp_call","error":{"type":"http_error","code":500,"message":"no"}}`,
		`{"type":"mcp_list_tools","tools":[{"name":"a","input_schema":{"z":1,"a":2}}],"error":"no"}`,
		`{"type":"new_kind","x":[1,2.50]}`,
	} {
		item, err := responses.DecodeItem([]byte(in))
		if err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		if out, err := responses.EncodeItem(item); err != nil || string(out) != in {
			t.Errorf("%s is written as %s, %v", in, out, err)
		}
	}
}
