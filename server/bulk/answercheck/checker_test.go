package answercheck_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/bulk/answercheck"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/go-json-experiment/json/jsontext"
)

// schema is the schema of the requests.
const schema = `{"type":"object","properties":{"kind":{"enum":["yes","no"]}},"required":["kind"],"additionalProperties":false}`

const native = "/v1beta/models/gemini-3.6-flash:generateContent"

// requests are requests for the schema, by their paths.
var requests = map[string][]string{
	"/v1/chat/completions": {`{"response_format":{"type":"json_schema","json_schema":{"name":"k","schema":` +
		schema + `}}}`},
	"/v1/responses": {`{"text":{"format":{"type":"json_schema","name":"k","schema":` + schema + `}}}`},
	"/v1/messages": {
		`{"output_config":{"format":{"type":"json_schema","schema":` + schema + `}}}`,
		`{"output_format":{"type":"json_schema","schema":` + schema + `}}`,
	},
	native: {
		`{"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":` + schema + `}}`,
		`{"generation_config":{"response_mime_type":"application/json","response_json_schema":` +
			schema + `}}`,
		`{"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT","properties":{"kind":{"type":"STRING","enum":["yes","no"]}},"required":["kind"]}}}`,
		`{"generationConfig":{"responseFormat":{"text":{"mimeType":"APPLICATION_JSON","schema":` +
			schema + `}}}}`,
	},
}

// answers make an answer with a text, by the path of the request.
var answers = map[string]func(quoted string, isCutOff bool) string{
	"/v1/chat/completions": func(quoted string, isCutOff bool) string {
		return `{"choices":[{"finish_reason":"` + reason(isCutOff, "length", "stop") +
			`","message":{"content":` + quoted + `}}]}`
	},
	"/v1/responses": func(quoted string, isCutOff bool) string {
		details := reason(isCutOff, `{"reason":"max_output_tokens"}`, "null")
		return `{"incomplete_details":` + details +
			`,"output":[{"type":"reasoning","summary":[]},{"type":"message","content":[{"type":"output_text","text":` +
			quoted + `}]}]}`
	},
	"/v1/messages": func(quoted string, isCutOff bool) string {
		return `{"stop_reason":"` + reason(isCutOff, "max_tokens", "end_turn") +
			`","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":` + quoted + `}]}`
	},
	native: func(quoted string, isCutOff bool) string {
		return `{"candidates":[{"finishReason":"` + reason(isCutOff, "MAX_TOKENS", "STOP") +
			`","content":{"parts":[{"text":"hm","thought":true},{"text":` + quoted + `}]}}]}`
	},
}

func reason(isCutOff bool, cutOff, other string) string {
	if isCutOff {
		return cutOff
	}
	return other
}

func quote(t *testing.T, text string) string {
	t.Helper()
	quoted, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		t.Fatal(err)
	}
	return string(quoted)
}

func TestAnswersAreCheckedAgainstTheSchemaOfTheirRequestInEachForm(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, want string // "" for an answer that fits
		isCutOff   bool
	}{
		{text: `{"kind":"yes"}`},
		{text: " {\"kind\": \"no\"}\n"},
		{text: ""},
		{text: `{"kind":"maybe"}`, want: `/kind, which must be one of "yes", "no"`},
		{text: `{}`, want: "/kind, which must be set"},
		{text: `The answer is yes.`, want: "not JSON"},
		{text: "```json\n{\"kind\":\"yes\"}\n```", want: "not JSON"},
		{text: `{"kind":"y`, want: "cut off", isCutOff: true},
		{text: "", want: "cut off", isCutOff: true},
	} {
		var checker answercheck.Checker
		for url, bodies := range requests {
			for _, body := range bodies {
				answer := answers[url](quote(t, test.text), test.isCutOff)
				err := checker.Check(&line.Line{URL: url, Body: jsontext.Value(body)}, []byte(answer))
				switch {
				case test.want == "" && err != nil:
					t.Errorf("%s: %q: %v", body, test.text, err)
				case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
					t.Errorf("%s: %q: %v; want %q", body, test.text, err, test.want)
				}
			}
		}
	}
}

func TestAnswersToOtherRequestsAlwaysFit(t *testing.T) {
	t.Parallel()
	var checker answercheck.Checker
	for _, test := range []struct{ url, body, answer string }{
		{"/v1/chat/completions", `{}`, `{"choices":[{"message":{"content":"hello"}}]}`},
		{"/v1/chat/completions", `{"response_format":{"type":"text"}}`,
			`{"choices":[{"message":{"content":"hello"}}]}`},
		{"/v1/chat/completions", `{"response_format":{"type":"json_schema","json_schema":{"schema":{"$ref":"https://a.example"}}}}`,
			`{"choices":[{"message":{"content":"{}"}}]}`},
		{"/v1/chat/completions", requests["/v1/chat/completions"][0],
			`{"choices":[{"finish_reason":"tool_calls","message":{"content":null,"tool_calls":[]}}]}`},
		{native, `{"generationConfig":{"responseMimeType":"text/x.enum","responseSchema":{"type":"STRING","enum":["a"]}}}`,
			`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]}`},
		{native, requests[native][0], `{"promptFeedback":{"blockReason":"SAFETY"}}`},
		{"/v1/embeddings", `{"input":"a"}`, `{"data":[]}`},
	} {
		if err := checker.Check(&line.Line{URL: test.url, Body: jsontext.Value(test.body)},
			[]byte(test.answer)); err != nil {
			t.Errorf("%s: %s: %v", test.body, test.answer, err)
		}
	}
}

func TestARequestForAnyJSONAcceptsAnyJSON(t *testing.T) {
	t.Parallel()
	var checker answercheck.Checker
	l := &line.Line{URL: "/v1/chat/completions",
		Body: jsontext.Value(`{"response_format":{"type":"json_object"}}`)}
	for text, fits := range map[string]bool{`{"a":1}`: true, `hello`: false} {
		answer := answers[l.URL](quote(t, text), false)
		if err := checker.Check(l, []byte(answer)); (err == nil) != fits {
			t.Errorf("%q: %v", text, err)
		}
	}
}
