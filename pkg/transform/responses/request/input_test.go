package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
)

const (
	hello    = `{"role":"user","content":"Hello."}`
	helloOut = `{"role":"user","parts":[{"text":"Hello."}]}`
	callA    = `{"type":"function_call","call_id":"call_a","name":"get_weather","arguments":"{\"city\":\"Lisbon\"}"}`
	callB    = `{"type":"function_call","call_id":"call_b","name":"get_time","arguments":"{}"}`
	resultA  = `{"type":"function_call_output","call_id":"call_a","output":"{\"sky\":\"clear\"}"}`
	resultB  = `{"type":"function_call_output","call_id":"call_b","output":"noon"}`
	callAOut = `{"functionCall":{"id":"call_a","name":"get_weather","args":{"city":"Lisbon"}}}`
	callBOut = `{"functionCall":{"id":"call_b","name":"get_time","args":{}}}`
	resAOut  = `{"functionResponse":{"id":"call_a","name":"get_weather","response":{"sky":"clear"}}}`
	resBOut  = `{"functionResponse":{"id":"call_b","name":"get_time","response":{"output":"noon"}}}`
	pixel    = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)

func TestAStringIsOneMessageOfTheUser(t *testing.T) {
	t.Parallel()
	asText, report := convert(t, `{"model":"`+budgetModel+`","input":"Hello."}`)
	asItem, _ := convert(t,
		input(budgetModel,
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello."}]}`))
	if asText != asItem {
		t.Errorf("%s and %s", asText, asItem)
	}
	openaitest.Reports(t, report)
}

func TestAnEmptyInputIsAnEmptyTurn(t *testing.T) {
	t.Parallel()
	got, report := convert(t, `{"model":"`+budgetModel+`","input":""}`)
	openaitest.Subset(t, got, `{"contents":[{"role":"user","parts":[{"text":""}]}]}`)
	openaitest.Reports(t, report, "approximated /input")
	contents(t, budgetModel,
		hello+`,{"role":"assistant","content":[]},{"role":"user","content":[]}`, `[`+helloOut+`]`,
		"approximated /input/1", "approximated /input/2")
}

func TestItemsWithoutATypeAreMessages(t *testing.T) {
	t.Parallel()
	contents(t, budgetModel,
		hello+`,{"role":"assistant","content":"Hi."},{"role":"user","content":[{"text":"And?"}]}`,
		`[`+helloOut+`,{"role":"model","parts":[{"text":"Hi."}]},{"role":"user","parts":[{"text":"And?"}]}]`,
		"approximated /input/2/content/0")
}

func TestAMessageOfTheUserHasContentThatGeminiTakes(t *testing.T) {
	t.Parallel()
	const bogus = `{"role":"user","content":[{"type":"bogus","text":"Hi."}]}`
	for input, pointer := range map[string]string{
		`{"role":"user"}`:                               "/input/0/content",
		`{"role":"user","content":null},` + hello:       "/input/0/content",
		`{"type":"message","role":"user","content":[]}`: "/input/0/content",
		bogus: "/input/0/content",
		hello + `,{"role":"assistant","content":"Hi."},` + bogus: "/input/2/content",
		`{"role":"user","content":[{"type":"input_text"}]}`:      "/input/0/content",
		`{"role":"user","content":[null]}`:                       "/input/0/content",
	} {
		if refused := refusal(t,
			`{"model":"`+budgetModel+`","input":[`+input+`]}`); refused.Pointer != pointer ||
			refused.HTTPStatus != 400 {
			t.Errorf("%s: %v", input, refused)
		}
	}
	const emptyOut = `{"role":"user","parts":[{"text":""}]}`
	contents(t, budgetModel, `{"role":"user","content":""}`, `[`+emptyOut+`]`)
	contents(t, budgetModel, `{"role":"user","content":[{"type":"input_text","text":""}]}`,
		`[`+emptyOut+`]`)
	contents(t, budgetModel, bogus+`,`+hello, `[`+helloOut+`]`, "lost /input/0/content/0",
		"approximated /input/0")
	contents(t, budgetModel, `{"role":"user","content":[{"type":"","text":"Hello."}]}`,
		`[`+helloOut+`]`, "approximated /input/0/content/0")
}

func TestAReplayedPartNeedsOnlyItsTypeAndText(t *testing.T) {
	t.Parallel()
	contents(t, budgetModel,
		hello+`,{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi."}]},`+
			hello,
		`[`+helloOut+`,{"role":"model","parts":[{"text":"Hi."}]},`+helloOut+`]`)
	contents(t, budgetModel,
		hello+`,{"type":"message","id":"msg_1","status":"completed","phase":"final_answer","role":"assistant","content":[
		{"type":"output_text","text":"Hi.","annotations":[{"type":"url_citation","url":"https://example.com","title":"","start_index":0,"end_index":2}],"logprobs":[]},
		{"type":"refusal","refusal":"No."}]},`+hello,
		`[`+helloOut+`,{"role":"model","parts":[{"text":"Hi."},{"text":"No."}]},`+helloOut+`]`,
		"approximated /input/1/id", "approximated /input/1/status", "approximated /input/1/phase",
		"approximated /input/1/content/0/annotations", "approximated /input/1/content/1")
}

func TestACallNeedsNeitherIDNorStatus(t *testing.T) {
	t.Parallel()
	contents(t, budgetModel, hello+`,`+callA+`,`+resultA,
		`[`+helloOut+`,{"role":"model","parts":[`+callAOut+`]},{"role":"user","parts":[`+resAOut+
			`]}]`)
}

func TestReasoningNeedsNeitherIDNorContent(t *testing.T) {
	t.Parallel()
	for _, reasoning := range []string{
		`{"type":"reasoning","summary":[],"content":null}`,
		`{"type":"reasoning","summary":[],"encrypted_content":null}`,
		`{"type":"reasoning"}`,
	} {
		contents(t, budgetModel, hello+`,`+reasoning+`,{"role":"assistant","content":"Hi."},`+hello,
			`[`+helloOut+`,{"role":"model","parts":[{"text":"Hi."}]},`+helloOut+`]`)
	}
	contents(t, budgetModel,
		hello+`,{"type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}],"content":null},{"role":"assistant","content":"Hi."},`+
			hello,
		`[`+helloOut+`,{"role":"model","parts":[{"text":"Hm.","thought":true},{"text":"Hi."}]},`+
			helloOut+`]`)
	contents(t, budgetModel,
		hello+`,{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"Raw."}]},{"role":"assistant","content":"Hi."},`+
			hello,
		`[`+helloOut+`,{"role":"model","parts":[{"text":"Raw.","thought":true},{"text":"Hi."}]},`+
			helloOut+`]`)
	contents(t, budgetModel,
		hello+`,{"type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}],"content":[{"type":"reasoning_text","text":"Raw."}]},`+
			hello,
		`[`+helloOut+`,{"role":"model","parts":[{"text":"Hm.","thought":true}]},`+helloOut+`]`,
		"lost /input/1/content")
}

func TestArgumentsAreAnObject(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{`""`: `{}`, `"null"`: `{}`,
		`" {\"a\": 12345678901234567890} "`: `{"a":12345678901234567890}`, `{"a":1}`: `{"a":1}`} {
		call := strings.Replace(callA, `"{\"city\":\"Lisbon\"}"`, arguments, 1)
		got, report := convert(t, input(budgetModel, hello+`,`+call+`,`+resultA))
		if !strings.Contains(got, `"args":`+want) {
			t.Errorf("%s: %s", arguments, got)
		}
		openaitest.Reports(t, report)
	}
	_, report := convert(t,
		input(budgetModel,
			hello+`,`+strings.Replace(callA, `{\"city\":\"Lisbon\"}`, `[1]`, 1)+`,`+resultA))
	openaitest.Reports(t, report, "approximated /input/1/arguments")
	refused := refusal(t,
		input(budgetModel, hello+`,`+strings.Replace(callA, `\"Lisbon\"}`, `\"Lis`, 1)+`,`+resultA))
	if refused.Pointer != "/input/1/arguments" || refused.Param() != "input[1].arguments" ||
		refused.HTTPStatus != 400 || !strings.Contains(refused.Error(), "item 1 ") {
		t.Errorf("%+v: %v", refused, refused)
	}
}

func TestEveryFormOfAResultReachesGemini(t *testing.T) {
	t.Parallel()
	image := `{"type":"input_image","image_url":"data:image/png;base64,` + pixel + `"}`
	for _, tc := range []struct {
		name, output, want string
		report             []string
	}{
		{"a text", `"sunny"`, `{"response":{"output":"sunny"}}`, nil},
		{"an object", `"{\"sky\":\"clear\"}"`, `{"response":{"sky":"clear"}}`, nil},
		{"a list as a text", `"[1,2]"`, `{"response":{"output":[1,2]}}`, nil},
		{"nothing", `""`, `{"response":{"output":""}}`, nil},
		{"a list of texts", `[{"type":"input_text","text":"sun"},{"type":"output_text","text":"ny"}]`, `{"response":{"output":"sunny"}}`, nil},
		{"a list with an image", `[{"type":"input_text","text":"sunny"},` + image + `]`,
			`{"response":{"output":"sunny"},"parts":[{"inlineData":{"mimeType":"image/png","data":"` +
				pixel + `"}}]}`, nil},
		{"an image alone", `[` + image + `]`, `{"response":{},"parts":[{"inlineData":{"mimeType":"image/png"}}]}`, nil},
		{"an image with a detail", `[` + strings.Replace(image, `}`, `,"detail":"low"}`, 1) + `]`, `{"response":{}}`, []string{"lost /input/2/output/0/detail"}},
	} {
		result := `{"type":"function_call_output","call_id":"call_a","output":` + tc.output + `}`
		signed := `{"type":"reasoning","summary":[],"encrypted_content":"` + bareSignature + `"},`
		got, report := convert(t, input(pro3, hello+`,`+signed+callA+`,`+result))
		openaitest.Subset(t, got,
			`{"contents":[{},{},{"role":"user","parts":[{"functionResponse":`+tc.want+`}]}]}`)
		for i := range tc.report {
			tc.report[i] = strings.Replace(tc.report[i], "/input/2/", "/input/3/", 1)
		}
		openaitest.Reports(t, report, tc.report...)
	}
	_, report := convert(t,
		input(budgetModel,
			hello+`,`+callA+`,{"type":"function_call_output","call_id":"call_a","output":[`+image+
				`]}`))
	openaitest.Reports(t, report, "approximated /input/2/output/0")
}

func TestResultsStandInTheOrderOfTheCalls(t *testing.T) {
	t.Parallel()
	contents(t, budgetModel, hello+`,`+callA+`,`+callB+`,`+resultB+`,`+resultA,
		`[`+helloOut+`,{"role":"model","parts":[`+callAOut+`,`+callBOut+
			`]},{"role":"user","parts":[`+resAOut+`,`+resBOut+`]}]`)
	contents(t, budgetModel, hello+`,`+callA+`,`+callB+`,`+resultA+`,`+hello+`,`+resultB,
		`[`+helloOut+`,{"role":"model","parts":[`+callAOut+`,`+callBOut+
			`]},{"role":"user","parts":[`+resAOut+`,`+resBOut+`]},`+helloOut+`]`,
		"approximated /input/5")
}

func TestResultsWithoutACallAreInAUserTurn(t *testing.T) {
	t.Parallel()
	contents(t, budgetModel, resultB+`,`+hello,
		`[{"role":"user","parts":[{"text":"Result of the function call \"call_b\":"},{"text":"noon"},{"text":"Hello."}]}]`,
		"approximated /input/0")
	contents(t, budgetModel,
		`{"type":"function_call_output","call_id":"call_b","name":"look","output":[{"type":"input_image","image_url":"data:image/png;base64,`+
			pixel+`"}]},`+hello,
		`[{"role":"user","parts":[{"text":"Result of the function \"look\":"},{"inlineData":{"mimeType":"image/png"}},{"text":"Hello."}]}]`,
		"approximated /input/0")
}

func TestResultsThatAreMissingOrDoubledAreRefused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ items, pointer, text string }{
		"missing":  {hello + `,` + callA + `,` + callB + `,` + resultB + `,` + hello, "/input/1", `a result for "call_a" is missing`},
		"doubled":  {hello + `,` + callA + `,` + callB + `,` + resultA + `,` + resultA, "/input/4", `"call_a" already has a result`},
		"of other": {hello + `,` + callA + `,` + resultB, "/input/2", `"call_b" does not match a call in the model's last turn with calls`},
	} {
		if refused := refusal(t, input(budgetModel, tc.items)); refused.Pointer != tc.pointer ||
			!strings.Contains(refused.Problem, tc.text) {
			t.Errorf("%s: %v", name, refused)
		}
	}
}

func TestItemsOfTheModelAreOneTurn(t *testing.T) {
	t.Parallel()
	contents(t, budgetModel,
		hello+`,{"type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}]},{"role":"assistant","content":"Let me see."},`+
			callA+`,{"role":"assistant","content":"And the time."},`+callB+`,`+resultA+`,`+resultB,
		`[`+helloOut+`,{"role":"model","parts":[{"text":"Hm.","thought":true},{"text":"Let me see."},`+
			callAOut+`,{"text":"And the time."},`+callBOut+`]},
		{"role":"user","parts":[`+resAOut+`,`+resBOut+`]}]`)
}

func TestInstructionsComeFirstAndInOrder(t *testing.T) {
	t.Parallel()
	got, report := convert(t, `{"model":"`+budgetModel+`","instructions":"One.","input":[
		{"role":"developer","content":"Two."},{"role":"system","content":[{"type":"input_text","text":"Three."}]},`+hello+`,{"role":"developer","content":"Four."}]}`)
	openaitest.Subset(t, got,
		`{"systemInstruction":{"parts":[{"text":"One."},{"text":"Two."},{"text":"Three."},{"text":"Four."}]},"contents":[`+
			helloOut+`]}`)
	openaitest.Reports(t, report, "approximated /input/3")
}

func TestTheModelAnswersInstructionsAfterItsTurn(t *testing.T) {
	t.Parallel()
	got, _ := convert(t,
		input(newModel, hello+
			`,{"role":"assistant","content":"Hi."},{"role":"developer","content":"Say more."}`))
	openaitest.Subset(t, got,
		`{"contents":[`+helloOut+
			`,{"role":"model"},{"role":"user","parts":[{"text":"Say more."}]}]}`)
}

func TestInstructionsAloneAreInAUserTurn(t *testing.T) {
	t.Parallel()
	got, report := convert(t, `{"model":"`+budgetModel+`","instructions":"Greet."}`)
	openaitest.Subset(t, got, `{"contents":[{"role":"user","parts":[{"text":"Greet."}]}]}`)
	openaitest.Reports(t, report, "approximated /instructions")
	if refused := refusal(t, `{"model":"`+budgetModel+`"}`); refused.Pointer != "/input" {
		t.Errorf("%v", refused)
	}
}

func TestTrailingItemsOfTheModel(t *testing.T) {
	t.Parallel()
	items := hello + `,{"type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}]},{"role":"assistant","content":"Hi."}`
	if refused := refusal(t, input(newModel, items)); refused.Pointer != "/input/2" {
		t.Errorf("%v", refused)
	}
	if refused := refusal(t, input(budgetModel, items),
		request.WithTrailingModelTurn(request.TrailingTurnRefused)); refused.Pointer != "/input/2" {
		t.Errorf("%v", refused)
	}
	got, report := convert(t, input(newModel, items),
		request.WithTrailingModelTurn(request.TrailingTurnTrimmed))
	openaitest.Subset(t, got, `{"contents":[`+helloOut+`]}`)
	openaitest.Reports(t, report, "lost /input/1", "lost /input/2")
}

// Codex keeps the part of a stream that failed, and sends it again as the end of its history.
func TestACutOffMessageAtTheEndIsLeftOutIfTheModelDoesNotContinueIt(t *testing.T) {
	t.Parallel()
	items := hello + `,{"type":"message","role":"assistant","status":"incomplete","content":[{"type":"output_text","text":"Half"}]}`
	got, report := convert(t, input(newModel, items))
	openaitest.Subset(t, got, `{"contents":[`+helloOut+`]}`)
	openaitest.Reports(t, report, "approximated /input/1/status", "lost /input/1")
	got, report = convert(t, input(budgetModel, items))
	openaitest.Subset(t, got,
		`{"contents":[`+helloOut+`,{"role":"model","parts":[{"text":"Half"}]}]}`)
	openaitest.Reports(t, report, "approximated /input/1/status")
	refusal(t, input(newModel, items),
		request.WithTrailingModelTurn(request.TrailingTurnRefused))
}

func TestACallAtTheBeginningFollowsAnEmptyTurn(t *testing.T) {
	t.Parallel()
	contents(t, budgetModel, callA+`,`+resultA,
		`[{"role":"user","parts":[{"text":""}]},{"role":"model","parts":[`+callAOut+
			`]},{"role":"user","parts":[`+resAOut+`]}]`,
		"added /input/0")
}

func TestCallsOfServersNeverBecomeCallsOfFunctions(t *testing.T) {
	t.Parallel()
	for _, item := range []string{
		`{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"weather"}}`,
		`{"type":"file_search_call","id":"fs_1","status":"completed","queries":["weather"],"results":null}`,
		`{"type":"mcp_list_tools","id":"mcpl_1","server_label":"s","tools":[{"name":"f","input_schema":{}}]}`,
		`{"type":"tool_search_call","id":"ts_1","call_id":null,"execution":"server","arguments":{"query":"mail"}}`,
	} {
		got, report := convert(t,
			input(budgetModel, hello+`,`+item+`,{"role":"assistant","content":"Sunny."},`+hello))
		openaitest.Subset(t, got,
			`{"contents":[`+helloOut+`,{"role":"model","parts":[{"text":"Sunny."}]},`+helloOut+`]}`)
		if strings.Contains(got, "functionCall") || len(report) != 1 ||
			report[0].Pointer != "/input/1" {
			t.Errorf("%s is %s with %v", item, got, report)
		}
	}
}

func TestCodeThatTheModelHasRunComesBack(t *testing.T) {
	t.Parallel()
	contents(t, budgetModel,
		hello+`,{"type":"code_interpreter_call","code":"print(1)","status":"completed","container_id":"cntr_1","outputs":[{"type":"logs","logs":"1\n"}]},
		{"type":"code_interpreter_call","code":"x","status":"failed","outputs":[{"type":"logs","logs":"NameError"},{"type":"image","url":"https://example.com/a.png"}]},{"role":"assistant","content":"One."},`+hello,
		`[`+helloOut+`,{"role":"model","parts":[
			{"executableCode":{"language":"PYTHON","code":"print(1)"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1\n"}},
			{"executableCode":{"language":"PYTHON","code":"x"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"NameError"}},
			{"text":"One."}]},`+helloOut+`]`,
		"approximated /input/1/container_id", "lost /input/2/outputs/1/url",
		"lost /input/2/outputs/1/type")
	contents(t, budgetModel,
		hello+`,{"type":"code_interpreter_call","code":"x","status":"incomplete","outputs":null},{"role":"assistant","content":"One."},`+
			hello,
		`[`+helloOut+`,{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"x"}},{"codeExecutionResult":{"outcome":"OUTCOME_DEADLINE_EXCEEDED"}},{"text":"One."}]},`+
			helloOut+`]`)
}

func TestImagesThatTheModelHasMadeComeBack(t *testing.T) {
	t.Parallel()
	contents(t, imageModel,
		hello+`,{"type":"image_generation_call","id":"ig_1","result":"`+pixel+
			`","output_format":"png"},`+hello,
		`[`+helloOut+`,{"role":"model","parts":[{"inlineData":{"mimeType":"image/png","data":"`+
			pixel+`"}}]},`+helloOut+`]`, "approximated /input/1/id")
	contents(t, imageModel,
		hello+`,{"type":"image_generation_call","id":"ig_1","action":"generate","result":"AAAA","output_format":"webp"},`+
			hello,
		`[`+helloOut+`,{"role":"model","parts":[{"inlineData":{"mimeType":"image/webp","data":"AAAA"}}]},`+
			helloOut+`]`, "approximated /input/1/id", "lost /input/1/action")
	contents(t, imageModel, hello+`,{"type":"image_generation_call","result":null},`+hello,
		`[{"role":"user","parts":[{"text":"Hello."},{"text":"Hello."}]}]`, "approximated /input/1")
}

func TestCallsOfToolsThatGeminiDoesNotHaveAreThoseOfFunctions(t *testing.T) {
	t.Parallel()
	contents(t, pro3, hello+`,
		{"type":"local_shell_call","id":"lsh_1","call_id":"call_s","status":"completed","action":{"type":"exec","command":["ls"],"env":{}}},
		{"type":"shell_call","call_id":"call_t","action":{"commands":["pwd"]}},
		{"type":"apply_patch_call","call_id":"call_p","operation":{"type":"delete_file","path":"a"}},
		{"type":"computer_call","call_id":"call_c","action":{"type":"click","x":1,"y":2}},
		{"type":"local_shell_call_output","call_id":"call_s","output":"a\n"},
		{"type":"shell_call_output","call_id":"call_t","output":[{"stdout":"/","stderr":"","outcome":{"type":"exit","exit_code":0}}]},
		{"type":"apply_patch_call_output","call_id":"call_p","status":"completed","output":"done"},
		{"type":"computer_call_output","call_id":"call_c","output":{"type":"computer_screenshot","image_url":"data:image/png;base64,`+pixel+`"}}`,
		`[`+helloOut+`,{"role":"model","parts":[
			{"functionCall":{"id":"call_s","name":"local_shell","args":{"action":{"type":"exec","command":["ls"]}}}},
			{"functionCall":{"id":"call_t","name":"shell","args":{"action":{"commands":["pwd"]}}}},
			{"functionCall":{"id":"call_p","name":"apply_patch","args":{"operation":{"type":"delete_file","path":"a"}}}},
			{"functionCall":{"id":"call_c","name":"computer","args":{"action":{"type":"click","x":1,"y":2}}}}]},
		{"role":"user","parts":[
			{"functionResponse":{"id":"call_s","name":"local_shell","response":{"output":"a\n"}}},
			{"functionResponse":{"id":"call_t","name":"shell","response":{"output":[{"stdout":"/","stderr":"","outcome":{"type":"exit","exit_code":0}}]}}},
			{"functionResponse":{"id":"call_p","name":"apply_patch","response":{"output":"done"}}},
			{"functionResponse":{"id":"call_c","name":"computer","response":{},"parts":[{"inlineData":{"mimeType":"image/png"}}]}}]}]`,
		"approximated /input/1", "approximated /input/2", "approximated /input/3",
		"approximated /input/4", "approximated /input/5", "approximated /input/6",
		"approximated /input/7", "approximated /input/8", "added /input/1")
}

func TestItemsThatWouldMeanSomethingElseAreRefused(t *testing.T) {
	t.Parallel()
	for _, item := range []string{
		`{"type":"mcp_approval_request","id":"a","server_label":"s","name":"f","arguments":"{}"}`,
		`{"type":"mcp_approval_response","approval_request_id":"a","approve":true}`,
		`{"type":"compaction","encrypted_content":"gAAAAAB"}`, `{"type":"compaction_trigger"}`,
		`{"type":"program","id":"p","call_id":"c","code":"x","fingerprint":"f"}`,
		`{"type":"program_output","id":"p","call_id":"c","result":"x","status":"completed"}`,
		`{"role":"critic","content":"x"}`, `{"call_id":"call_a","output":"x"}`,
	} {
		refused := refusal(t, input(budgetModel, hello+`,`+item))
		if !strings.HasPrefix(refused.Pointer, "/input/1") || refused.HTTPStatus != 400 {
			t.Errorf("%s: %v", item, refused)
		}
	}
	_, report := convert(t, input(budgetModel, hello+`,{"type":"acme:note","text":"x"}`))
	openaitest.Reports(t, report, "lost /input/1")
}

// Only a gateway opens items of shortened conversations and makes them. Its turns contain none.
func TestItemsOfAShortenedConversationAreRefusedWithWhoCanReadThem(t *testing.T) {
	t.Parallel()
	for item, want := range map[string]string{
		`{"type":"compaction","encrypted_content":"gemwire-compaction-1.AAAA"}`: "only OpenAI or the gateway that made it can open it",
		`{"type":"compaction_trigger"}`:                                         "only a gateway shortens conversations",
	} {
		refused := refusal(t, input(budgetModel, hello+`,`+item))
		if !strings.Contains(refused.Error(), want) {
			t.Errorf("%s: %v", item, refused)
		}
	}
}

func TestFilesAreNamedByTheirURLOrTheirName(t *testing.T) {
	t.Parallel()
	const pdf = "JVBERi0xLjQKJcOkw7zDtsOfCg=="
	for _, tc := range []struct {
		part, want string
		report     []string
	}{
		{`{"type":"input_file","file_data":"data:application/pdf;base64,` + pdf + `","filename":"a.pdf"}`, `{"inlineData":{"mimeType":"application/pdf","data":"` + pdf + `"}}`, []string{"lost /input/0/content/0/filename"}},
		{`{"type":"input_file","file_data":"` + pdf + `"}`, `{"inlineData":{"mimeType":"application/pdf","data":"` + pdf + `"}}`, nil},
		{`{"type":"input_file","file_data":"bm90ZXM=","filename":"notes.md"}`, `{"inlineData":{"mimeType":"text/md","data":"bm90ZXM="}}`, []string{"approximated /input/0/content/0/filename"}},
		{`{"type":"input_file","file_url":"https://example.com/a.pdf"}`, `{"fileData":{"fileUri":"https://example.com/a.pdf","mimeType":"application/pdf"}}`, nil},
		{`{"type":"input_file","file_id":"files/abc"}`, `{"fileData":{"fileUri":"https://generativelanguage.googleapis.com/v1beta/files/abc"}}`, []string{"approximated /input/0/content/0/file_id"}},
		{`{"type":"input_image","image_url":"gs://bucket/a.png"}`, `{"fileData":{"fileUri":"gs://bucket/a.png","mimeType":"image/png"}}`, nil},
		{`{"type":"input_image","file_id":"gs://bucket/a.png","image_url":null}`, `{"fileData":{"fileUri":"gs://bucket/a.png"}}`, nil},
		{`{"type":"input_image","image_url":"data:image/jpeg;base64,` + pixel + `","detail":"high"}`, `{"inlineData":{"mimeType":"image/png"},"mediaResolution":{"level":"MEDIA_RESOLUTION_HIGH"}}`, []string{"approximated /input/0/content/0/image_url"}},
		{`{"type":"input_image","image_url":"data:image/png;base64,` + pixel + `","detail":"original"}`, `{"mediaResolution":{"level":"MEDIA_RESOLUTION_ULTRA_HIGH"}}`, nil},
		{`{"type":"input_audio","input_audio":{"data":"UklGRgAAAABXQVZF","format":"wav"}}`, `{"inlineData":{"mimeType":"audio/wav"}}`, nil},
		{`{"type":"input_video","video_url":"x"}`, ``, []string{"lost /input/0/content/0"}},
	} {
		want := `[{"parts":[` + tc.want + `,{"text":"What is it?"}]}]`
		if tc.want == "" {
			want = `[{"parts":[{"text":"What is it?"}]}]`
		}
		contents(t, pro3,
			`{"role":"user","content":[`+tc.part+`,{"type":"input_text","text":"What is it?"}]}`,
			want, tc.report...)
	}
	if refused := refusal(t,
		input(pro3, `{"role":"user","content":[{"type":"input_file","file_id":"file-abc"}]}`)); refused.Pointer != "/input/0/content/0/file_id" {
		t.Errorf("%v", refused)
	}
}

// In OpenAI's description local_shell_call_output has no call_id. Its id is the id of the call.
func TestAResultOfTheLocalShellNamesItsCallByItsID(t *testing.T) {
	t.Parallel()
	const call = `{"type":"local_shell_call","id":"lsh_%","call_id":"call_%","status":"completed","action":{"type":"exec","command":["ls","%"],"env":{}}}`
	const result = `{"type":"local_shell_call_output","id":"%","output":"done"}`
	calls := hello + `,` + strings.ReplaceAll(call, "%", "a") + `,` +
		strings.ReplaceAll(call, "%", "b")
	for _, ids := range [][2]string{{"call_b", "call_a"}, {"lsh_b", "lsh_a"}, {"other", ""}} {
		got, _ := convert(t,
			input(budgetModel,
				calls+`,`+strings.Replace(result, "%", ids[0], 1)+`,`+
					strings.Replace(result, "%", ids[1], 1)))
		openaitest.Subset(t, got,
			`{"contents":[{},{},{"parts":[{"functionResponse":{"id":"call_a","name":"local_shell"}},{"functionResponse":{"id":"call_b","name":"local_shell"}}]}]}`)
	}
	shared := strings.ReplaceAll(strings.ReplaceAll(result, "%", "lsh_b"), "done", "of b")
	got, _ := convert(t,
		input(budgetModel, calls+`,`+shared+`,`+strings.Replace(result, "%", "lsh_a", 1)))
	openaitest.Subset(t, got,
		`{"contents":[{},{},{"parts":[{"functionResponse":{"response":{"output":"done"}}},{"functionResponse":{"response":{"output":"of b"}}}]}]}`)
}

// The call says which function was called. A result that names another function still belongs to
// the call.
func TestAResultThatNamesAnotherFunctionIsReported(t *testing.T) {
	t.Parallel()
	const call = `{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}`
	for result, want := range map[string][]string{
		`"name":"f"`: nil, `"name":"g"`: {"approximated /input/2/name"},
		`"name":"f","namespace":"n"`: {"approximated /input/2/name",
			"approximated /input/2/namespace"},
	} {
		got, report := convert(t,
			input(budgetModel,
				hello+`,`+call+`,{"type":"function_call_output","call_id":"a","output":"1",`+result+
					`}`))
		openaitest.Subset(t, got,
			`{"contents":[{},{},{"parts":[{"functionResponse":{"name":"f"}}]}]}`)
		openaitest.Reports(t, report, want...)
	}
}

func TestAPatchThatCouldNotBeAppliedIsAnError(t *testing.T) {
	t.Parallel()
	const call = `{"type":"apply_patch_call","call_id":"call_p","operation":{"type":"delete_file","path":"a"}}`
	for result, want := range map[string]string{
		`"status":"completed","output":"done"`:          `{"output":"done"}`,
		`"output":"done"`:                               `{"output":"done"}`,
		`"status":"failed","output":"no such file \"a"`: `{"error":"no such file \"a"}`,
		`"status":"failed","output":"{\"a\":1}"`:        `{"error":"{\"a\":1}"}`,
		`"status":"failed"`:                             `{"error":"failed"}`,
		`"status":"failed","output":null`:               `{"error":"failed"}`,
	} {
		contents(t, budgetModel,
			hello+`,`+call+`,{"type":"apply_patch_call_output","call_id":"call_p",`+result+`}`,
			`[`+helloOut+`,{},{"parts":[{"functionResponse":{"name":"apply_patch","response":`+want+
				`}}]}]`,
			"approximated /input/1", "approximated /input/2")
	}
}

func TestMembersNextToTheTextOfAResultAreReported(t *testing.T) {
	t.Parallel()
	for kind, tc := range map[string]struct {
		result string
		report []string
		more   string // turns
	}{
		"computer": {`"acknowledged_safety_checks":[{"id":"s"}],"output":{"type":"computer_screenshot","image_url":"data:image/png;base64,` +
			pixel + `"}`,
			[]string{"lost /input/2/acknowledged_safety_checks", "approximated /input/2/output"},
			`,{"role":"user","parts":[{"inlineData":{"mimeType":"image/png"}}]}`},
		"shell":       {`"output":"a","max_output_length":9`, []string{"lost /input/2/max_output_length"}, ""},
		"local_shell": {`"id":"lsh","status":"failed","output":"a","later":1`, []string{"approximated /input/2/status", "lost /input/2/later"}, ""},
		"apply_patch": {`"status":"failed","output":"a","operation":{}`, []string{"lost /input/2/operation"}, ""},
	} {
		call := `{"type":"` + kind + `_call","call_id":"c"}`
		contents(t, budgetModel,
			hello+`,`+call+`,{"type":"`+kind+`_call_output","call_id":"c",`+tc.result+`}`,
			`[`+helloOut+`,{},{}`+tc.more+`]`,
			append([]string{"approximated /input/1", "approximated /input/2"}, tc.report...)...)
	}
}
