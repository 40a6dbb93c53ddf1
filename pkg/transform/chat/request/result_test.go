package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

func TestAResultIsOfTheNearestCallWithItsID(t *testing.T) {
	t.Parallel()
	named := func(id, name string) string {
		return `{"id":"` + id + `","type":"function","function":{"name":"` + name +
			`","arguments":"{}"}}`
	}
	converse(t, flash25, map[string]conversation{
		"ids that begin anew in each turn": {
			messages: hello + `,{"role":"assistant","tool_calls":[` + named("call_0", "first") +
				`]},{"role":"tool","tool_call_id":"call_0","content":"1"},` +
				`{"role":"assistant","tool_calls":[` + named("call_0", "second") +
				`]},{"role":"tool","tool_call_id":"call_0","content":"2"}`,
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"id":"call_0","name":"first","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"call_0","name":"first","response":{"output":"1"}}}]}` +
				`,{"role":"model","parts":[{"functionCall":{"id":"call_0","name":"second","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"id":"call_0","name":"second","response":{"output":"2"}}}]}`,
		},
		"one id for two calls": {
			messages: hello + `,{"role":"assistant","tool_calls":[` + named("now", "now") + "," +
				named("now", "now") +
				`]},{"role":"tool","tool_call_id":"now","content":"1"},{"role":"tool","tool_call_id":"now","content":"2"}`,
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"name":"now","args":{}}},{"functionCall":{"name":"now","args":{}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"now","response":{"output":"1"}}},{"functionResponse":{"name":"now","response":{"output":"2"}}}]}`,
			report: []string{"approximated /messages/1/tool_calls/0/id",
				"approximated /messages/1/tool_calls/1/id"},
		},
		"one id for two calls of three": {
			messages: hello + `,{"role":"assistant","tool_calls":[` + named("x", "f") + "," +
				named("y", "g") + `]},{"role":"assistant","tool_calls":[` + named("x", "h") +
				`]},` +
				`{"role":"tool","tool_call_id":"y","content":"2"},{"role":"tool","tool_call_id":"x","content":"1"},{"role":"tool","tool_call_id":"x","content":"3"}`,
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"id":"y","name":"g","args":{}}},{"functionCall":{"name":"h","args":{}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"}}},{"functionResponse":{"id":"y","name":"g","response":{"output":"2"}}},{"functionResponse":{"name":"h","response":{"output":"3"}}}]}`,
			report: []string{"approximated /messages/1/tool_calls/0/id",
				"approximated /messages/2/tool_calls/0/id"},
		},
		"ids that this package has made": {
			messages: hello + `,{"role":"assistant","tool_calls":[` +
				named("gemini-call-r-0-0", "f") + "," + named("gemini-call-r-0-1", "g") + `]},` +
				`{"role":"tool","tool_call_id":"gemini-call-r-0-1","content":"of g"},{"role":"tool","tool_call_id":"gemini-call-r-0-0","content":"of f"}`,
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"g","args":{}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"of f"}}},{"functionResponse":{"name":"g","response":{"output":"of g"}}}]}`,
		},
		"no ids at all": {
			messages: hello + `,{"role":"assistant","tool_calls":[` + named("", "f") + "," +
				named("", "g") + `]},{"role":"tool","content":"1"},{"role":"tool","content":"2"}`,
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}},{"functionCall":{"name":"g","args":{}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"}}},{"functionResponse":{"name":"g","response":{"output":"2"}}}]}`,
		},
	})
}

// Two results with one id would both be assigned to the first call.
func TestCallsThatShareAnIDMakeAValidRequest(t *testing.T) {
	t.Parallel()
	const messages = hello +
		`,{"role":"assistant","tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":""}},{"id":"x","type":"function","function":{"name":"g","arguments":""}}]},` +
		`{"role":"tool","tool_call_id":"x","content":"1"},{"role":"tool","tool_call_id":"x","content":"2"}`
	for _, model := range []string{flash25, pro3} {
		in := openaitest.DecodeRequest(t, `{"model":"`+model+`","messages":[`+messages+`]}`)
		if _, _, err := request.ToGemini(in); err != nil {
			t.Errorf("%s: %v", model, err)
		}
	}
}

// Clients that join a message from the chunks of a stream keep the index of its calls.
func TestTheIndexOfACallIsItsPosition(t *testing.T) {
	t.Parallel()
	called := func(index string) string {
		return hello + `,{"role":"assistant","tool_calls":[{"index":` + index +
			`,"id":"a","type":"function","function":{"name":"f_a","arguments":"{\"a\":1}"}}]},` +
			resultOf("a")
	}
	want := helloIn + "," + callingIn("a") + "," + resultIn("a")
	converse(t, flash25, map[string]conversation{
		"its own":   {messages: called("0"), want: want},
		"another's": {messages: called("1"), want: want, report: []string{"lost /messages/1/tool_calls/0/index"}},
	})
}

func TestResultsFollowTheirCallsInTheSameOrder(t *testing.T) {
	t.Parallel()
	converse(t, flash25, map[string]conversation{
		"in order":         {messages: hello + "," + calling("a", "b") + "," + resultOf("a") + "," + resultOf("b"), want: helloIn + "," + callingIn("a", "b") + "," + resultIn("a", "b")},
		"in another order": {messages: hello + "," + calling("a", "b", "c") + "," + resultOf("c") + "," + resultOf("a") + "," + resultOf("b"), want: helloIn + "," + callingIn("a", "b", "c") + "," + resultIn("a", "b", "c")},
		"after a question": {messages: hello + "," + calling("a", "b") + "," + resultOf("b") + "," + hello + "," + resultOf("a"), want: helloIn + "," + callingIn("a", "b") + "," + resultIn("a", "b") + "," + helloIn, report: []string{"approximated /messages/4"}},
		"after all else":   {messages: hello + "," + calling("a") + "," + hello + `,{"role":"assistant","content":"Wait."},` + resultOf("a"), want: helloIn + "," + callingIn("a") + "," + resultIn("a") + "," + helloIn + `,{"role":"model","parts":[{"text":"Wait."}]}`, report: []string{"approximated /messages/4"}},
		"after a system message": {messages: hello + "," + calling("a") +
			`,{"role":"system","content":"S"},` + resultOf("a"),
			want: helloIn + "," + callingIn("a") + "," + resultIn("a"), system: `{"text":"S"}`,
			report: []string{"approximated /messages/2"}},
		"of two turns": {messages: hello + "," + calling("a") + "," + resultOf("a") + "," + calling("b") + "," + resultOf("b"), want: helloIn + "," + callingIn("a") + "," + resultIn("a") + "," + callingIn("b") + "," + resultIn("b")},

		"missing at the end":      {messages: hello + "," + calling("a", "b") + "," + resultOf("a"), err: `/messages/1: a result for "b" is missing`},
		"missing altogether":      {messages: hello + "," + calling("a"), err: `/messages/1: a result for "a" is missing`},
		"missing before more":     {messages: hello + "," + calling("a") + "," + hello + "," + calling("b") + "," + resultOf("b"), err: `/messages/1: a result for "a" is missing`},
		"too late":                {messages: hello + "," + calling("a") + "," + hello + "," + calling("b") + "," + resultOf("a") + "," + resultOf("b"), err: `/messages/1: a result for "a" is missing`},
		"extra":                   {messages: hello + "," + calling("a", "b") + "," + resultOf("a") + "," + resultOf("z"), err: `/messages/3: "z" does not match a call`},
		"extra, of an older turn": {messages: hello + "," + calling("a") + "," + resultOf("a") + "," + calling("b") + "," + resultOf("a"), err: `/messages/4: "a" does not match a call`},
		"a second time":           {messages: hello + "," + calling("a") + "," + resultOf("a") + "," + resultOf("a"), err: `/messages/3: "a" already has a result`},
		"a carrier is not quoted": {messages: hello + "," + calling("a", "b") + "," + resultOf("a") + `,{"role":"tool","tool_call_id":"z__gw1_secret","content":""}`, err: `/messages/3: "z" does not match a call`},
		"missing of the old form": {messages: hello + `,{"role":"assistant","function_call":{"name":"f","arguments":""}},` + hello, err: `/messages/1: a result for the call of "f" is missing`},
		"extra of the old form":   {messages: hello + `,{"role":"assistant","function_call":{"name":"f","arguments":""}},{"role":"function","name":"g","content":""}`, err: `/messages/2: "g" does not match a call`},
		"a call without its name": {messages: hello + `,{"role":"assistant","tool_calls":[{"id":"a","type":"function"}]}`, err: "/messages/1/tool_calls/0: "},
	})
}

func TestTheOldFormOfCallsIsAnsweredByName(t *testing.T) {
	t.Parallel()
	converse(t, flash25, map[string]conversation{
		"function_call": {
			messages: hello +
				`,{"role":"assistant","content":"Look:","function_call":{"name":"f","arguments":"{\"a\":1}"}},{"role":"function","name":"f","content":"{\"b\":2}"}`,
			want: helloIn +
				`,{"role":"model","parts":[{"text":"Look:"},{"functionCall":{"name":"f","args":{"a":1}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"b":2}}}]}`,
		},
		"a result of null": {
			messages: hello +
				`,{"role":"assistant","function_call":{"name":"f","arguments":""}},{"role":"function","name":"f","content":null}`,
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"name":"f","args":{}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":""}}}]}`,
		},
		"a tool call answered in the old form": {
			messages: hello + "," + calling("a") +
				`,{"role":"function","name":"f_a","content":"{\"of\":\"a\"}"}`,
			want: helloIn + "," + callingIn("a") + "," + resultIn("a"),
		},
		"signed by its message": {
			messages: hello +
				`,{"role":"assistant","reasoning_content":"Think.","function_call":{"name":"f","arguments":""},"extra_content":{"google":{"thought_signature":"c2ln"}}},{"role":"function","name":"f","content":""}`,
			want: helloIn +
				`,{"role":"model","parts":[{"text":"Think.","thought":true},{"functionCall":{"name":"f","args":{}},"thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":""}}}]}`,
		},
	})
}

// Clients cut off the beginning or the middle of long conversations. Gemini refuses results without
// the calls.
func TestAResultWithoutItsCallIsInAUserTurn(t *testing.T) {
	t.Parallel()
	said := func(texts ...string) string {
		return `{"role":"user","parts":[{"text":"` + strings.Join(texts, `"},{"text":"`) + `"}]}`
	}
	const orphan = `{"role":"tool","tool_call_id":"z__gw1_secret","content":"{\"b\":2}"}`
	const orphanTitle, orphanText = `Result of the function call \"z\":`, `{\"b\":2}`
	cases := map[string]conversation{
		"at the beginning": {messages: orphan + "," + hello, want: said(orphanTitle, orphanText, "Hello"), report: []string{"approximated /messages/0"}},
		"two of them": {messages: orphan +
			`,{"role":"tool","name":"f","tool_call_id":"y","content":[{"type":"text","text":"1"},{"type":"text","text":"2"}]}`,
			want:   said(orphanTitle, orphanText, `Result of the function \"f\":`, "1", "2"),
			report: []string{"approximated /messages/0", "approximated /messages/1"}},
		"in the middle": {messages: hello + "," + calling("a") + "," + resultOf("a") + "," +
			orphan + "," + hello,
			want: helloIn + "," + callingIn("a") + "," + resultIn("a") + "," +
				said(orphanTitle, orphanText, "Hello"),
			report: []string{"approximated /messages/3"}},
		"before a call": {messages: orphan + "," + calling("a") + "," + resultOf("a"),
			want:   said(orphanTitle, orphanText) + "," + callingIn("a") + "," + resultIn("a"),
			report: []string{"approximated /messages/0"}},
		"of the old form": {messages: hello + `,{"role":"function","name":"f","content":"a"}`,
			want:   said("Hello", `Result of the function \"f\":`, "a"),
			report: []string{"approximated /messages/1"}},
		"of no one": {messages: `{"role":"tool","content":""}`, want: said("Result of a function call:"), report: []string{"approximated /messages/0"}},
		"with an image": {messages: `{"role":"tool","tool_call_id":"y","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}`,
			want:   `{"role":"user","parts":[{"text":"Result of the function call \"y\":"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}`,
			report: []string{"approximated /messages/0"}},
	}
	converse(t, flash25, cases)
	converse(t, pro3, map[string]conversation{"at the beginning": cases["at the beginning"]})
	for name, c := range cases {
		in := openaitest.DecodeRequest(t, `{"model":"`+flash36+`","messages":[`+c.messages+`]}`)
		out, report, err := request.ToGemini(in, request.WithoutValidation())
		if err != nil ||
			gemini.ValidateRequest(out, gemini.ForModel(flash25), gemini.ForGeminiAPI()) != nil ||
			report.Strict() != nil {
			t.Errorf("%s: %v, %v", name, report, err)
		}
	}
}

func TestAResultWhoseCallIsInACacheIsNamedByItsID(t *testing.T) {
	t.Parallel()
	const cached = `{"model":"` + flash25 +
		`","extra_body":{"google":{"cached_content":"cachedContents/c"}},"messages":[`
	for messages, want := range map[string]string{
		`{"role":"tool","tool_call_id":"call_1","content":"a"},{"role":"tool","tool_call_id":"gemini-call-0-0","content":"b"},` +
			hello: `{"role":"user","parts":[{"functionResponse":{"id":"call_1","name":"call_1","response":{"output":"a"}}},{"functionResponse":{"name":"gemini-call-0-0","response":{"output":"b"}}}]},` +
			helloIn,
		`{"role":"tool","name":"f","tool_call_id":"call_1","content":"a"}`: `{"role":"user","parts":[{"functionResponse":{"id":"call_1","name":"f","response":{"output":"a"}}}]}`,
		calling("a") + "," + resultOf("a"): callingIn("a") + "," +
			resultIn("a"),
	} {
		out, _, err := request.ToGemini(openaitest.DecodeRequest(t, cached+messages+`]}`))
		if err != nil {
			t.Errorf("%s: %v", messages, err)
			continue
		}
		isConversation(t, out, want, "")
	}
}

// An example is a tool that returns a schema. Gemini searches for media with that name and finds
// none.
func TestAResultThatRefersToSomethingElseIsAText(t *testing.T) {
	t.Parallel()
	const schema = `{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/a\"}}`
	const media = `{"type":"file","file":{"file_data":"data:application/pdf;base64,AAAA","filename":"a.pdf"}}`
	result := func(content string) string {
		return hello + "," + calling("a") + `,{"role":"tool","tool_call_id":"a","content":` +
			content + `}`
	}
	becomes := func(response string) string {
		return helloIn + "," + callingIn("a") +
			`,{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f_a",` + response +
			`}}]}`
	}
	at := []string{"approximated /messages/2/content"}
	cases := map[string]conversation{
		"an object":           {messages: result(`"` + schema + `"`), want: becomes(`"response":{"output":"` + schema + `"}`), report: at},
		"a list":              {messages: result(`"[` + schema + `]"`), want: becomes(`"response":{"output":"[` + schema + `]"}`), report: at},
		"parts":               {messages: result(`[{"type":"text","text":"{\"$ref\":"},{"type":"text","text":"\"a\"}"}]`), want: becomes(`"response":{"output":"{\"$ref\":\"a\"}"}`), report: at},
		"an escaped name":     {messages: result(`"{\"\\u0024ref\":\"a\"}"`), want: becomes(`"response":{"output":"{\"\\u0024ref\":\"a\"}"}`), report: at},
		"no JSON":             {messages: result(`"{\"$ref\":\"a\""`), want: becomes(`"response":{"output":"{\"$ref\":\"a\""}`)},
		"a property so named": {messages: result(`"{\"properties\":{\"$ref\":{}}}"`), want: becomes(`"response":{"properties":{"$ref":{}}}`)},
	}
	converse(t, flash25, cases)
	converse(t, flash25,
		map[string]conversation{"an object": {messages: cases["an object"].messages,
			want: cases["an object"].want, report: []string{"approximated /model", at[0]}}},
		request.ForVertexAI())
	named := result(`[` + media + `,{"type":"text","text":"{\"file\":{\"$ref\":\"a.pdf\"}}"}]`)
	out, _, err := talk(t, pro3, named, request.ForVertexAI())
	if err != nil {
		t.Fatal(err)
	}
	if got := string(out.Contents[2].Parts[0].FunctionResponse.Response); got != `{"file":{"$ref":"a.pdf"}}` {
		t.Errorf("a result that names its media became %s", got)
	}
}

func TestAResultIsAnObject(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{
		`"{\"b\":1.50,\"a\":{}}"`: `{"b":1.50,"a":{}}`,
		`" {\"a\":1}\n"`:          ` {"a":1}` + "\n",
		`"21"`:                    `{"output":"21"}`,
		`"9007199254740993123"`:   `{"output":"9007199254740993123"}`,
		`" 1.50 "`:                `{"output":" 1.50 "}`,
		`"-0"`:                    `{"output":"-0"}`,
		`"[1,2]"`:                 `{"output":[1,2]}`,
		`"\"text\""`:              `{"output":"\"text\""}`,
		`"null"`:                  `{"output":"null"}`,
		`"true"`:                  `{"output":"true"}`,
		`"Sunny, 21°"`:            `{"output":"Sunny, 21°"}`,
		`"{\"cut\":"`:             `{"output":"{\"cut\":"}`,
		`"{\"a\":1,\"a\":2}"`:     `{"output":"{\"a\":1,\"a\":2}"}`,
		`""`:                      `{"output":""}`,
		`null`:                    `{"output":""}`,
		`[]`:                      `{"output":""}`,
		`[{"type":"text","text":"{\"a\":"},{"type":"text","text":"1}"}]`: `{"a":1}`,
		`[{"type":"text","text":"Sunny, "},{"type":"text","text":"21"}]`: `{"output":"Sunny, 21"}`,
	} {
		out, report, err := talk(t, flash25,
			hello+","+calling("a")+`,{"role":"tool","tool_call_id":"a","content":`+content+`}`)
		if err != nil {
			t.Errorf("%s: %v", content, err)
			continue
		}
		if got := string(out.Contents[2].Parts[0].FunctionResponse.Response); got != want {
			t.Errorf("%s became %s, not %s", content, got, want)
		}
		openaitest.Reports(t, report)
	}
}

// shownLater is the text of a result whose media follow in a user turn.
const shownLater = "The next message of the user shows what the function returned."

func TestMediaOfAResultAreItsParts(t *testing.T) {
	t.Parallel()
	answered := func(result string) string { return hello + "," + calling("a") + "," + result }
	image := `{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}`
	mixed := answered(`{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"See:"},` +
		image + `]}`)
	alone := answered(`{"role":"tool","tool_call_id":"a","content":[` + image + `]}`)
	googles := answered(`{"role":"tool","tool_call_id":"a","content":"See:","extra_content":{"google":{"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}},{"inline_data":{"mime_type":"application/pdf","data":"JVBE"}}]}}}`)
	in := func(result string) string {
		return helloIn +
			`,{"role":"model","parts":[{"functionCall":{"id":"a","name":"f_a","args":{"a":1}},"thoughtSignature":"skip_thought_signature_validator"}]},{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f_a",` +
			result + `}}]}`
	}
	const sentinel = "added /messages/1/tool_calls/0/extra_content/google/thought_signature"
	const png = `{"inlineData":{"mimeType":"image/png","data":"AAAA"}}`
	converse(t, pro3, map[string]conversation{
		"a text and an image": {messages: mixed, want: in(`"response":{"output":"See:"},"parts":[` + png + `]`), report: []string{sentinel}},
		"an image alone":      {messages: alone, want: in(`"response":{},"parts":[` + png + `]`), report: []string{sentinel}},
		"in Google's own form": {messages: googles,
			want: in(`"response":{"output":"See:"},"parts":[` + png +
				`,{"inlineData":{"mimeType":"application/pdf","data":"JVBE"}}]`),
			report: []string{sentinel}},
		"a detail is lost, not the image": {messages: answered(`{"role":"tool","tool_call_id":"a","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA","detail":"high"}}]}`),
			want:   in(`"response":{},"parts":[` + png + `]`),
			report: []string{"lost /messages/2/content/0/image_url/detail", sentinel}},
		"a resolution is lost, not the image": {messages: answered(`{"role":"tool","tool_call_id":"a","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"},"extra_content":{"google":{"media_resolution":{"level":"MEDIA_RESOLUTION_LOW"}}}}]}`),
			want:   in(`"response":{},"parts":[` + png + `]`),
			report: []string{"lost /messages/2/content/0/extra_content", sentinel}},
		"a file of the Files API": {messages: answered(`{"role":"tool","tool_call_id":"a","content":[{"type":"image_url","image_url":{"url":"https://generativelanguage.googleapis.com/v1beta/files/f1"}}]}`),
			want:   in(`"response":{},"parts":[{"fileData":{"fileUri":"https://generativelanguage.googleapis.com/v1beta/files/f1"}}]`),
			report: []string{sentinel}},
		"a file of the Files API by its name": {messages: answered(`{"role":"tool","tool_call_id":"a","content":[{"type":"image_url","image_url":{"url":"files/f1"}}]}`),
			want:   in(`"response":{},"parts":[{"fileData":{"fileUri":"https://generativelanguage.googleapis.com/v1beta/files/f1"}}]`),
			report: []string{"approximated /messages/2/content/0/image_url/url", sentinel}},
		"by address": {messages: answered(`{"role":"tool","tool_call_id":"a","content":[{"type":"image_url","image_url":{"url":"gs://b/a.png"}}]}`),
			want: in(`"response":{"output":"`+shownLater+`"}`) +
				`,{"role":"user","parts":[{"fileData":{"fileUri":"gs://b/a.png","mimeType":"image/png"}}]}`,
			report: []string{"approximated /messages/2/content/0", sentinel}},
		"a sound": {messages: answered(`{"role":"tool","tool_call_id":"a","content":[{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}}]}`),
			want: in(`"response":{"output":"`+shownLater+`"}`) +
				`,{"role":"user","parts":[{"inlineData":{"mimeType":"audio/wav","data":"AAAA"}}]}`,
			report: []string{"approximated /messages/2/content/0", sentinel}},
		"of two calls, before an answer": {
			messages: hello + "," + calling("a", "b") +
				`,{"role":"tool","tool_call_id":"b","content":[{"type":"image_url","image_url":{"url":"https://a.example/b.png"}}]},{"role":"tool","tool_call_id":"a","content":[` +
				image + `,{"type":"image_url","image_url":{"url":"https://a.example/a.png"}}]},{"role":"assistant","content":"Well."},` +
				hello,
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"id":"a","name":"f_a","args":{"a":1}},"thoughtSignature":"skip_thought_signature_validator"},{"functionCall":{"id":"b","name":"f_b","args":{"a":1}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f_a","response":{},"parts":[` +
				png + `]}},{"functionResponse":{"id":"b","name":"f_b","response":{"output":"` +
				shownLater + `"}}}]},` +
				`{"role":"user","parts":[{"text":"From the result of call 2, f_b:"},{"fileData":{"fileUri":"https://a.example/b.png","mimeType":"image/png"}},` +
				`{"text":"From the result of call 1, f_a:"},{"fileData":{"fileUri":"https://a.example/a.png","mimeType":"image/png"}}]},{"role":"model","parts":[{"text":"Well."}]},` +
				helloIn,
			report: []string{"approximated /messages/2/content/0", "added /messages/2",
				"approximated /messages/3/content/1", "added /messages/3", sentinel}},
		"before a question": {messages: answered(`{"role":"tool","tool_call_id":"a","content":[{"type":"image_url","image_url":{"url":"https://a.example/b.png"}}]}`) +
			"," + hello,
			want: in(`"response":{"output":"`+shownLater+`"}`) +
				`,{"role":"user","parts":[{"fileData":{"fileUri":"https://a.example/b.png","mimeType":"image/png"}},{"text":"Hello"}]}`,
			report: []string{"approximated /messages/2/content/0", sentinel}},
		"a part of an unknown type": {messages: answered(`{"role":"tool","tool_call_id":"a","content":[{"type":"hologram"}]}`),
			want:   in(`"response":{"output":"The function returned something that cannot be shown here."}`),
			report: []string{"lost /messages/2/content/0", sentinel}},
	})
	converse(t, pro3, map[string]conversation{
		"by address": {messages: answered(`{"role":"tool","tool_call_id":"a","content":[{"type":"image_url","image_url":{"url":"gs://b/a.png"}}]}`),
			want:   in(`"response":{},"parts":[{"fileData":{"mimeType":"image/png","fileUri":"gs://b/a.png"}}]`),
			report: []string{"approximated /model", sentinel}},
	}, request.ForVertexAI())
	converse(t, flash25, map[string]conversation{
		"an image": {messages: mixed, report: []string{"approximated /messages/2/content/1"},
			want: helloIn + "," + callingIn("a") +
				`,{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f_a","response":{"output":"See:"}}}]},{"role":"user","parts":[` +
				png + `]}`},
		"an image alone": {messages: alone, report: []string{"approximated /messages/2/content/0"},
			want: helloIn + "," + callingIn("a") +
				`,{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f_a","response":{"output":"` +
				shownLater + `"}}}]},{"role":"user","parts":[` + png + `]}`},
		"in Google's own form": {messages: googles, report: []string{"approximated /messages/2/extra_content/google/parts/0", "approximated /messages/2/extra_content/google/parts/1"},
			want: helloIn + "," + callingIn("a") +
				`,{"role":"user","parts":[{"functionResponse":{"id":"a","name":"f_a","response":{"output":"See:"}}}]},{"role":"user","parts":[` +
				png + `,{"inlineData":{"mimeType":"application/pdf","data":"JVBE"}}]}`},
	})
}

func TestTheNameOfACallTakesPrecedenceOverTheNameInItsResult(t *testing.T) {
	t.Parallel()
	converse(t, flash25, map[string]conversation{
		"the same": {messages: hello + "," + calling("a") + `,{"role":"tool","tool_call_id":"a","name":"f_a","content":"{\"of\":\"a\"}"}`, want: helloIn + "," + callingIn("a") + "," + resultIn("a")},
		"another": {messages: hello + "," + calling("a") +
			`,{"role":"tool","tool_call_id":"a","name":"g","content":"{\"of\":\"a\"}"}`,
			want:   helloIn + "," + callingIn("a") + "," + resultIn("a"),
			report: []string{"approximated /messages/2/name"}},
	})
}

func TestACustomToolIsAFunctionWithOneText(t *testing.T) {
	t.Parallel()
	converse(t, flash25, map[string]conversation{
		"custom": {
			messages: hello +
				`,{"role":"assistant","tool_calls":[{"id":"a","type":"custom","custom":{"name":"run","input":"print(\"<1>\")"}}]},{"role":"tool","tool_call_id":"a","content":"1"}`,
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"id":"a","name":"run","args":{"input":"print(\"<1>\")"}}}]},{"role":"user","parts":[{"functionResponse":{"id":"a","name":"run","response":{"output":"1"}}}]}`,
			report: []string{"approximated /messages/1/tool_calls/0/custom"},
		},
		"custom, with a function": {
			messages: hello +
				`,{"role":"assistant","tool_calls":[{"id":"a","type":"custom","custom":{"name":"run","input":""},"function":{"name":"f","arguments":""}}]},{"role":"tool","tool_call_id":"a","content":"1"}`,
			want: helloIn +
				`,{"role":"model","parts":[{"functionCall":{"id":"a","name":"run","args":{"input":""}}}]},{"role":"user","parts":[{"functionResponse":{"id":"a","name":"run","response":{"output":"1"}}}]}`,
			report: []string{"lost /messages/1/tool_calls/0/function",
				"approximated /messages/1/tool_calls/0/custom"},
		},
		"another type": {
			messages: hello +
				`,{"role":"assistant","tool_calls":[{"id":"a","type":"new","function":{"name":"f_a","arguments":"{\"a\":1}"}}]},` +
				resultOf("a"),
			want:   helloIn + "," + callingIn("a") + "," + resultIn("a"),
			report: []string{"approximated /messages/1/tool_calls/0/type"},
		},
	})
}
