package openai_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/wiretype"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func ExampleUserText() {
	request := &openaiapi.CreateChatCompletionRequest{
		Model: "gemini-3.6-flash",
		Messages: []openaiapi.ChatMessage{
			openai.SystemText("Answer in one sentence."),
			openai.UserText("How far is it from Porto to Braga?"),
		},
		Temperature: new(0.2),
		Stop:        openai.Stop("END"),
	}
	body, err := openai.EncodeRequest(request)
	fmt.Println(string(body), err)
	// Output:
	// {"model":"gemini-3.6-flash","messages":[{"role":"system","content":"Answer in one sentence."},{"role":"user","content":"How far is it from Porto to Braga?"}],"stop":["END"],"temperature":0.2} <nil>
}

// Send an image and a question about it; the answer is JSON by a schema.
func ExampleUserParts() {
	schema := jsontext.Value(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)
	request := &openaiapi.CreateChatCompletionRequest{
		Model: "gemini-3.6-flash",
		Messages: []openaiapi.ChatMessage{openai.UserParts(
			openai.ImagePart("image/png", []byte("\x89PNG...")),
			openai.TextPart("Which city is this?"),
		)},
		ResponseFormat: openai.JSONSchema(openaiapi.JSONSchemaFormat{Name: "place", Schema: schema,
			Strict: new(true)}),
	}
	body, err := openai.EncodeRequest(request)
	fmt.Println(string(body), err)
	// Output:
	// {"model":"gemini-3.6-flash","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORy4uLg=="}},{"type":"text","text":"Which city is this?"}]}],"response_format":{"type":"json_schema","json_schema":{"name":"place","schema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false},"strict":true}}} <nil>
}

// Send the model's turn back, followed by the results of its calls.
func ExampleToolMessage() {
	messages := []openaiapi.ChatMessage{openai.UserText("How is the weather in Porto?")}
	completion, err := openai.DecodeResponse(
		[]byte(`{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[
	  {"id":"call-1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Porto\"}"},"extra_content":{"google":{"thought_signature":"ErkBpZ=="}}}
	]},"finish_reason":"tool_calls"}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	answer := &completion.Choices[0].Message
	messages = append(messages, openai.AssistantTurn(answer))
	for _, call := range answer.ToolCalls {
		messages = append(messages, openai.ToolMessage(call.ID, "clear, 19 degrees"))
	}
	body, err := openai.EncodeRequest(&openaiapi.CreateChatCompletionRequest{Messages: messages[1:]})
	fmt.Println(string(body), err)
	// Output:
	// {"messages":[{"role":"assistant","tool_calls":[{"id":"call-1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Porto\"}"},"extra_content":{"google":{"thought_signature":"ErkBpZ=="}}}]},{"role":"tool","content":"clear, 19 degrees","tool_call_id":"call-1"}]} <nil>
}

func TestConstructedRequestsAreWhatTheWireTakes(t *testing.T) {
	t.Parallel()
	parameters := jsontext.Value(`{"type":"object","properties":{}}`)
	var call openaiapi.ToolCall
	if err := json.Unmarshal([]byte(`{"id":"1","type":"function","function":{"name":"now","arguments":"{}"}}`),
		&call); err != nil {
		t.Fatal(err)
	}
	request := &openaiapi.CreateChatCompletionRequest{
		Model: "m",
		Messages: []openaiapi.ChatMessage{
			openai.DeveloperText("Be brief."),
			openai.UserText(""),
			openai.AssistantText("Hi"),
			openai.UserParts(
				openai.ImageURLPart("https://a/b.png"),
				openai.ImageURLPart("data:image/png;base64,AAAA"),
				openai.AudioPart(openaiapi.InputAudioFormatWAV, []byte("RIFF")),
				openai.FilePart("a.pdf", "application/pdf", []byte("%PDF")),
			),
			openai.AssistantTurn(&openaiapi.ResponseMessage{ToolCalls: []openaiapi.ToolCall{call}}),
			openai.ToolMessage("1", "noon"),
		},
		Stop:       openai.Stop("a", "b"),
		ToolChoice: openai.ToolChoice(openaiapi.ToolChoiceModeAuto),
		Tools: []openaiapi.Tool{openai.FunctionTool("now", "The time.", parameters),
			openai.FunctionTool("f", "", nil)},
	}
	if err := openai.ValidateRequest(request); err != nil {
		t.Error(err)
	}
	got, err := openai.EncodeRequest(request)
	want := `{"model":"m","messages":[{"role":"developer","content":"Be brief."},{"role":"user","content":""},{"role":"assistant","content":"Hi"},` +
		`{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://a/b.png"}},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},` +
		`{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}},{"type":"file","file":{"file_data":"data:application/pdf;base64,JVBERg==","filename":"a.pdf"}}]},` +
		`{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"now","arguments":"{}"}}]},{"role":"tool","content":"noon","tool_call_id":"1"}],` +
		`"stop":["a","b"],"tool_choice":"auto","tools":[{"type":"function","function":{"name":"now","description":"The time.","parameters":{"type":"object","properties":{}}}},{"type":"function","function":{"name":"f"}}]}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
	request.ToolChoice = openai.ToolChoiceFunction("now")
	if err := openai.ValidateRequest(request); err != nil {
		t.Error(err)
	}
	if got, err := openai.EncodeRequest(request); !bytes.Contains(got,
		[]byte(`"tool_choice":{"type":"function","function":{"name":"now"}}`)) {
		t.Errorf("%s, %v", got, err)
	}
}

// AssistantTurn must equal a message of the answer that is sent back unchanged.
func TestAssistantTurnHasEveryMemberOfTheAnswer(t *testing.T) {
	t.Parallel()
	var answer openaiapi.ResponseMessage
	leaftest.Fill(&answer)
	answer.Role = openaiapi.RoleAssistant
	answer.Images[0].ImageURL.URL = wiretype.MediaAddress("https://a/b.png")
	sent := encode(t, &answer)
	var want openaiapi.ChatMessage
	if err := json.Unmarshal(sent, &want); err != nil {
		t.Fatal(err)
	}
	if got := encode(t, openai.AssistantTurn(&answer)); !bytes.Equal(got, encode(t, &want)) {
		t.Errorf("%s\nwant %s", got, encode(t, &want))
	}
	if want.Unknown == nil || want.Audio == nil || len(want.ToolCalls) == 0 {
		t.Errorf("too little is filled: %s", sent)
	}
}

func TestTextIsThatOfTheFirstChoice(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}]}`: "a",
		`{"choices":[{"message":{"content":null,"refusal":"no"}}]}`:             "",
		`{"choices":[]}`: "",
	} {
		completion, err := openai.DecodeResponse([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		if got := openai.Text(completion); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
