package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

// A conversation of the first description of this conversion, with all that it named: the
// instruction, media, a call and its result, and the settings.
func TestAWholeConversation(t *testing.T) {
	t.Parallel()
	in := openaitest.DecodeRequest(t, `{"model":"gpt-4o","messages":[
		{"role":"system","content":"You are a helper."},
		{"role":"user","content":[{"type":"text","text":"What is this, and how warm is it there?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAA="}}]},
		{"role":"assistant","content":"Calling tool.","tool_calls":[{"id":"call_1","type":"function","function":{"name":"getWeather","arguments":"{\"city\":\"Paris\"}"}}]},
		{"role":"tool","tool_call_id":"call_1","content":"{\"temp\":21}"}],
		"tools":[{"type":"function","function":{"name":"getWeather","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}],
		"tool_choice":"auto","n":2,"max_tokens":50,"response_format":{"type":"json_object"}}`)
	const anyModel = "tunedModels/mine"
	out, report, err := request.ToGemini(in, request.ForModel(anyModel))
	if err != nil {
		t.Fatal(err)
	}
	got, _ := convertRequest(t, in, request.ForModel(anyModel))
	openaitest.Subset(t, got, `{
		"systemInstruction":{"parts":[{"text":"You are a helper."}]},
		"contents":[
			{"role":"user","parts":[{"text":"What is this, and how warm is it there?"},{"inlineData":{"mimeType":"image/png","data":"AAA="}}]},
			{"role":"model","parts":[{"text":"Calling tool."},{"functionCall":{"id":"call_1","name":"getWeather","args":{"city":"Paris"}}}]},
			{"role":"user","parts":[{"functionResponse":{"id":"call_1","name":"getWeather","response":{"temp":21}}}]}],
		"tools":[{"functionDeclarations":[{"name":"getWeather"}]}],
		"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},
		"generationConfig":{"candidateCount":2,"maxOutputTokens":50,"responseMimeType":"application/json"}}`)
	openaitest.Reports(t, report, "approximated /model")
	if len(out.Contents) != 3 || out.SystemInstruction.Role != nil {
		t.Errorf("got %s", got)
	}
}

// Gemini would refuse a result whose call is not in the conversation. Only this fault of the
// request is mended.
func TestAResultWithoutACallHidesNoOtherMistake(t *testing.T) {
	t.Parallel()
	in := openaitest.DecodeRequest(t,
		`{"messages":[{"role":"user","content":"Hello."},{"role":"tool","tool_call_id":"call_1","content":"21"}],"top_p":7}`)
	_, _, err := request.ToGemini(in, request.ForModel(budgetModel))
	refused(t, err, "/top_p", "out of range")
}
