package gateway_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// openResponsesCase is one of the compliance cases of Open Responses, a specification that is based
// on OpenAI's API.
type openResponsesCase struct {
	members string // of the request
	streams bool
	reply   geminitest.Block
	// asked is the minimum of Gemini's request.
	asked string
	// item is the type of an item that must be in the output.
	item openaiapi.ResponseItemType
	// events must occur in this order. Other events may be between them.
	events []openaiapi.ResponseEventType
	text   string
}

const placeTool = `"tools":[{"type":"function","name":"get_weather","description":"Tells the weather at a place.",
	"parameters":{"type":"object","properties":{"place":{"type":"string","description":"A town and its country"}},"required":["place"]}}]`

// openResponsesCases are all compliance cases, by their names in the specification.
var openResponsesCases = map[string]openResponsesCase{
	"basic-response": {
		members: `"input":[{"type":"message","role":"user","content":"Greet me in three words."}]`,
		reply:   geminitest.Text("Good morning, friend."),
		asked:   `{"contents":[{"role":"user","parts":[{"text":"Greet me in three words."}]}]}`,
		item:    openaiapi.ResponseItemTypeMessage,
		text:    "Good morning, friend.",
	},
	"streaming-response": {
		members: `"input":[{"type":"message","role":"user","content":"Count to five."}]`,
		streams: true,
		reply:   geminitest.Text("1, 2, ", "3, 4, ", "5"),
		asked:   `{"contents":[{"role":"user","parts":[{"text":"Count to five."}]}]}`,
		item:    openaiapi.ResponseItemTypeMessage,
		text:    "1, 2, 3, 4, 5",
		events: []openaiapi.ResponseEventType{
			openaiapi.ResponseEventTypeCreated, openaiapi.ResponseEventTypeOutputItemAdded,
			openaiapi.ResponseEventTypeContentPartAdded,
			openaiapi.ResponseEventTypeOutputTextDelta, openaiapi.ResponseEventTypeOutputTextDelta,
			openaiapi.ResponseEventTypeOutputTextDone,
			openaiapi.ResponseEventTypeContentPartDone, openaiapi.ResponseEventTypeOutputItemDone,
			openaiapi.ResponseEventTypeCompleted,
		},
	},
	"system-prompt": {
		members: `"input":[{"type":"message","role":"system","content":"Speak like a sailor."},{"type":"message","role":"user","content":"Greet me."}]`,
		reply:   geminitest.Text("Ahoy!"),
		asked:   `{"systemInstruction":{"parts":[{"text":"Speak like a sailor."}]},"contents":[{"role":"user","parts":[{"text":"Greet me."}]}]}`,
		item:    openaiapi.ResponseItemTypeMessage,
		text:    "Ahoy!",
	},
	"tool-calling": {
		members: `"input":[{"type":"message","role":"user","content":"How is the weather in Porto?"}],` +
			placeTool,
		reply: geminitest.Call("get_weather", `{"place":"Porto, Portugal"}`),
		asked: `{"tools":[{"functionDeclarations":[{"name":"get_weather","parametersJsonSchema":{"required":["place"]}}]}]}`,
		item:  openaiapi.ResponseItemTypeFunctionCall,
	},
	"tool-calling-streaming": {
		members: `"input":[{"type":"message","role":"user","content":"How is the weather in Porto?"}],` +
			placeTool,
		streams: true,
		reply:   geminitest.Call("get_weather", `{"place":"Porto, Portugal"}`),
		asked:   `{"tools":[{"functionDeclarations":[{"name":"get_weather"}]}]}`,
		item:    openaiapi.ResponseItemTypeFunctionCall,
		events: []openaiapi.ResponseEventType{
			openaiapi.ResponseEventTypeOutputItemAdded,
			openaiapi.ResponseEventTypeFunctionCallArgumentsDelta,
			openaiapi.ResponseEventTypeFunctionCallArgumentsDone,
			openaiapi.ResponseEventTypeOutputItemDone, openaiapi.ResponseEventTypeCompleted,
		},
	},
	"image-input": {
		members: `"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"What is in the picture?"},
			{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="}]}]`,
		reply: geminitest.Text("A point."),
		asked: `{"contents":[{"parts":[{"text":"What is in the picture?"},{"inlineData":{"mimeType":"image/png"}}]}]}`,
		item:  openaiapi.ResponseItemTypeMessage,
		text:  "A point.",
	},
	"multi-turn": {
		members: `"input":[{"type":"message","role":"user","content":"I am called Ana."},{"type":"message","role":"assistant","content":"Good to meet you, Ana."},
			{"type":"message","role":"user","content":"What am I called?"}]`,
		reply: geminitest.Text("Ana."),
		asked: `{"contents":[{"role":"user","parts":[{"text":"I am called Ana."}]},{"role":"model","parts":[{"text":"Good to meet you, Ana."}]},
			{"role":"user","parts":[{"text":"What am I called?"}]}]}`,
		item: openaiapi.ResponseItemTypeMessage,
		text: "Ana.",
	},
}

// The gateway passes the cases of Open Responses, with the mark [DONE]. The specification requires
// the mark, and OpenAI's own server does not send it.
func TestTheCasesOfOpenResponsesHold(t *testing.T) {
	t.Parallel()
	for name, test := range openResponsesCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(test.reply)))
			body := `{"model":"gemini-3.6-flash",` + test.members
			if test.streams {
				body += `,"stream":true`
			}
			answer := post(gatewayOf(t, server, gateway.WithDoneMark()), responsesPath, body+`}`)
			whole := answer.Body.Bytes()
			if test.streams {
				whole = endOfOpenResponses(t, answer.Body.Bytes(), test.events)
			}
			response, err := responses.DecodeResponse(whole)
			if err != nil {
				t.Fatalf("HTTP %d: %v: %s", answer.Code, err, answer.Body)
			}
			checkMembers(t, "", whole, openResponsesMembers)
			if response.Status != openaiapi.ResponseStatusCompleted ||
				!slices.ContainsFunc(response.Output,
					func(item openaiapi.ResponseItem) bool { return item.Type == test.item }) {
				t.Errorf("answered %s", whole)
			}
			if got := responses.Text(response); got != test.text {
				t.Errorf("the text is %q", got)
			}
			openaitest.Subset(t, string(server.Requests()[0].Body), test.asked)
		})
	}
}

// endOfOpenResponses checks the order of a stream's events and the mark at its end, and returns the
// response of the last event.
func endOfOpenResponses(t *testing.T, body []byte, want []openaiapi.ResponseEventType) []byte {
	t.Helper()
	events, isMarked := bytes.CutSuffix(body, []byte("data: [DONE]\n\n"))
	if !isMarked || bytes.Contains(events, []byte("[DONE]")) {
		t.Errorf("the stream does not end in one mark: %s", body)
	}
	told := responseEventsOf(t, events)
	for _, event := range told {
		if !slices.Contains(openResponsesEvents, string(event.Type)) {
			t.Errorf("the suite knows no event %s", event.Type)
		}
		if len(want) > 0 && event.Type == want[0] {
			want = want[1:]
		}
	}
	if len(want) > 0 {
		t.Errorf("%v did not come in their order: %s", want, body)
	}
	whole, err := responses.EncodeResponse(told[len(told)-1].Response)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// openResponsesEvents are the types of events that the suite knows. Any other one fails a case.
var openResponsesEvents = []string{"error", "response.created", "response.queued",
	"response.in_progress", "response.completed", "response.failed", "response.incomplete",
	"response.output_item.added", "response.output_item.done", "response.content_part.added",
	"response.content_part.done", "response.output_text.delta", "response.output_text.done",
	"response.output_text.annotation.added", "response.refusal.delta", "response.refusal.done",
	"response.reasoning.delta", "response.reasoning.done",
	"response.reasoning_summary_part.added", "response.reasoning_summary_part.done",
	"response.reasoning_summary_text.delta", "response.reasoning_summary_text.done",
	"response.function_call_arguments.delta", "response.function_call_arguments.done"}

// openResponsesMembers are the members that Open Responses requires, by their locations, each with
// the accepted kinds of JSON: n is null, t and f are the booleans, " is a string. A list is a list
// of what follows its location.
var openResponsesMembers = map[string]map[string]string{
	"": {
		"id": `"`, "object": `"`, "created_at": "0", "completed_at": "0n", "status": `"`,
		"incomplete_details": "{n", "model": `"`,
		"previous_response_id": `"n`, "instructions": `"n`, "output": "[", "error": "{n",
		"tools": "[", "tool_choice": `"{`, "truncation": `"`,
		"parallel_tool_calls": "tf", "text": "{", "top_p": "0", "presence_penalty": "0",
		"frequency_penalty": "0", "top_logprobs": "0",
		"temperature": "0", "reasoning": "{n", "user": `"n`, "usage": "{n",
		"max_output_tokens": "0n", "max_tool_calls": "0n", "store": "tf",
		"background": "tf", "service_tier": `"`, "metadata": "{n", "safety_identifier": `"n`,
		"prompt_cache_key": `"n`,
	},
	"/text":                               {"format": "{"},
	"/text/format":                        {"type": `"`},
	"/reasoning":                          {"effort": `"n`, "summary": `"n`},
	"/usage":                              {"input_tokens": "0", "output_tokens": "0", "total_tokens": "0", "input_tokens_details": "{", "output_tokens_details": "{"},
	"/usage/input_tokens_details":         {"cached_tokens": "0"},
	"/usage/output_tokens_details":        {"reasoning_tokens": "0"},
	"/tools/function":                     {"type": `"`, "name": `"`, "description": `"n`, "parameters": "{n", "strict": "tfn"},
	"/output/message":                     {"type": `"`, "id": `"`, "status": `"`, "role": `"`, "content": "["},
	"/output/message/content/output_text": {"type": `"`, "text": `"`, "annotations": "[", "logprobs": "["},
	"/output/function_call":               {"type": `"`, "id": `"`, "call_id": `"`, "name": `"`, "arguments": `"`, "status": `"`},
	"/output/reasoning":                   {"type": `"`, "id": `"`, "summary": "["},
}

// checkMembers checks that an object at a location, and the values in it, have the required
// members.
func checkMembers(t *testing.T, place string, object jsontext.Value,
	want map[string]map[string]string) {
	t.Helper()
	members := map[string]jsontext.Value{}
	for name, value := range jsonx.Members(object) {
		members[name] = value
	}
	for name, kinds := range want[place] {
		value := members[name]
		if len(value) == 0 || !strings.ContainsRune(kinds, rune(value.Kind())) {
			t.Errorf("%s/%s is %s, not of the kinds %s", place, name, value, kinds)
			continue
		}
		switch at := place + "/" + name; value.Kind() {
		case jsontext.KindBeginObject:
			checkMembers(t, at, value, want)
		case jsontext.KindBeginArray:
			checkElements(t, at, value, want)
		}
	}
}

// checkElements checks that the elements of a list, which differ by type, have the required
// members.
func checkElements(t *testing.T, place string, list jsontext.Value,
	want map[string]map[string]string) {
	t.Helper()
	var elements []jsontext.Value
	if err := json.Unmarshal(list, &elements); err != nil {
		t.Fatal(err)
	}
	for _, element := range elements {
		var typed struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal(element, &typed); err != nil {
			t.Fatal(err)
		}
		checkMembers(t, place+"/"+typed.Type, element, want)
	}
}

// The mark also ends a failed stream, a followed one, and a stored one. Without the option there is
// no mark.
func TestStreamsOfResponsesEndInTheMarkThatWasAskedFor(t *testing.T) {
	t.Parallel()
	failing := geminitest.On().Reply(geminitest.Text("The ", "beginning"), geminitest.Unavailable())
	for name, test := range map[string]struct {
		opts []gateway.Option
		mark int
	}{"asked for": {[]gateway.Option{gateway.WithDoneMark()}, 1}, "not asked for": {nil, 0}} {
		opts := append(test.opts,
			gateway.WithResponseStore(responsestore.NewMemory(responsestore.Bounds{})))
		handler := newGateway(t, opts...)
		followed := post(handler, responsesPath,
			asked("x", `,"stream":true,"background":true`)).Body.String()
		id := eventsIn(t, followed)[0].Response.ID
		for what, body := range map[string]string{
			"failing": post(gatewayOf(t, geminitest.NewServer(t, geminitest.WithScript(failing)),
				opts...), responsesPath, asked("x", `,"stream":true`)).Body.String(),
			"whole":    post(handler, responsesPath, asked("x", `,"stream":true`)).Body.String(),
			"followed": followed,
			"kept":     do(handler, "GET", responsesPath+"/"+id+"?stream=true").Body.String(),
		} {
			if got := strings.Count(body, "data: [DONE]\n\n"); got != test.mark ||
				test.mark == 1 && !strings.HasSuffix(body, "data: [DONE]\n\n") {
				t.Errorf("%s, %s: %d marks: %s", name, what, got, body)
			}
		}
	}
}
