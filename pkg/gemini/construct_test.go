package gemini_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/go-json-experiment/json/jsontext"
)

// A request with a picture and a function.
func ExampleUserParts() {
	parameters := jsontext.Value(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)
	request := &geminiapi.GenerateContentRequest{
		SystemInstruction: gemini.SystemInstruction("Answer in one sentence."),
		Contents: []geminiapi.Content{
			gemini.UserParts(
				gemini.InlineDataPart("image/png", []byte("\x89PNG...")),
				gemini.TextPart("How is the weather there today?"),
			),
		},
		Tools: []geminiapi.Tool{gemini.FunctionTool(
			gemini.FunctionDeclaration("get_weather", "The weather of today in a city.",
				parameters),
		)},
		GenerationConfig: &geminiapi.GenerationConfig{Temperature: new(0.2)},
	}
	body, err := gemini.EncodeRequest(request)
	fmt.Println(string(body), err)
	// Output:
	// {"contents":[{"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBORy4uLg=="}},{"text":"How is the weather there today?"}],"role":"user"}],"generationConfig":{"temperature":0.2},"systemInstruction":{"parts":[{"text":"Answer in one sentence."}]},"tools":[{"functionDeclarations":[{"description":"The weather of today in a city.","name":"get_weather","parametersJsonSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}]}]} <nil>
}

// Send the model's turn back unchanged, followed by the results of its calls.
func ExampleFunctionResult() {
	contents := []geminiapi.Content{gemini.UserText("How is the weather in Porto?")}
	response, err := gemini.DecodeResponse(
		[]byte(`{"candidates":[{"content":{"role":"model","parts":[
	  {"functionCall":{"id":"call-1","name":"get_weather","args":{"city":"Porto"}},"thoughtSignature":"ErkBpZ=="}
	]}}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	turn := response.Candidates[0].Content
	var results []*geminiapi.FunctionResponse
	for _, part := range turn.Parts {
		if part.FunctionCall == nil {
			continue
		}
		result, err := gemini.FunctionResult(part.FunctionCall,
			map[string]any{"sky": "clear", "celsius": 19})
		if err != nil {
			fmt.Println(err)
			return
		}
		results = append(results, result)
	}
	contents = append(contents, *turn, gemini.UserResults(results...))
	body, err := gemini.EncodeRequest(&geminiapi.GenerateContentRequest{Contents: contents[2:]})
	fmt.Println(string(body), err)
	// Output:
	// {"contents":[{"parts":[{"functionResponse":{"id":"call-1","name":"get_weather","response":{"celsius":19,"sky":"clear"}}}],"role":"user"}]} <nil>
}

func TestConstructedRequestsAreWhatTheWireTakes(t *testing.T) {
	t.Parallel()
	call := &geminiapi.FunctionCall{Name: new("now"), Args: jsontext.Value(`{}`)}
	now, err := gemini.FunctionResult(call, "noon")
	if err != nil {
		t.Fatal(err)
	}
	request := &geminiapi.GenerateContentRequest{
		SystemInstruction: gemini.SystemInstruction("Be brief."),
		Contents: []geminiapi.Content{
			gemini.UserText("Hello"),
			gemini.ModelText("Hi"),
			gemini.UserParts(gemini.FileDataPart("video/mp4", "gs://b/a"),
				gemini.FileDataPart("", "https://youtu.be/a"),
				gemini.InlineDataPart("text/plain", []byte{0xfb, 0xff, 0})),
			{Role: new("model"), Parts: []geminiapi.Part{{FunctionCall: call}}},
			gemini.UserResults(now),
		},
		Tools: []geminiapi.Tool{gemini.FunctionTool(gemini.FunctionDeclaration("now", "", nil))},
	}
	if err := gemini.ValidateRequest(request); err != nil {
		t.Error(err)
	}
	got, err := gemini.EncodeRequest(request)
	want := `{"contents":[{"parts":[{"text":"Hello"}],"role":"user"},{"parts":[{"text":"Hi"}],"role":"model"},` +
		`{"parts":[{"fileData":{"fileUri":"gs://b/a","mimeType":"video/mp4"}},{"fileData":{"fileUri":"https://youtu.be/a"}},` +
		`{"inlineData":{"mimeType":"text/plain","data":"+/8A"}}],"role":"user"},` +
		`{"parts":[{"functionCall":{"args":{},"name":"now"}}],"role":"model"},` +
		`{"parts":[{"functionResponse":{"name":"now","response":{"output":"noon"}}}],"role":"user"}],` +
		`"systemInstruction":{"parts":[{"text":"Be brief."}]},"tools":[{"functionDeclarations":[{"name":"now"}]}]}`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
}

func TestFunctionResultIsAlwaysAnObject(t *testing.T) {
	t.Parallel()
	type weather struct {
		Sky     string  `json:"sky"`
		Celsius float64 `json:"celsius"`
	}
	var none *weather
	tests := []struct {
		result any
		want   string
	}{
		{weather{"clear", 19.5}, `{"sky":"clear","celsius":19.5}`},
		{&weather{}, `{"sky":"","celsius":0}`},
		{map[string]any{"b": []int{}, "a": 1}, `{"a":1,"b":[]}`},
		{jsontext.Value(`{"z": 9007199254740993.10, "a": "\u00e9"}`), `{"z":9007199254740993.10,"a":"\u00e9"}`},
		{struct{}{}, `{}`},
		{"sunny", `{"output":"sunny"}`},
		{`{"sky":"clear"}`, `{"output":"{\"sky\":\"clear\"}"}`},
		{[]string{"<a>"}, `{"output":["<a>"]}`},
		{9007199254740993, `{"output":9007199254740993}`},
		{jsontext.Value(`[1, "\u00e9"]`), `{"output":[1,"\u00e9"]}`},
		{false, `{"output":false}`},
		{nil, `{"output":null}`},
		{none, `{"output":null}`},
		{[]byte("hi"), `{"output":"aGk="}`},
		{fmt.Errorf("no such city: %w", errors.New(`get "x": 404`)), `{"error":"no such city: get \"x\": 404"}`},
	}
	for _, tt := range tests {
		got, err := gemini.FunctionResult(&geminiapi.FunctionCall{ID: new("1"), Name: new("f")},
			tt.result)
		if err != nil {
			t.Errorf("%s: %v", tt.want, err)
			continue
		}
		if string(got.Response) != tt.want || *got.ID != "1" || *got.Name != "f" {
			t.Errorf("%T is %s of %s %s, want %s", tt.result, got.Response, *got.ID, *got.Name,
				tt.want)
		}
	}
}

func TestFunctionResultRefusesWhatHasNoForm(t *testing.T) {
	t.Parallel()
	call := &geminiapi.FunctionCall{Name: new("f")}
	for want, result := range map[string]any{
		"Go func()":      func() {},
		"Go float64":     math.NaN(),
		"duplicate":      jsontext.Value(`{"a":1,"a":2}`),
		"unexpected EOF": jsontext.Value(`{"a":1`),
	} {
		got, err := gemini.FunctionResult(call, result)
		if got != nil || err == nil ||
			!strings.HasPrefix(err.Error(), "gemini: result of a function: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%T is %v, %v; want an error with %q", result, got, err, want)
		}
	}
	if got, err := gemini.FunctionResult(nil, "sunny"); got != nil || err == nil {
		t.Errorf("without a call: %v, %v", got, err)
	}
}
