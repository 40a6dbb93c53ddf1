package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
)

// settings returns a request of a model with these members.
func settings(model, members string) string {
	return `{"model":"` + model + `","input":"Hello.",` + members + `}`
}

// setting is a request with some members and its expected result.
type setting struct {
	model, members, want string
	report               []string
}

func checkSettings(t *testing.T, table []setting, opts ...request.Option) {
	t.Helper()
	for _, tc := range table {
		t.Run(tc.model+" "+tc.members, func(t *testing.T) {
			got, report := convert(t, settings(tc.model, tc.members), opts...)
			openaitest.Subset(t, got, tc.want)
			openaitest.Reports(t, report, tc.report...)
		})
	}
}

const weatherSchema = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`

func TestBothFormsOfASchemaAreTheSame(t *testing.T) {
	t.Parallel()
	flat, flatReport := convert(t,
		settings(levelModel,
			`"text":{"format":{"type":"json_schema","name":"weather","description":"The weather","strict":true,"schema":`+
				weatherSchema+`}}`))
	nested, nestedReport := convert(t,
		settings(levelModel,
			`"text":{"format":{"type":"json_schema","json_schema":{"name":"weather","description":"The weather","strict":true,"schema":`+
				weatherSchema+`}}}`))
	if flat != nested {
		t.Errorf("%s and %s", flat, nested)
	}
	openaitest.Reports(t, flatReport, "approximated /text/format/name")
	openaitest.Reports(t, nestedReport, "approximated /text/format/json_schema/name")
	plain, _ := convert(t,
		settings(levelModel,
			`"text":{"format":{"type":"json_schema","name":"weather","schema":`+weatherSchema+`}}`))
	if !strings.Contains(plain, `"responseJsonSchema":`+weatherSchema) ||
		!strings.Contains(plain, `"responseMimeType":"application/json"`) {
		t.Error(plain)
	}
}

func TestFormsOfTheText(t *testing.T) {
	t.Parallel()
	checkSettings(t, []setting{
		{levelModel, `"text":{"format":{"type":"text"}}`, `{"generationConfig":{"responseMimeType":"text/plain"}}`, nil},
		{levelModel, `"text":{"format":{"type":"json_object"},"verbosity":"low"}`, `{"generationConfig":{"responseMimeType":"application/json"}}`, []string{"lost /text/verbosity"}},
		{levelModel, `"text":{"format":{"type":"json_object","name":"a","schema":{}}}`, `{"generationConfig":{"responseMimeType":"application/json"}}`, []string{"lost /text/format/name", "lost /text/format/schema"}},
		{levelModel, `"text":{"format":{"type":"json_schema","name":"a","schema":{"type":"object"},"strict":false,"json_schema":{"schema":{}}}}`,
			`{"generationConfig":{"responseJsonSchema":{"type":"object"}}}`,
			[]string{"lost /text/format/json_schema", "approximated /text/format/name",
				"approximated /text/format/strict"}},
	})
	if refused := refusal(t,
		settings(levelModel,
			`"text":{"format":{"type":"xml"}}`)); refused.Pointer != "/text/format/type" {
		t.Errorf("%v", refused)
	}
}

const (
	weatherTool  = `{"type":"function","name":"get_weather","parameters":` + weatherSchema + `}`
	weatherTools = `"tools":[` + weatherTool + `,{"type":"custom","name":"patch"}]`
)

func TestEveryFormOfAToolChoice(t *testing.T) {
	t.Parallel()
	allowed := `"tools":[{"type":"function","name":"get_weather"}]`
	var table []setting
	for _, tc := range []struct {
		choice, want string
		report       []string
	}{
		{`"none"`, `{"mode":"NONE"}`, nil}, {`"auto"`, `{"mode":"AUTO"}`, nil}, {`"required"`, `{"mode":"ANY"}`, nil},
		{`{"type":"function","name":"get_weather"}`, `{"mode":"ANY","allowedFunctionNames":["get_weather"]}`, nil},
		{`{"type":"function","function":{"name":"get_weather"}}`, `{"mode":"ANY","allowedFunctionNames":["get_weather"]}`, nil},
		{`{"type":"custom","name":"patch"}`, `{"mode":"ANY","allowedFunctionNames":["patch"]}`, nil},
		{`{"type":"allowed_tools","mode":"required",` + allowed + `}`, `{"mode":"ANY","allowedFunctionNames":["get_weather"]}`, nil},
		{`{"type":"allowed_tools","mode":"auto",` + allowed + `}`, `{"mode":"VALIDATED","allowedFunctionNames":["get_weather"]}`, []string{"approximated /tool_choice/mode"}},
		{`{"type":"allowed_tools","mode":"required","tools":[{"type":"web_search"},{"type":"custom","name":"patch"}]}`, `{"mode":"ANY","allowedFunctionNames":["patch"]}`, []string{"lost /tool_choice/tools/0"}},
		{`{"type":"tool","name":"get_weather"}`, `{"mode":"ANY","allowedFunctionNames":["get_weather"]}`, nil},
		{`{"name":"get_weather"}`, `{"mode":"ANY","allowedFunctionNames":["get_weather"]}`, nil},
		{`{"type":"any"}`, `{"mode":"ANY"}`, nil},
	} {
		table = append(table,
			setting{levelModel, weatherTools + `,"tool_choice":` + tc.choice,
				`{"toolConfig":{"functionCallingConfig":` + tc.want + `}}`, tc.report})
	}
	for _, kind := range []string{"web_search_preview", "file_search", "code_interpreter",
		"image_generation", "computer", "mcp", "shell", "apply_patch", "programmatic_tool_calling"} {
		table = append(table,
			setting{levelModel, weatherTools + `,"tool_choice":{"type":"` + kind + `"}`, `{}`,
				[]string{"lost /tool_choice"}})
	}
	checkSettings(t, table)
	for choice, pointer := range map[string]string{
		`{"type":"function","name":"other"}`: "/tool_choice/name",
		`{"type":"function"}`:                "/tool_choice/name",
		`"bogus"`:                            "/tool_choice",
		`{}`:                                 "/tool_choice/name",
		`{"type":"allowed_tools","mode":"never",` + allowed + `}`: "/tool_choice/mode",
		`{"type":"allowed_tools","mode":"required","tools":[]}`:   "/tool_choice/tools",
		`{"type":"function","name":"mail.send"}`:                  "/tool_choice/name",
	} {
		if refused := refusal(t,
			settings(levelModel,
				weatherTools+`,"tool_choice":`+choice)); refused.Pointer != pointer {
			t.Errorf("%s: %v", choice, refused)
		}
	}
}

func TestAChoiceNamesAToolOfANamespace(t *testing.T) {
	t.Parallel()
	const namespace = `"tools":[{"type":"namespace","name":"mail","tools":[{"type":"function","name":"send"},{"type":"custom","name":"draft"}]}]`
	var table []setting
	for choice, want := range map[string]string{
		`{"type":"function","name":"mail.send"}`: `"mail__send"`,
		`{"type":"custom","name":"mail.draft"}`:  `"mail__draft"`,
		`{"type":"allowed_tools","mode":"required","tools":[{"type":"custom","name":"mail.draft"},{"type":"function","name":"mail.send"}]}`: `"mail__draft","mail__send"`,
	} {
		table = append(table,
			setting{levelModel, namespace + `,"tool_choice":` + choice,
				`{"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":[` +
					want + `]}}}`, nil})
	}
	checkSettings(t, table)
	for _, name := range []string{"mail.", ".send", "mail.draft", "other.send"} {
		if refused := refusal(t,
			settings(levelModel,
				namespace+`,"tool_choice":{"type":"function","name":"`+name+
					`"}`)); refused.Pointer != "/tool_choice/name" {
			t.Errorf("%s: %v", name, refused)
		}
	}
}

func TestWhereOnlyToolsOfTheServerAreAllowedNoFunctionIsCalled(t *testing.T) {
	t.Parallel()
	const none = `{"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}}`
	choice := func(mode string) string {
		return `,"tool_choice":{"type":"allowed_tools","mode":"` + mode +
			`","tools":[{"type":"web_search"},{"type":"mcp","server_label":"a"}]}`
	}
	reports := []string{"lost /tool_choice/tools/0", "lost /tool_choice/tools/1"}
	checkSettings(t, []setting{
		{levelModel, weatherTools + choice("auto"), none, reports},
		{levelModel, weatherTools + choice("required"), none, append(reports, "lost /tool_choice/mode")},
		{levelModel, `"tools":[]` + choice("auto"), `{}`, append(reports, "approximated /tool_choice")},
	})
	if refused := refusal(t,
		settings(levelModel,
			weatherTools+choice("never"))); refused.Pointer != "/tool_choice/mode" {
		t.Errorf("%v", refused)
	}
}

// OpenAI accepts a required call of any tool. Gemini forces only function calls.
func TestARequiredCallOfOtherToolsIsLost(t *testing.T) {
	t.Parallel()
	const required = `],"tool_choice":"required"`
	for _, kind := range []string{
		"image_generation", "file_search", "computer", "computer_use_preview", "local_shell",
		"shell", "apply_patch",
		"programmatic_tool_calling", "acme_tool",
	} {
		checkSettings(t, []setting{
			{levelModel, `"tools":[{"type":"` + kind + `"}` + required, `{}`, []string{"lost /tools/0", "lost /tool_choice"}},
		})
	}
	checkSettings(t, []setting{
		{levelModel, `"tools":[{"type":"tool_search"}` + required, `{}`, []string{"approximated /tools/0", "lost /tool_choice"}},
		{levelModel, `"tools":[{"type":"web_search"}` + required, `{"tools":[{"googleSearch":{}}]}`, []string{"lost /tool_choice"}},
		{levelModel, `"tools":[{"type":"web_search"},` + weatherTool + required,
			`{"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}}`,
			[]string{"added /extra_body/google/tool_config/include_server_side_tool_invocations"}},
		{levelModel, `"tools":[{"type":"code_interpreter"}` + required, `{"tools":[{"codeExecution":{}}]}`, []string{"lost /tool_choice"}},
		{imageModel, `"tools":[{"type":"image_generation"}` + required, `{"generationConfig":{"responseModalities":["TEXT","IMAGE"]}}`, []string{"lost /tool_choice"}},
	})
	got, report := convert(t, `{"model":"`+levelModel+`","tool_choice":"required","input":[
		{"type":"additional_tools","role":"developer","tools":[{"type":"image_generation"}]},`+hello+`]}`)
	openaitest.Reports(t, report, "lost /input/0/tools/0", "lost /tool_choice")
	if strings.Contains(got, "toolConfig") {
		t.Error(got)
	}
	for _, none := range []string{`"tool_choice":"required"`,
		`"tools":[],"tool_choice":"required"`} {
		if refused := refusal(t, settings(levelModel, none)); refused.Pointer != "/tool_choice" {
			t.Errorf("%s: %v", none, refused)
		}
	}
}

func TestAChoiceThatNamesNoDeclaredToolIsRefused(t *testing.T) {
	t.Parallel()
	for choice, pointer := range map[string]string{
		`{"type":"function","name":"later"}`:              "/tool_choice/name",
		`{"type":"function","function":{"name":"later"}}`: "/tool_choice/function/name",
		`{"type":"custom","name":"later"}`:                "/tool_choice/name",
		`{"type":"tool","name":"later"}`:                  "/tool_choice/name",
		`{"type":"allowed_tools","mode":"auto","tools":[{"type":"web_search"},{"type":"function","name":"later"}]}`:                      "/tool_choice/tools/1/name",
		`{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"get_weather"},{"type":"custom","name":"later"}]}`: "/tool_choice/tools/1/name",
		`{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"get_weather"},{"type":"tool_search"}]}`:           "/tool_choice/tools/1",
	} {
		for _, tools := range []string{weatherTools,
			`"tools":[` + weatherTool + `,{"type":"web_search"}]`} {
			if refused := refusal(t,
				settings(levelModel, tools+`,"tool_choice":`+choice)); refused.Pointer != pointer {
				t.Errorf("%s: %v", choice, refused)
			}
		}
	}
}

func TestANamespaceWithoutToolsIsReported(t *testing.T) {
	t.Parallel()
	checkSettings(t, []setting{{levelModel,
		`"tools":[{"type":"namespace","name":"mail","tools":[]}]`, `{}`, []string{"lost /tools/0"}}})
}

func TestASearchWithoutTheWebIsNoSearch(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"web_search", "web_search_2025_08_26", "web_search_preview",
		"web_search_preview_2025_03_11"} {
		checkSettings(t, []setting{
			{levelModel, `"tools":[{"type":"` + kind + `"}]`, `{"tools":[{"googleSearch":{}}]}`, nil},
			{levelModel,
				`"tools":[{"type":"` + kind +
					`","external_web_access":true,"search_context_size":"low","user_location":{"type":"approximate","city":"Lisbon"},"filters":{"allowed_domains":["example.com"]}}]`,
				`{"tools":[{"googleSearch":{}}]}`,
				[]string{"lost /tools/0/filters", "lost /tools/0/search_context_size",
					"lost /tools/0/user_location"}},
		})
		got, report := convert(t,
			settings(levelModel, `"tools":[{"type":"`+kind+`","external_web_access":false}]`))
		openaitest.Reports(t, report, "lost /tools/0")
		if strings.Contains(got, "googleSearch") {
			t.Error(got)
		}
	}
	checkSettings(t, []setting{
		{budgetModel, `"tools":[` + weatherTool + `,{"type":"web_search"},{"type":"web_search_preview"}]`, `{"tools":[{"functionDeclarations":[{}]}]}`, []string{"lost /tools/1", "lost /tools/2"}},
		{levelModel, `"tools":[` + weatherTool + `,{"type":"web_search"}]`,
			`{"tools":[{"functionDeclarations":[{}]},{"googleSearch":{}}],"toolConfig":{"includeServerSideToolInvocations":true}}`,
			[]string{"added /extra_body/google/tool_config/include_server_side_tool_invocations"}},
	})
}

func TestAMixedListIsServedWithTheKnownTools(t *testing.T) {
	t.Parallel()
	checkSettings(t, []setting{
		{levelModel, `"tools":[{"type":"local_shell"},` + weatherTool + `,{"type":"shell"},{"type":"apply_patch"},{"type":"computer"},{"type":"computer_use_preview"},
			{"type":"programmatic_tool_calling"},{"type":"acme_tool","name":"x"},{"type":"tool_search"},{"type":"image_generation"},{"type":"code_interpreter","container":{"type":"auto"}}]`,
			`{"tools":[{"functionDeclarations":[{"name":"get_weather","parametersJsonSchema":` +
				weatherSchema + `}]},{"codeExecution":{}}]}`,
			[]string{"lost /tools/0", "lost /tools/2", "lost /tools/3", "lost /tools/4",
				"lost /tools/5", "lost /tools/6", "lost /tools/7", "approximated /tools/8",
				"lost /tools/9",
				"approximated /tools/10/container",
				"added /extra_body/google/tool_config/include_server_side_tool_invocations"}},
	})
}

func TestAToolThatIsDeclaredInOtherWordsAgainIsLost(t *testing.T) {
	t.Parallel()
	for again, want := range map[string]string{
		weatherTool: "approximated /tools/1",
		strings.Replace(weatherTool, `"name":"get_weather"`,
			`"name":"get_weather","description":"Another."`, 1): "lost /tools/1",
	} {
		_, report := convert(t, settings(levelModel, `"tools":[`+weatherTool+`,`+again+`]`))
		openaitest.Reports(t, report, want)
	}
}

func TestToolsOfNamespacesAreFunctions(t *testing.T) {
	t.Parallel()
	namespace := `{"type":"namespace","name":"mail","description":"All about mail","tools":[{"type":"function","name":"send","parameters":` +
		weatherSchema + `},{"type":"custom","name":"draft"}]}`
	checkSettings(t, []setting{{levelModel,
		`"tools":[{"type":"function","name":"mail__send"},` + namespace + `]`,
		`{"tools":[{"functionDeclarations":[{"name":"mail__send"},{"name":"mail__send_2","description":"About all functions of mail: All about mail","parametersJsonSchema":` +
			weatherSchema + `},{"name":"mail__draft"}]}]}`,
		[]string{"approximated /tools/1/description"}}})
	got, report := convert(t,
		`{"model":"`+budgetModel+`","tools":[`+namespace+`],"input":[`+hello+`,
		{"type":"function_call","call_id":"call_a","namespace":"mail","name":"send","arguments":"{}"},
		{"type":"custom_tool_call","call_id":"call_b","namespace":"mail","name":"draft","input":"Dear"},
		{"type":"function_call_output","call_id":"call_a","namespace":"mail","name":"send","output":"sent"},
		{"type":"custom_tool_call_output","call_id":"call_b","output":"drafted"}]}`)
	openaitest.Subset(t, got,
		`{"contents":[{},{"parts":[{"functionCall":{"name":"mail__send"}},{"functionCall":{"name":"mail__draft","args":{"input":"Dear"}}}]},
		{"parts":[{"functionResponse":{"name":"mail__send"}},{"functionResponse":{"name":"mail__draft"}}]}]}`)
	openaitest.Reports(t, report, "approximated /tools/0/description")
}

func TestACustomToolIsAFunctionWithOneText(t *testing.T) {
	t.Parallel()
	const parameters = `{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}`
	checkSettings(t, []setting{
		{levelModel, `"tools":[{"type":"custom","name":"run","description":"Runs it"}]`,
			`{"tools":[{"functionDeclarations":[{"name":"run","description":"Runs it","parametersJsonSchema":` +
				parameters + `}]}]}`, nil},
		{levelModel, `"tools":[{"type":"custom","name":"apply_patch","format":{"type":"grammar","syntax":"lark","definition":"start: \"*** Begin\" /.+/"}}]`,
			`{"tools":[{"functionDeclarations":[{"name":"apply_patch","parametersJsonSchema":{"properties":{"input":{"description":"The input of the tool. It must follow this grammar (lark):\nstart: \"*** Begin\" /.+/"}}}}]}]}`,
			[]string{"approximated /tools/0/format"}},
		{oldModel, `"tools":[{"type":"custom","name":"run"}]`, `{"tools":[{"functionDeclarations":[{"name":"run","parameters":{"type":"OBJECT","properties":{"input":{"type":"STRING"}},"required":["input"]}}]}]}`, nil},
	})
	got, report := convert(t,
		`{"model":"`+budgetModel+`","tools":[{"type":"custom","name":"run"}],"input":[`+hello+`,
		{"type":"custom_tool_call","call_id":"call_a","name":"run","input":"a \"quoted\"\nline"},{"type":"custom_tool_call_output","call_id":"call_a","output":"done"}]}`)
	openaitest.Subset(t, got,
		`{"contents":[{},{"parts":[{"functionCall":{"id":"call_a","name":"run","args":{"input":"a \"quoted\"\nline"}}}]},{"parts":[{"functionResponse":{"id":"call_a","name":"run","response":{"output":"done"}}}]}]}`)
	openaitest.Reports(t, report)
}

func TestMCPServersAreCalledOnlyWithoutApproval(t *testing.T) {
	t.Parallel()
	const server = `"tools":[{"type":"mcp","server_label":"docs","server_url":"https://example.com/mcp"`
	for _, members := range []string{server + `}]`, server + `,"require_approval":"always"}]`,
		server + `,"require_approval":{"never":{"tool_names":["a"]}}}]`} {
		if refused := refusal(t,
			settings(levelModel, members)); refused.Pointer != "/tools/0/require_approval" ||
			refused.HTTPStatus != 400 {
			t.Errorf("%s: %v", members, refused)
		}
	}
	const never = server + `,"require_approval":"never"`
	checkSettings(t, []setting{
		{levelModel, never +
			`,"headers":{"authorization":"old","X-Team":"a"},"authorization":"secret","allowed_tools":["a"]}]`,
			`{"tools":[{"mcpServers":[{"name":"docs","streamableHttpTransport":{"url":"https://example.com/mcp","headers":{"Authorization":"Bearer secret","X-Team":"a"}}}]}]}`,
			[]string{"lost /tools/0/allowed_tools"}},
	})
	if refused := refusal(t, settings(levelModel, never+`}]`),
		request.ForVertexAI()); refused.Pointer != "/tools/0" {
		t.Errorf("%v", refused)
	}
	for _, place := range []string{`"connector_id":"connector_gmail"`, `"tunnel_id":"t"`} {
		if refused := refusal(t,
			settings(levelModel,
				`"tools":[{"type":"mcp","server_label":"m","require_approval":"never",`+place+
					`}]`)); refused.Pointer != "/tools/0" {
			t.Errorf("%v", refused)
		}
	}
}

func TestFilesAreSearchedInStoresOfGeminis(t *testing.T) {
	t.Parallel()
	const tool = `"tools":[{"type":"file_search","vector_store_ids":["fileSearchStores/a"],"max_num_results":5`
	checkSettings(t, []setting{
		{levelModel, tool + `}]`, `{"tools":[{"fileSearch":{"fileSearchStoreNames":["fileSearchStores/a"],"topK":5}}]}`, nil},
		{levelModel, tool +
			`,"filters":{"type":"and","filters":[{"type":"eq","key":"year","value":2026},{"type":"or","filters":[{"type":"ne","key":"lang","value":"de"},{"type":"gte","key":"n","value":1}]}]}}]`,
			`{"tools":[{"fileSearch":{"metadataFilter":"(year = 2026 AND (lang != \"de\" OR n >= 1))"}}]}`,
			nil},
		{levelModel, tool +
			`,"filters":{"type":"in","key":"a","value":["b"]},"ranking_options":{"ranker":"auto"}}]`,
			`{"tools":[{"fileSearch":{}}]}`,
			[]string{"lost /tools/0/filters", "lost /tools/0/ranking_options"}},
		{levelModel, `"tools":[{"type":"file_search","vector_store_ids":["vs_1"]}]`, `{}`, []string{"lost /tools/0"}},
		{levelModel, `"tools":[{"type":"file_search"}]`, `{}`, []string{"lost /tools/0"}},
	})
}

func TestImagesAreAskedOfModelsThatDraw(t *testing.T) {
	t.Parallel()
	checkSettings(t, []setting{
		{imageModel, `"tools":[{"type":"image_generation","size":"1536x1024","quality":"high"}]`,
			`{"generationConfig":{"responseModalities":["TEXT","IMAGE"],"imageConfig":{"aspectRatio":"3:2"}}}`,
			[]string{"approximated /tools/0/size", "lost /tools/0/quality"}},
		{levelModel, `"tools":[{"type":"image_generation"}]`, `{}`, []string{"lost /tools/0"}},
	})
}

func TestFunctionsAreDeclaredInEitherForm(t *testing.T) {
	t.Parallel()
	const nested = `{"type":"function","function":{"name":"get_weather","description":"d","parameters":` +
		weatherSchema + `}}`
	checkSettings(t, []setting{
		{levelModel, `"tools":[` + nested + `]`, `{"tools":[{"functionDeclarations":[{"name":"get_weather","description":"d","parametersJsonSchema":` + weatherSchema + `}]}]}`, nil},
		{levelModel, `"tools":[{"type":"function","name":"f","parameters":null,"strict":true,"output_schema":{"type":"string"},"defer_loading":true,"allowed_callers":["direct"]}]`,
			`{"tools":[{"functionDeclarations":[{"name":"f","responseJsonSchema":{"type":"string"}}]}]}`,
			[]string{"approximated /tools/0/allowed_callers", "approximated /tools/0/defer_loading",
				"approximated /tools/0/strict"}},
		{oldModel, `"tools":[{"type":"function","name":"f","output_schema":{"type":"string"}}]`, `{"tools":[{"functionDeclarations":[{"name":"f"}]}]}`, []string{"lost /tools/0/output_schema"}},
		{levelModel, `"tools":[` + weatherTool + `,` + weatherTool + `]`, `{"tools":[{"functionDeclarations":[{"name":"get_weather"}]}]}`, []string{"approximated /tools/1"}},
		{levelModel, `"tools":[{"type":"function","name":"3d"}]`, `{"tools":[{"functionDeclarations":[{"name":"_3d"}]}]}`, nil},
	})
	if refused := refusal(t,
		settings(levelModel, `"tools":[{"type":"function"}]`)); refused.Pointer != "/tools/0/name" {
		t.Errorf("%v", refused)
	}
	if refused := refusal(t,
		settings(levelModel,
			`"tools":[`+weatherTool+
				`,{"type":"namespace","name":"a b","tools":[{"name":"c"}]}]`)); refused.Pointer != "/tools/1/tools/0" {
		t.Errorf("%v", refused)
	}
}

func TestEffortsAndSummaries(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		model, reasoning, want string
		report                 []string
	}{
		{budgetModel, `{"effort":"none"}`, `{"thinkingBudget":0}`, nil},
		{budgetModel, `{"effort":"minimal"}`, `{"thinkingBudget":1024}`, nil},
		{budgetModel, `{"effort":"low"}`, `{"thinkingBudget":1024}`, nil},
		{budgetModel, `{"effort":"medium"}`, `{"thinkingBudget":8192}`, nil},
		{budgetModel, `{"effort":"high"}`, `{"thinkingBudget":24576}`, nil},
		{budgetModel, `{"effort":"xhigh"}`, `{"thinkingBudget":24576}`, []string{"approximated /reasoning/effort"}},
		{budgetModel, `{"effort":"max"}`, `{"thinkingBudget":24576}`, nil},
		{levelModel, `{"effort":"low"}`, `{"thinkingLevel":"LOW"}`, nil},
		{levelModel, `{"effort":"high"}`, `{"thinkingLevel":"HIGH"}`, nil},
		{levelModel, `{"effort":"xhigh"}`, `{"thinkingLevel":"HIGH"}`, []string{"approximated /reasoning/effort"}},
		{levelModel, `{"effort":"max"}`, `{"thinkingLevel":"HIGH"}`, []string{"approximated /reasoning/effort"}},
		{levelModel, `{"effort":"medium","summary":"auto"}`, `{"thinkingLevel":"MEDIUM","includeThoughts":true}`, nil},
		{levelModel, `{"effort":null,"summary":"concise"}`, `{"includeThoughts":true}`, []string{"approximated /reasoning/summary"}},
		{levelModel, `{"generate_summary":"auto"}`, `{"includeThoughts":true}`, nil},
		{levelModel, `{"summary":"auto","generate_summary":"detailed"}`, `{"includeThoughts":true}`, []string{"lost /reasoning/generate_summary"}},
	} {
		got, report := convert(t, settings(tc.model, `"reasoning":`+tc.reasoning))
		openaitest.Subset(t, got, `{"generationConfig":{"thinkingConfig":`+tc.want+`}}`)
		openaitest.Reports(t, report, tc.report...)
		if strings.Contains(got, "includeThoughts") != strings.Contains(tc.want,
			"includeThoughts") {
			t.Error(got)
		}
	}
	checkSettings(t, []setting{
		{oldModel, `"reasoning":{"effort":"low","summary":"auto"}`, `{}`, []string{"lost /reasoning/effort", "approximated /reasoning/summary"}},
		{levelModel, `"reasoning":{"context":"all_turns","mode":"pro"}`, `{}`, []string{"approximated /reasoning/context", "lost /reasoning/mode"}},
		{levelModel, `"reasoning":{"effort":null,"summary":null}`, `{}`, nil},
	})
}

func TestLogprobsAreAskedForByInclude(t *testing.T) {
	t.Parallel()
	checkSettings(t, []setting{
		{"gemini-2.0-flash", `"include":["message.output_text.logprobs"],"top_logprobs":3`, `{"generationConfig":{"responseLogprobs":true,"logprobs":3}}`, nil},
		{"gemini-2.0-flash", `"include":["message.output_text.logprobs"]`, `{"generationConfig":{"responseLogprobs":true}}`, nil},
		{budgetModel, `"top_logprobs":3`, `{}`, []string{"lost /top_logprobs"}},
		{budgetModel, `"top_logprobs":0,"include":null`, `{}`, nil},
		{budgetModel, `"include":["reasoning.encrypted_content","web_search_call.action.sources","file_search_call.results","code_interpreter_call.outputs",
			"web_search_call.results","message.input_image.image_url","computer_call_output.output.image_url"]`, `{}`,
			[]string{"approximated /include/0", "approximated /include/1",
				"approximated /include/2", "approximated /include/3", "lost /include/4",
				"lost /include/5", "lost /include/6"}},
	})
	got, _ := convert(t, settings(budgetModel, `"top_logprobs":3`))
	if strings.Contains(got, "ogprobs") {
		t.Error(got)
	}
}

func TestSamplingAndLength(t *testing.T) {
	t.Parallel()
	checkSettings(t, []setting{
		{levelModel, `"max_output_tokens":1,"temperature":0,"top_p":0.5`, `{"generationConfig":{"maxOutputTokens":1,"temperature":0,"topP":0.5}}`, nil},
		{levelModel, `"service_tier":"flex","parallel_tool_calls":true,"stream":false,"truncation":"disabled","store":false,"background":false`, `{"serviceTier":"flex"}`, nil},
		{levelModel, `"service_tier":"auto"`, `{}`, []string{"approximated /service_tier"}},
		{levelModel, `"service_tier":"scale"`, `{}`, []string{"lost /service_tier"}},
		{levelModel, `"stream":true,"stream_options":{"include_obfuscation":false},"truncation":"auto","parallel_tool_calls":false,"max_tool_calls":3,"user":"u","safety_identifier":"s",
			"prompt_cache_key":"k","prompt_cache_retention":"24h","prompt_cache_options":{"mode":"implicit"},"metadata":{"team":"a"},"client_metadata":{"a":"b"},
			"context_management":[{"type":"compaction"}],"moderation":{"model":"m"},"provider":{"order":["x"]}`, `{}`,
			[]string{"lost /provider", "approximated /metadata", "lost /moderation",
				"approximated /client_metadata", "lost /context_management", "lost /max_tool_calls",
				"lost /parallel_tool_calls",
				"approximated /prompt_cache_key", "approximated /prompt_cache_options",
				"approximated /prompt_cache_retention", "approximated /safety_identifier",
				"approximated /stream",
				"approximated /stream_options", "lost /truncation", "approximated /user"}},
	})
	got, report := convert(t, settings(levelModel, `"metadata":{"team":"a","Team":"b"}`),
		request.ForVertexAI(), request.WithMetadataAsLabels())
	openaitest.Subset(t, got, `{"labels":{"team":"a"}}`)
	openaitest.Reports(t, report, "approximated /model", "lost /metadata/Team")
	for _, side := range []string{"input", "output"} {
		if refused := refusal(t,
			settings(levelModel,
				`"moderation":{"policy":{"`+side+
					`":{"mode":"block"}}}`)); refused.Pointer != "/moderation/policy/"+side+
			"/mode" {
			t.Errorf("%v", refused)
		}
	}
}

// These are additions of OpenAI in 2026 without a counterpart.
func TestNewSettingsOfOpenAIsAreReported(t *testing.T) {
	t.Parallel()
	checkSettings(t, []setting{
		{levelModel, `"access_programs":{"cyber":"standard"},"image":{"context_compression":"auto"},"prompt_cache_options":{"mode":"implicit","ttl":"12h","prewarm":true}`,
			`{}`,
			[]string{"lost /prompt_cache_options/prewarm", "lost /access_programs", "lost /image",
				"approximated /prompt_cache_options"}},
		{levelModel, `"prompt_cache_options":{"prewarm":false}`, `{}`, []string{"approximated /prompt_cache_options"}},
		{levelModel, `"tools":[{"type":"function","name":"f","async":true}]`, `{}`, []string{"lost /tools/0/async"}},
	})
}

// Gemini has one Google Search, even if it is declared several times.
func TestTwoSearchesAreOne(t *testing.T) {
	t.Parallel()
	got, _ := convert(t,
		settings(levelModel, `"tools":[{"type":"web_search"},{"type":"web_search_preview"}]`))
	if strings.Count(got, "googleSearch") != 1 {
		t.Error(got)
	}
}

func TestExtraBodySaysWhatTheFormatHasNoMemberFor(t *testing.T) {
	t.Parallel()
	got, report := convert(t,
		settings(levelModel,
			`"extra_body":{"google":{"top_k":5,"seed":7,"stop_sequences":["x"],"safety_settings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}],
		"thinking_config":{"thinking_level":"low"},"media_resolution":"low","tools":[{"url_context":{}}],"unheard":1}},"temperature":0.5`))
	openaitest.Subset(t, got,
		`{"safetySettings":[{"threshold":"BLOCK_NONE"}],"tools":[{"urlContext":{}}],"generationConfig":{"topK":5,"seed":7,"stopSequences":["x"],
		"thinkingConfig":{"thinkingLevel":"LOW"},"mediaResolution":"MEDIA_RESOLUTION_LOW","temperature":0.5}}`)
	openaitest.Reports(t, report, "lost /extra_body/google/unheard")
	if refused := refusal(t,
		settings(levelModel,
			`"extra_body":{"google":{"thinking_config":{"thinking_level":"low"}}},"reasoning":{"effort":"low"}`)); refused.Pointer != "/reasoning/effort" {
		t.Errorf("%v", refused)
	}
}

func TestToolsOfItemsAreDeclared(t *testing.T) {
	t.Parallel()
	got, report := convert(t,
		`{"model":"`+budgetModel+
			`","tools":[{"type":"tool_search","execution":"client","description":"Finds tools","parameters":`+
			weatherSchema+`}],"input":[
		{"type":"additional_tools","role":"developer","tools":[`+weatherTool+`]},`+hello+`,
		{"type":"tool_search_call","call_id":"call_s","execution":"client","arguments":{"city":"mail"}},
		{"type":"tool_search_output","call_id":"call_s","execution":"client","tools":[{"type":"namespace","name":"mail","description":"m","tools":[{"type":"function","name":"send"}]}]}]}`)
	openaitest.Subset(t, got,
		`{"tools":[{"functionDeclarations":[{"name":"tool_search","description":"Finds tools","parametersJsonSchema":`+
			weatherSchema+`},{"name":"get_weather"},{"name":"mail__send","description":"About all functions of mail: m"}]}],
		"contents":[{},{"parts":[{"functionCall":{"id":"call_s","name":"tool_search","args":{"city":"mail"}}}]},
		{"parts":[{"functionResponse":{"id":"call_s","name":"tool_search","response":{"tools":["mail__send"]}}}]}]}`)
	openaitest.Reports(t, report, "approximated /input/3/tools/0/description")
}

func TestNullMeansAbsent(t *testing.T) {
	t.Parallel()
	absent, _ := convert(t, `{"model":"`+levelModel+`","input":"Hello."}`)
	for name := range openaitest.Described(t, "CreateResponseRequest").Properties {
		if name == "model" || name == "input" {
			continue
		}
		got, report := convert(t, settings(levelModel, `"`+name+`":null`))
		if got != absent || len(report) > 0 {
			t.Errorf("%s: null is %s with %v", name, got, report)
		}
	}
}

func TestRequestsThatNeedAStoreAreRefusedWithoutOne(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]request.Error{
		`"previous_response_id":"resp_1"`: {Pointer: "/previous_response_id",
			Code: "previous_response_not_found", HTTPStatus: 400},
		`"conversation":"conv_1"`: {Pointer: "/conversation", Code: "unsupported_parameter",
			HTTPStatus: 400},
		`"conversation":{"id":"conv_1"}`: {Pointer: "/conversation", Code: "unsupported_parameter",
			HTTPStatus: 400},
		`"background":true`: {Pointer: "/background", Code: "unsupported_parameter",
			HTTPStatus: 400},
		`"prompt":{"id":"pmpt_1"}`: {Pointer: "/prompt", Code: "unsupported_parameter",
			HTTPStatus: 400},
	} {
		refused := refusal(t, settings(levelModel, members))
		if refused.Pointer != want.Pointer || refused.Code != want.Code ||
			refused.HTTPStatus != want.HTTPStatus ||
			refused.Param() != strings.TrimPrefix(want.Pointer, "/") {
			t.Errorf("%s: %+v", members, refused)
		}
	}
	for _, item := range []string{`{"type":"item_reference","id":"msg_1"}`, `{"id":"msg_1"}`} {
		refused := refusal(t, input(levelModel, hello+`,`+item))
		if refused.HTTPStatus != 404 || refused.Param() != "input[1]" ||
			!strings.Contains(refused.Problem, "store:false") ||
			!strings.Contains(refused.Problem, "msg_1") {
			t.Errorf("%+v", refused)
		}
	}
	_, report := convert(t, settings(levelModel, `"store":true`))
	openaitest.Reports(t, report, "lost /store")
	_, report = convert(t,
		settings(levelModel,
			`"store":true,"previous_response_id":"resp_1","conversation":"c","background":true`),
		request.WithStore())
	openaitest.Reports(t, report, "approximated /previous_response_id",
		"approximated /conversation", "approximated /background", "approximated /store")
	if refused := refusal(t, settings(levelModel, `"prompt":{"id":"pmpt_1"}`),
		request.WithStore()); refused.Param() != "prompt" {
		t.Errorf("%+v", refused)
	}
}

func TestRefusalsOfGeminiPointAtTheRequest(t *testing.T) {
	t.Parallel()
	for members, pointer := range map[string]string{
		`"temperature":3`:        "/temperature",
		`"top_p":2`:              "/top_p",
		`"max_output_tokens":-1`: "/max_output_tokens",
	} {
		if refused := refusal(t, settings(levelModel, members)); refused.Pointer != pointer ||
			refused.Reason() == "" {
			t.Errorf("%s: %v", members, refused)
		}
	}
	if _, _, err := request.ToGemini(nil); err == nil {
		t.Error("no request is converted")
	}
	if out, _, err := request.ToGemini(decode(t, settings(levelModel, `"temperature":3`)),
		request.WithoutValidation()); err != nil || *out.GenerationConfig.Temperature != 3 {
		t.Errorf("%v", err)
	}
}
