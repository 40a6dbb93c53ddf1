package request_test

import (
	"strings"
	"testing"
)

const (
	asked    = `{"type":"user_input","content":[{"type":"text","text":"Add 1 and 2."}]}`
	thought  = `{"type":"thought","signature":"AAA=","summary":[{"type":"text","text":"Hm."}]}`
	called   = `{"type":"function_call","id":"c1","name":"add","arguments":{"a":1,"b":2}}`
	returned = `{"type":"function_result","call_id":"c1","name":"add","result":"3"}`
	said     = `{"type":"model_output","content":[{"type":"text","text":"So 3."}]}`
	next     = `{"type":"user_input","content":[{"type":"text","text":"Go on."}]}`
	askedTo  = `{"parts":[{"text":"Add 1 and 2."}],"role":"user"}`
)

func TestEveryFormOfTheInputIsATurnOfTheUser(t *testing.T) {
	t.Parallel()
	want := map[string]string{"/contents": `[{"parts":[{"text":"Hi."}],"role":"user"}]`}
	check(t, []row{
		{name: "a text", request: on(flash36, hi), want: want},
		{name: "a block", request: on(flash36, `"input":{"type":"text","text":"Hi."}`), want: want},
		{name: "blocks", request: on(flash36,
			`"input":[{"type":"text","text":"Hi."},{"type":"text","text":"You."}]`),
			want: map[string]string{
				"/contents": `[{"parts":[{"text":"Hi."},{"text":"You."}],"role":"user"}]`}},
		{name: "a step", request: on(flash36,
			`"input":{"type":"user_input","content":[{"type":"text","text":"Hi."}]}`), want: want},
		{name: "a step with a text", request: on(flash36,
			`"input":[{"type":"user_input","content":"Hi."}]`), want: want},
		{name: "turns of the old revision", request: on(flash36,
			`"input":[{"role":"user","content":"Hi."},{"role":"model","content":"Hello."},{"role":"user","content":[{"type":"text","text":"You."}]}]`),
			want: map[string]string{
				"/contents": `[{"parts":[{"text":"Hi."}],"role":"user"},{"parts":[{"text":"Hello."}],"role":"model"},{"parts":[{"text":"You."}],"role":"user"}]`}},
		{name: "a turn of another role", request: on(flash36,
			`"input":[{"role":"system","content":"Hi."}]`), want: want,
			report: "approximated /input/0/role"},
		{name: "none", request: on(flash36, `"store":false`), problem: "/input must be set"},
		{name: "an empty list", request: on(flash36, `"input":[]`), problem: "/input must be set"},
		{name: "a step without content", request: inputOf(`{"type":"user_input"}`),
			problem: "/input/0/content must be set"},
		{name: "a step without a type", request: inputOf(`{"content":"Hi."}`),
			problem: "/input/0/type must be set"},
	})
}

func TestStepsAreGroupedIntoTurns(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{name: "a tool loop", request: inputOf(asked, thought, called, returned, said, next),
			want: map[string]string{"/contents": `[` + askedTo + `,` +
				`{"parts":[{"text":"Hm.","thought":true},{"functionCall":{"args":{"a":1,"b":2},"id":"c1","name":"add"},"thoughtSignature":"AAA="}],"role":"model"},` +
				`{"parts":[{"functionResponse":{"id":"c1","name":"add","response":{"output":"3"}}}],"role":"user"},` +
				`{"parts":[{"text":"So 3."}],"role":"model"},{"parts":[{"text":"Go on."}],"role":"user"}]`}},
		{name: "a result in the content of the user", request: inputOf(asked, thought, called,
			`{"type":"user_input","content":[{"type":"text","text":"Go on."},{"type":"function_result","call_id":"c1","name":"add","result":{"sum":3}}]}`),
			want: map[string]string{
				"/contents/2/parts/0/functionResponse/response": `{"sum":3}`,
				"/contents/3/parts":                             `[{"text":"Go on."}]`}},
		{name: "a result alone", request: on(flash36, `"input":`+returned),
			problem: "/input/call_id no call \"c1\" is in the conversation"},
		{name: "steps of the model at the end", request: inputOf(asked, said),
			problem: "/input/1 the model refuses a conversation that ends with a message of the model"},
	})
}

func TestFunctionResultsBelongToTheirCalls(t *testing.T) {
	t.Parallel()
	const other = `{"type":"function_call","id":"c2","name":"add","arguments":{"a":3,"b":4}}`
	const otherReturned = `{"type":"function_result","call_id":"c2","name":"add","result":"7"}`
	check(t, []row{
		{name: "in any order, with one name twice",
			request: inputOf(asked, thought, called, other, otherReturned, returned),
			want: map[string]string{"/contents/2/parts": `[{"functionResponse":{"id":"c1","name":"add","response":{"output":"3"}}},` +
				`{"functionResponse":{"id":"c2","name":"add","response":{"output":"7"}}}]`}},
		{name: "one is missing", request: inputOf(asked, thought, called, other, returned),
			problem: `/input/3 a result for "c2" is missing`},
		{name: "one has no id", request: inputOf(asked, thought, called,
			`{"type":"function_result","name":"add","result":"3"}`),
			problem: "/input/3/call_id must be set"},
		{name: "one has another id", request: inputOf(asked, thought, called, otherReturned),
			problem: `/input/3 "c2" does not match a call`},
		{name: "one comes twice", request: inputOf(asked, thought, called, returned, returned),
			problem: `/input/4 "c1" already has a result`},
		{name: "one has another name", request: inputOf(asked, thought, called,
			`{"type":"function_result","call_id":"c1","name":"sub","result":"3"}`),
			want:   map[string]string{"/contents/2/parts/0/functionResponse/name": `"add"`},
			report: "approximated /input/3/name"},
		{name: "their id was made here", request: inputOf(asked,
			`{"type":"function_call","id":"call_gemini_0_0","name":"add","signature":"AAA="}`,
			`{"type":"function_result","call_id":"call_gemini_0_0","name":"add","result":"3"}`),
			want: map[string]string{
				"/contents/1/parts/0/functionCall":     `{"name":"add"}`,
				"/contents/2/parts/0/functionResponse": `{"name":"add","response":{"output":"3"}}`}},
		{name: "a call has no name", request: inputOf(asked, `{"type":"function_call","id":"c1"}`),
			problem: "/input/1/name must be set"},
	})
}

func TestResultsOfFunctionsHaveAnObject(t *testing.T) {
	t.Parallel()
	result := func(members string) string {
		return inputOf(asked, thought, called,
			`{"type":"function_result","call_id":"c1","name":"add",`+members+`}`)
	}
	const response = "/contents/2/parts/0/functionResponse/response"
	const parts = "/contents/2/parts/0/functionResponse/parts"
	const image = `{"type":"image","mime_type":"image/png","data":"iVBORw0KGgo="}`
	check(t, []row{
		{name: "a text", request: result(`"result":"3"`), want: map[string]string{response: `{"output":"3"}`}},
		{name: "a text that is JSON", request: result(`"result":"{\"a\":1}"`),
			want: map[string]string{response: `{"output":"{\"a\":1}"}`}},
		{name: "an object", request: result(`"result":{"b":1,"a":2}`),
			want: map[string]string{response: `{"a":2,"b":1}`}},
		{name: "a number", request: result(`"result":3`), want: map[string]string{response: `{"output":3}`}},
		{name: "null", request: result(`"result":null`),
			want: map[string]string{response: `{"output":null}`}},
		{name: "none", request: result(`"is_error":false`), want: map[string]string{response: `{}`}},
		{name: "a list", request: result(`"result":[1,2]`), want: map[string]string{response: `{"output":[1,2]}`}},
		{name: "an error with a text", request: result(`"result":"no","is_error":true`),
			want: map[string]string{response: `{"error":"no"}`}},
		{name: "an error with an object", request: result(`"result":{"a":1},"is_error":true`),
			want: map[string]string{response: `{"error":{"a":1}}`}},
		{name: "a text and an image",
			request: result(`"result":[{"type":"text","text":"See."},` + image + `]`),
			want: map[string]string{response: `{"output":"See."}`,
				parts: `[{"inlineData":{"data":"iVBORw0KGgo=","mimeType":"image/png"}}]`}},
		{name: "an image alone", request: result(`"result":[` + image + `]`),
			want: map[string]string{response: `{}`,
				parts: `[{"inlineData":{"data":"iVBORw0KGgo=","mimeType":"image/png"}}]`}},
		{name: "a text after an image",
			request: result(`"result":[` + image + `,{"type":"text","text":"See."}]`),
			want:    map[string]string{response: `{"output":"See."}`},
			report:  "approximated /input/3/result"},
		{name: "a sound",
			request: result(`"result":[{"type":"audio","mime_type":"audio/mp3","data":"AAAA"}]`),
			want: map[string]string{
				"/contents/3/parts": `[{"inlineData":{"data":"AAAA","mimeType":"audio/mp3"}}]`},
			report: "approximated /input/3/result/0"},
		{name: "an image for a model that takes texts only",
			request: strings.Replace(result(`"result":[`+image+`]`), flash36, flash25, 1),
			want: map[string]string{
				"/contents/3/parts": `[{"inlineData":{"data":"iVBORw0KGgo=","mimeType":"image/png"}}]`},
			report: "approximated /input/3/result/0"},
		{name: "an unknown member", request: result(`"result":"3","later":1`),
			report: "lost /input/3/later"},
	})
}

func TestArgumentsStayByteForByte(t *testing.T) {
	t.Parallel()
	const arguments = `{"z":1.0,"a":12345678901234567890,"e":"\u00e9","l":[]}`
	data, _, err := geminiRequest([]byte(inputOf(asked,
		`{"type":"function_call","id":"c1","name":"add","arguments":`+arguments+`}`, returned)))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), `"args":`+arguments) {
		t.Errorf("got %s", data)
	}
}

// Package interactions makes such steps from metadata. A client that sends them back must not
// invent calls of tools.
func TestStepsThatWereMadeFromMetadataAreNotSent(t *testing.T) {
	t.Parallel()
	const derived = `,"extra_content":{"google":{"derived":true}}}`
	const found = `[{"parts":[{"text":"Add 1 and 2."}],"role":"user"},` +
		`{"parts":[{"text":"So 3."}],"role":"model"},{"parts":[{"text":"Go on."}],"role":"user"}]`
	const call = `{"type":"google_search_call","id":"s","arguments":{"queries":["q"]}`
	const result = `{"type":"google_search_result","call_id":"s","result":[],"is_error":false`
	check(t, []row{
		{name: "a search after the output",
			request: inputOf(asked, said, call+derived, result+derived, next),
			want:    map[string]string{"/contents": found},
			report:  "approximated /input/2\napproximated /input/3"},
		{name: "pages before the output", request: inputOf(asked,
			`{"type":"url_context_call","id":"u","arguments":{"urls":["https://a.example"]}`+derived,
			`{"type":"url_context_result","call_id":"u","result":[]`+derived, said, next),
			want:   map[string]string{"/contents": found},
			report: "approximated /input/1\napproximated /input/2"},
		{name: "places and nothing else", request: inputOf(asked,
			`{"type":"google_maps_call","id":"m","arguments":{}`+derived, next),
			want: map[string]string{"/contents": `[{"parts":[{"text":"Add 1 and 2."},` +
				`{"text":"Go on."}],"role":"user"}]`},
			report: "approximated /input/1"},
		{name: "a search that the model called", request: inputOf(asked, said, call+
			`,"extra_content":{"google":{"derived":false}}}`, result+`}`, next),
			want:   map[string]string{"/contents/1/parts/1/toolCall/id": `"s"`},
			report: "lost /input/2/extra_content"},
	})
}
