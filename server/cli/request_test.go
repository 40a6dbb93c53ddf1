package cli_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAnOpenAIRequestBecomesOneForGemini(t *testing.T) {
	t.Parallel()
	file := payload("openai-request-tools.json")
	got := convert(t, "", "openai-request", "gemini-request", file)
	want := result{0, `{"contents":[{"parts":[{"text":"When does the last train leave?"}],"role":"user"}],` +
		`"generationConfig":{"maxOutputTokens":512,"stopSequences":["END"],"temperature":0,"thinkingConfig":{"thinkingLevel":"LOW"}},` +
		`"model":"models/gemini-3.6-flash","systemInstruction":{"parts":[{"text":"You plan train journeys."}]},` +
		`"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}},` +
		`"tools":[{"functionDeclarations":[{"description":"Trains between two stations.","name":"find_trains",` +
		`"parametersJsonSchema":{"type":"object","properties":{"from":{"type":"string"},"to":{"type":"string"}},"required":["from","to"]}}]}]}` +
		"\n", ""}
	if diff := cmp.Diff(want, got, allowUnexported); diff != "" {
		t.Error(diff)
	}
}

func TestTheModelAndTheBackendDecideTheRequest(t *testing.T) {
	t.Parallel()
	file := payload("openai-request-tools.json")
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"a model with budgets": {[]string{"--model", "gemini-2.5-pro"}, `"thinkingConfig":{"thinkingBudget":1024}`},
		"its name":             {[]string{"--model", "gemini-2.5-pro"}, `"model":"models/gemini-2.5-pro"`},
		"an old model":         {[]string{"--model", "gemini-1.5-pro"}, `"parameters":{"properties":{"from":{"type":"STRING"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := convert(t, "", "openai-request", "gemini-request", append(test.args, file)...)
			if got.code != 0 || !strings.Contains(got.stdout, test.want) {
				t.Errorf("%+v", got)
			}
		})
	}
	if got := convert(t, "", "openai-request", "gemini-request", "--vertex", file); got.code != 0 ||
		strings.Contains(got.stdout, `"model"`) {
		t.Errorf("for Vertex AI: %+v", got)
	}
}

func TestARequestThatCannotBeConvertedSaysWhere(t *testing.T) {
	t.Parallel()
	const calls = `{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}},` +
		`{"id":"c2","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	for name, test := range map[string]struct {
		request, stderr string
		args            []string
	}{
		"a result is missing": {
			`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"a"},` + calls +
				`,{"role":"tool","tool_call_id":"c1","content":"x"}]}`,
			"gemwire: -: /messages/1: a result for \"c2\" is missing\n", nil,
		},
		"the API would refuse it": {
			`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"a"}],"temperature":3}`,
			"gemwire: -: /temperature: Gemini would refuse the converted request: 3 is out of range; must be from 0 to 2\n",
			nil,
		},
		"the API would refuse it for several reasons": {
			`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"a"}],"temperature":3,"max_tokens":-5,"tools":[` +
				`{"type":"function","function":{"name":"ok","parameters":{"type":"object"}}},{"type":"function","function":{"name":"not ok"}}]}`,
			"gemwire: -: Gemini would refuse the converted request: " +
				`/tools/1/function: "not ok" is not a function name; must begin with a letter or underscore, followed by letters, digits, underscores, dots, colons or dashes; ` +
				"/temperature: 3 is out of range; must be from 0 to 2; /max_tokens: -5 is out of range; must be from 1 to 2147483647\n",
			nil,
		},
		"a loss that must not be": {
			`{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"a"}],"user":"u"}`,
			"gemwire: -: /user: lost: not sent, because Gemini has no member for the end user\n", []string{"--strict"},
		},
		"not a request": {`{"messages":7}`, "gemwire: -: /messages: offset 12: a list was expected, found a number\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := convert(t, test.request, "openai-request", "gemini-request", test.args...)
			if diff := cmp.Diff(result{1, "", test.stderr}, got, allowUnexported); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestValidateChecksRequestsForTheirModelAndBackend(t *testing.T) {
	t.Parallel()
	const thinking = `{"contents":[{"role":"user","parts":[{"text":"a"}]}],"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}}`
	const search = `{"contents":[{"role":"user","parts":[{"text":"a"}]}],"tools":[{"googleSearch":{"excludeDomains":["example.com"]}}]}`
	for name, test := range map[string]struct {
		request string
		args    []string
		want    string
	}{
		"no model":         {thinking, nil, ""},
		"a model that may": {thinking, []string{"--model", "gemini-2.5-flash"}, ""},
		"a model that may not": {
			thinking, []string{"--model", "gemini-2.5-pro"},
			"-: /generationConfig/thinkingConfig/thinkingBudget: 0 is out of range for gemini-2.5-pro; must be from 128 to 32768, or -1 to let the model decide\n",
		},
		"Vertex AI":      {search, []string{"--vertex"}, ""},
		"the Gemini API": {search, nil, "-: /tools/0/googleSearch/excludeDomains: only Vertex AI has this; the Gemini API refuses it\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := gemwire(t, test.request,
				append([]string{"validate", "--as", "gemini-request"}, test.args...)...)
			code := 0
			if test.want != "" {
				code = 1
			}
			if diff := cmp.Diff(result{code, test.want, ""}, got, allowUnexported); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An unknown part, member and value, in an answer and then in the request of the next turn.
func TestUndescribedValuesAreSentBackUnchanged(t *testing.T) {
	t.Parallel()
	const parts = `[{"newKind":{"a":1}},{"text":"Hello.","newMember":[1.50]},{"codeExecutionResult":{"outcome":"OUTCOME_NEW"}}]`
	const answer = `{"candidates":[{"content":{"role":"model","parts":` + parts +
		`},"finishReason":"STOP"}],"modelVersion":"gemini-3-pro"}`
	const user = `{"role":"user","content":"Hi"}`
	completion := gemwire(t, answer, "convert", "--from", "gemini-response", "--to",
		"openai-response")
	_, message, _ := strings.Cut(completion.stdout, `"message":`)
	message, _, _ = strings.Cut(message, `,"logprobs"`)
	request := gemwire(t, `{"model":"gemini-3-pro","messages":[`+user+`,`+message+`,`+user+`]}`,
		"convert", "--from", "openai-request", "--to", "gemini-request")
	if request.code != 0 ||
		!strings.Contains(request.stdout, `{"parts":`+parts+`,"role":"model"}`) {
		t.Fatalf("%s becomes %+v", message, request)
	}
	if got := gemwire(t, request.stdout, "validate", "--as", "gemini-request"); got.code != 0 {
		t.Errorf("got %+v", got)
	}
}

// One client drops reasoning_content, and one changes a word.
func TestAReturnedTurnKeepsWhatTheClientLeft(t *testing.T) {
	t.Parallel()
	const answer = `{"candidates":[{"content":{"role":"model","parts":[{"text":"Think.","thought":true},{"text":"Run:"},{"executableCode":{"code":"1"}},{"text":"One.","thoughtSignature":"c2ln"}]},"finishReason":"STOP"}],"modelVersion":"gemini-3-pro"}`
	const user = `{"role":"user","content":"Hi"}`
	completion := gemwire(t, answer, "convert", "--from", "gemini-response", "--to",
		"openai-response")
	_, message, _ := strings.Cut(completion.stdout, `"message":`)
	message, _, _ = strings.Cut(message, `,"logprobs"`)
	message = strings.Replace(message, `"reasoning_content":"Think.",`, "", 1)
	for text, want := range map[string]string{
		"Run:One.": `{"parts":[{"text":"Run:"},{"executableCode":{"code":"1"}},{"text":"One.","thoughtSignature":"c2ln"}],"role":"model"}`,
		"Run:Two.": `{"parts":[{"text":"Run:"},{"executableCode":{"code":"1"}},{"text":"Two."}],"role":"model"}`,
	} {
		changed := strings.Replace(message, "Run:One.", text, 1)
		got := gemwire(t, `{"model":"gemini-3-pro","messages":[`+user+`,`+changed+`,`+user+`]}`,
			"convert", "--from", "openai-request", "--to", "gemini-request")
		if got.code != 0 || !strings.Contains(got.stdout, want) {
			t.Errorf("%s becomes %+v", changed, got)
		}
	}
}

// Shortened histories, and conversations with answers of other providers, are not refused, even
// with --strict, and their conversions are valid.
func TestCutConversationsAreConverted(t *testing.T) {
	t.Parallel()
	const call = `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	const result = `{"role":"tool","tool_call_id":"a","content":"21"}`
	for messages, want := range map[string]string{
		result: `"text":"21"`,
		result + `,{"role":"user","content":"Well?"}`: `"text":"21"`,
		call + "," + result:                           `"contents":[{"parts":[{"text":""}],"role":"user"}`,
		`{"role":"system","content":"Be brief."}`:     `"contents":[{"parts":[{"text":"Be brief."}],"role":"user"}]`,
		`{"role":"user","content":""}`:                `"contents":[{"parts":[{"text":""}],"role":"user"}]`,
	} {
		got := gemwire(t, `{"model":"gemini-2.5-flash","messages":[`+messages+`]}`, "convert",
			"--from", "openai-request", "--to", "gemini-request", "--strict")
		if got.code != 0 || !strings.Contains(got.stdout, want) {
			t.Errorf("%s: %+v", messages, got)
			continue
		}
		if checked := gemwire(t, got.stdout, "validate", "--as",
			"gemini-request"); checked.code != 0 {
			t.Errorf("%s: %+v", messages, checked)
		}
	}
}

// A tool's result is passed on unchanged, unless Gemini would misread it.
func TestResultsOfToolsKeepTheirDigitsAndReferences(t *testing.T) {
	t.Parallel()
	const before = `{"model":"gemini-2.5-flash","messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":`
	for content, want := range map[string]string{
		`"9007199254740993123"`:         `"response":{"output":"9007199254740993123"}`,
		`" 1.50 "`:                      `"response":{"output":" 1.50 "}`,
		`"{\"n\":9007199254740993123}"`: `"response":{"n":9007199254740993123}`,
		`"{\"a\":{\"$ref\":\"#/b\"}}"`:  `"response":{"output":"{\"a\":{\"$ref\":\"#/b\"}}"}`,
	} {
		got := gemwire(t, before+content+`}]}`, "convert", "--from", "openai-request", "--to",
			"gemini-request")
		if got.code != 0 || !strings.Contains(got.stdout, want) {
			t.Errorf("%s: %+v", content, got)
		}
	}
	const refers = `{"contents":[{"role":"user","parts":[{"text":"Hi"}]},{"role":"model","parts":[{"functionCall":{"name":"f"}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"$ref":"#/b"}}}]}]}`
	if got := gemwire(t, refers, "validate", "--as", "gemini-request"); got.code != 1 ||
		!strings.Contains(got.stdout, "/contents/2/parts/0/functionResponse/response: $ref") {
		t.Errorf("got %+v", got)
	}
}

func TestValidatePrintsAllThatIsWrongWithARequest(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ as, request, want string }{
		"of Gemini": {
			"gemini-request", `{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"f"}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"g","response":{}}}]}],"generationConfig":{"topP":2},"oops":1}`,
			"-: /contents/2/parts/0: functionResponse \"g\" answers no earlier call; expected one of \"f\"\n" +
				"-: /contents/1/parts/0: functionCall \"f\" is not answered; /contents/2 must hold a functionResponse to it\n" +
				"-: /oops: the API has no such member here and refuses the request\n" +
				"-: /generationConfig/topP: 2 is out of range; must be from 0 to 1\n",
		},
		"of OpenAI": {
			"openai-request",
			`{"model":"m","messages":[{"role":"user","content":"a"},{"role":"tool","content":"x"}],"temperature":3,"tools":[{"type":"function","function":{"name":"a b"}}]}`,
			"-: /messages/1/tool_call_id: must be set\n" +
				"-: /messages/1: must follow a model message with tool_calls\n" +
				"-: /temperature: must be from 0 to 2\n" +
				"-: /tools/0/function/name: must have 1 to 64 letters, digits, underscores and dashes\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := gemwire(t, test.request, "validate", "--as", test.as)
			if diff := cmp.Diff(result{1, test.want, ""}, got, allowUnexported); diff != "" {
				t.Error(diff)
			}
		})
	}
}
