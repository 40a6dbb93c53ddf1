package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

// schemaNames are the names in schemas that models and APIs have refused.
const stumblingSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","additionalProperties":false,` +
	`"properties":{"kind":{"const":"a"},"level":{"type":"integer","enum":[1,4]},"name":{"type":["string","null"]},` +
	`"size":{"type":"number","exclusiveMinimum":0},"ref":{"$ref":"#/$defs/r"}},"propertyNames":{"pattern":"^[a-z]+$"},"$defs":{"r":{"type":"string"}}}`

// J1 J2 J3 J4 J6: what Gemini's own Schema cannot express is sent anyway, byte for byte.
func TestParametersAreJSONSchemaByteForByte(t *testing.T) {
	t.Parallel()
	got, report := ask(t, budgetModel,
		`"tools":[{"type":"function","function":{"name":"f","parameters":`+stumblingSchema+`}}]`)
	if want := `"parametersJsonSchema":` + stumblingSchema + `}`; !strings.Contains(got, want) {
		t.Errorf("%s does not hold %s", got, want)
	}
	openaitest.Reports(t, report)
}

// J1 J2 J3 J4 J6: what Gemini's own form cannot express is reported with its pointer.
func TestParametersInGeminisOwnForm(t *testing.T) {
	t.Parallel()
	got, report := ask(t, oldModel,
		`"tools":[`+function+`,{"type":"function","function":{"name":"f","parameters":`+
			stumblingSchema+`}}]`)
	openaitest.Subset(t, got,
		`{"tools":[{"functionDeclarations":[{"name":"now"},{"name":"f","parameters":{"type":"OBJECT","properties":{`+
			`"kind":{"type":"STRING","enum":["a"]},"name":{"type":"STRING","nullable":true},"ref":{"type":"STRING"}}}}]}]}`)
	for _, lost := range []string{"$schema", "propertyNames", "additionalProperties",
		"properties/level/enum", "properties/size/exclusiveMinimum"} {
		if at := "/tools/1/function/parameters/" + lost; !report.Covers(at) {
			t.Errorf("nothing is said of %s in %v", at, report)
		}
	}
	for _, e := range report {
		if !strings.HasPrefix(e.Pointer, "/tools/1/function/parameters") {
			t.Errorf("%v is about something else", e)
		}
	}
}

// Gemini refuses an object without properties.
func TestEmptyParametersAreLeftOut(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		parameters string
		want       string // of the declaration besides the name
		reports    []string
	}{
		"nothing":                    {parameters: `{}`},
		"null":                       {parameters: `null`},
		"an object":                  {parameters: `{"type":"object"}`},
		"no properties":              {parameters: `{"type":"object","properties":{}}`},
		"no properties, spelled out": {parameters: `{ "type": "object", "properties": { }, "required": [ ], "additionalProperties": false }`},
		"with remarks": {
			parameters: `{"$schema":"http://json-schema.org/draft-07/schema#","title":"F","type":"object","properties":{}}`,
			reports:    []string{"approximated /tools/0/function/parameters"},
		},
		"any properties": {
			parameters: `{"type":"object","additionalProperties":true}`,
			want:       `,"parametersJsonSchema":{"type":"object","additionalProperties":true}`,
		},
		"a property of all others": {
			parameters: `{"type":"object","properties":{},"additionalProperties":{"properties":{"a":{}}}}`,
			want:       `,"parametersJsonSchema":{"type":"object","properties":{},"additionalProperties":{"properties":{"a":{}}}}`,
		},
		"a remark on properties": {
			parameters: `{"description":"has \"properties\" : {\"a\"","type":"object"}`,
			reports:    []string{"approximated /tools/0/function/parameters"},
		},
		"a property, with spaces": {
			parameters: `{ "properties" : { "a" : {} } , "type" : "object" }`,
			want:       `,"parametersJsonSchema":{"type":"object","properties":{"a":{}}}`,
		},
		"a property": {
			parameters: `{"type":"object","properties":{"a":{}}}`,
			want:       `,"parametersJsonSchema":{"type":"object","properties":{"a":{}}}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, report := ask(t, budgetModel,
				`"tools":[{"type":"function","function":{"name":"f","parameters":`+test.parameters+
					`}}]`)
			settings(t, got, budgetModel,
				`"tools":[{"functionDeclarations":[{"name":"f"`+test.want+`}]}]`)
			openaitest.Reports(t, report, test.reports...)
		})
	}
}

// A schema that contains itself has no form in Gemini's Schema. A model that accepts JSON Schema
// gets it unchanged.
func TestASchemaWithoutEndStaysJSONSchema(t *testing.T) {
	t.Parallel()
	const cycle = `{"type":"object","properties":{"child":{"$ref":"#"}}}`
	got, report := ask(t, budgetModel,
		`"tools":[{"type":"function","function":{"name":"f","parameters":`+cycle+`}}]`,
		request.WithSchemaForm())
	settings(t, got, budgetModel,
		`"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":`+cycle+`}]}]`)
	openaitest.Reports(t, report, "approximated /tools/0/function/parameters")
}

func TestTools(t *testing.T) {
	t.Parallel()
	const declared = `"tools":[{"functionDeclarations":[{"name":"now","description":"The time"}]}]`
	tests := map[string]struct {
		model   string // budgetModel without
		in      string
		want    string
		reports []string
	}{
		"functions of both kinds": {
			in:   `"tools":[` + function + `],"functions":[{"name":"then"}]`,
			want: `"tools":[{"functionDeclarations":[{"name":"now","description":"The time"},{"name":"then"}]}]`,
		},
		"no tools": {in: `"tools":[],"functions":[]`},
		"tools that are no functions": {
			in: `"tools":[{"type":"custom","custom":{"name":"c"}},` + function +
				`,{"type":"web_search"}]`,
			want:    declared,
			reports: []string{"lost /tools/0", "lost /tools/2"},
		},
		"unknown members": {
			in:   `"tools":[{"type":"function","cache":1,"function":{"name":"now","description":"The time","hint":2},"custom":{"name":"c"}}]`,
			want: declared,
			reports: []string{"lost /tools/0/custom", "lost /tools/0/cache",
				"lost /tools/0/function/hint"},
		},
		"a strict function": {
			in:      `"tools":[{"type":"function","function":{"name":"now","description":"The time","strict":true}}]`,
			want:    declared,
			reports: []string{"approximated /tools/0/function/strict"},
		},
		"a strict function that is called by name": {
			in: `"tools":[{"type":"function","function":{"name":"now","description":"The time","strict":true}}],"tool_choice":{"type":"function","function":{"name":"now"}}`,
			want: declared +
				`,"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["now"]}}`,
		},
		"a server's calls that are shown already": {
			model: levelModel,
			in: `"tools":[` + function +
				`],"web_search_options":{},"google":{"tool_config":{"include_server_side_tool_invocations":true}}`,
			want: `"tools":[{"functionDeclarations":[{"name":"now","description":"The time"}]},{"googleSearch":{}}],` +
				`"toolConfig":{"includeServerSideToolInvocations":true}`,
		},
		"a strict function whose calls must follow the schema": {
			in:   `"tools":[{"type":"function","function":{"name":"now","description":"The time","strict":true}}],"tool_choice":"validated"`,
			want: declared + `,"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}}`,
		},
		"a function that is not strict": {
			in:      `"tools":[{"type":"function","function":{"name":"now","description":"The time","strict":false}}]`,
			want:    declared,
			reports: []string{"approximated /tools/0/function/strict"},
		},
		"an older function that is not strict, but called": {
			in: `"functions":[{"name":"now","description":"The time","strict":false}],"function_call":{"name":"now"}`,
			want: declared +
				`,"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["now"]}}`,
			reports: []string{"approximated /functions/0/strict"},
		},

		"none":      {in: `"tools":[` + function + `],"tool_choice":"none"`, want: declared + `,"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}`},
		"auto":      {in: `"tools":[` + function + `],"tool_choice":"auto"`, want: declared + `,"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}`},
		"required":  {in: `"tools":[` + function + `],"tool_choice":"required"`, want: declared + `,"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}`},
		"validated": {in: `"tools":[` + function + `],"tool_choice":"validated"`, want: declared + `,"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}}`},
		"named": {
			in: `"tools":[` + function +
				`],"tool_choice":{"type":"function","function":{"name":"now","x":1},"y":2}`,
			want: declared +
				`,"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["now"]}}`,
			reports: []string{"lost /tool_choice/y", "lost /tool_choice/function/x"},
		},
		"named, with members of other types": {
			in: `"tools":[` + function +
				`],"tool_choice":{"type":"function","function":{"name":"now"},"custom":{"name":"c"},"allowed_tools":{"mode":"auto","tools":[]}}`,
			want: declared +
				`,"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["now"]}}`,
			reports: []string{"lost /tool_choice/allowed_tools", "lost /tool_choice/custom"},
		},
		"allowed and required": {
			in: `"tools":[` + function +
				`],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[{"type":"custom","custom":{"name":"c"}},` +
				`{"type":"function","function":{"name":"now"}}]}}`,
			want: declared +
				`,"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["now"]}}`,
			reports: []string{"lost /tool_choice/allowed_tools/tools/0"},
		},
		"allowed": {
			in: `"tools":[` + function +
				`],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"now"}}]}}`,
			want: declared +
				`,"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED","allowedFunctionNames":["now"]}}`,
			reports: []string{"approximated /tool_choice/allowed_tools/mode"},
		},
		"allowed, with what does not count": {
			in: `"tools":[` + function +
				`],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","x":1,"tools":[` +
				`{"type":"function","y":2,"function":{"name":"now","description":"d"},"custom":{"name":"c"}}]}}`,
			want: declared +
				`,"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["now"]}}`,
			reports: []string{
				"lost /tool_choice/allowed_tools/x", "lost /tool_choice/allowed_tools/tools/0/y",
				"lost /tool_choice/allowed_tools/tools/0/function",
				"lost /tool_choice/allowed_tools/tools/0/custom",
			},
		},
		"the older named, with what does not count": {
			in: `"functions":[{"name":"now","description":"The time"}],"function_call":{"name":"now","x":1}`,
			want: declared +
				`,"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["now"]}}`,
			reports: []string{"lost /function_call/x"},
		},
		"the older none":  {in: `"functions":[{"name":"now","description":"The time"}],"function_call":"none"`, want: declared + `,"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}`},
		"the older auto":  {in: `"functions":[{"name":"now","description":"The time"}],"function_call":"auto"`, want: declared + `,"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}`},
		"the older named": {in: `"functions":[{"name":"now","description":"The time"}],"function_call":{"name":"now"}`, want: declared + `,"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["now"]}}`},
		"both choices": {
			in:      `"tools":[` + function + `],"tool_choice":"auto","function_call":"none"`,
			want:    declared + `,"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}`,
			reports: []string{"lost /function_call"},
		},
		"a choice without functions":           {in: `"tool_choice":"auto"`, reports: []string{"approximated /tool_choice"}},
		"an older choice without functions":    {in: `"function_call":"none"`, reports: []string{"approximated /function_call"}},
		"a choice with a server's tools alone": {in: `"tool_choice":"none","web_search_options":{}`, want: `"tools":[{"googleSearch":{}}]`, reports: []string{"approximated /tool_choice"}},
		"arguments in pieces from the Gemini API": {
			in: `"tools":[` + function + `],"stream_function_call_arguments":true`, want: declared,
			reports: []string{"lost /stream_function_call_arguments"},
		},
		"functions next to a server's tools": {
			model: levelModel,
			in: `"tools":[` + function +
				`],"web_search_options":{},"extra_body":{"google":{"tools":[{"url_context":{}},{"code_execution":{}}]}}`,
			want: `"tools":[{"functionDeclarations":[{"name":"now","description":"The time"}]},{"googleSearch":{}},{"urlContext":{}},{"codeExecution":{}}],` +
				`"toolConfig":{"includeServerSideToolInvocations":true}`,
			reports: []string{"added /extra_body/google/tool_config/include_server_side_tool_invocations"},
		},
		"functions that extra_body declares as well": {
			in: `"tools":[` + function +
				`],"extra_body":{"google":{"tools":[{"url_context":{}},{"function_declarations":[{"name":"then"}]}]}}`,
			want: `"tools":[{"urlContext":{}},{"functionDeclarations":[{"name":"now","description":"The time"},{"name":"then"}]}]`,
		},
		"a search asked for twice": {
			in:   `"web_search_options":{},"extra_body":{"google":{"tools":[{"google_search":{"time_range_filter":{"start_time":"2026-01-01T00:00:00Z","end_time":"2026-02-01T00:00:00Z"}}}]}}`,
			want: `"tools":[{"googleSearch":{"timeRangeFilter":{"startTime":"2026-01-01T00:00:00Z","endTime":"2026-02-01T00:00:00Z"}}}]`,
		},
		"a tool config of Gemini's": {
			in: `"tools":[` + function +
				`],"tool_choice":"none","google":{"tool_config":{"function_calling_config":{"mode":"any"},"retrieval_config":{"language_code":"pt"}}}`,
			want: declared +
				`,"toolConfig":{"functionCallingConfig":{"mode":"ANY"},"retrievalConfig":{"languageCode":"pt"}}`,
			reports: []string{"lost /tool_choice"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := test.model
			if model == "" {
				model = budgetModel
			}
			got, report := ask(t, model, test.in)
			settings(t, got, model, test.want)
			openaitest.Reports(t, report, test.reports...)
		})
	}
}

// Clients and SDKs for other APIs write a tool choice in other forms than OpenAI's.
func TestToolChoicesWhoseMeaningIsClearAreTaken(t *testing.T) {
	t.Parallel()
	const named = `{"mode":"ANY","allowedFunctionNames":["now"]}`
	tests := map[string]struct {
		choice, calling string
		reports         []string
	}{
		"any":                          {choice: `"any"`, calling: `{"mode":"ANY"}`},
		"in capitals":                  {choice: `"AUTO"`, calling: `{"mode":"AUTO"}`},
		"auto as a type":               {choice: `{"type":"auto"}`, calling: `{"mode":"AUTO"}`},
		"none as a type":               {choice: `{"type":"none"}`, calling: `{"mode":"NONE"}`},
		"any as a type":                {choice: `{"type":"any"}`, calling: `{"mode":"ANY"}`},
		"required as a type":           {choice: `{"type":"required"}`, calling: `{"mode":"ANY"}`},
		"a mode with more":             {choice: `{"type":"any","disable_parallel_tool_use":true}`, calling: `{"mode":"ANY"}`, reports: []string{"lost /tool_choice/disable_parallel_tool_use"}},
		"a mode with a function":       {choice: `{"type":"auto","function":{"name":"now"}}`, calling: `{"mode":"AUTO"}`, reports: []string{"lost /tool_choice/function"}},
		"a mode with a name":           {choice: `{"type":"auto","name":"now"}`, calling: `{"mode":"AUTO"}`, reports: []string{"lost /tool_choice/name"}},
		"a function without a type":    {choice: `{"function":{"name":"now"}}`, calling: named},
		"a function of an empty type":  {choice: `{"type":"","function":{"name":"now"}}`, calling: named},
		"allowed tools without a type": {choice: `{"allowed_tools":{"mode":"required","tools":[` + function + `]}}`, calling: named, reports: []string{"lost /tool_choice/allowed_tools/tools/0/function"}},
		"a name next to the type":      {choice: `{"type":"function","name":"now"}`, calling: named},
		"allowed tools of Responses":   {choice: `{"type":"allowed_tools","mode":"required","more":1,"tools":[{"type":"function","name":"now","x":1},{"type":"mcp","name":"y"}]}`, calling: named, reports: []string{"lost /tool_choice/more", "lost /tool_choice/tools/0/x", "lost /tool_choice/tools/1"}},
		"allowed tools, but no type":   {choice: `{"mode":"required","tools":[{"name":"now"}]}`, calling: named},
		"allowed tools with names":     {choice: `{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[{"type":"function","name":"now"},{"function":{"name":"now"}}]}}`, calling: `{"mode":"ANY","allowedFunctionNames":["now","now"]}`},
		"a name alone":                 {choice: `{"name":"now","more":1}`, calling: named, reports: []string{"lost /tool_choice/more"}},
		"a tool of Messages":           {choice: `{"type":"tool","name":"now"}`, calling: named},
		"a function, and a name":       {choice: `{"type":"function","name":"then","function":{"name":"now"}}`, calling: named, reports: []string{"lost /tool_choice/name"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := `"tools":[` + function + `],"tool_choice":` + test.choice
			got, report := ask(t, budgetModel, in)
			settings(t, got, budgetModel,
				`"tools":[{"functionDeclarations":[{"name":"now","description":"The time"}]}],"toolConfig":{"functionCallingConfig":`+
					test.calling+`}`)
			openaitest.Reports(t, report, test.reports...)
			checkSettings(t, []byte(`{"messages":[{"role":"user","content":"Hello."}],`+in+`}`),
				request.WithoutValidation())
		})
	}
}

func TestToolChoicesThatCannotBeConverted(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ choice, pointer, words string }{
		"a custom tool":          {`{"type":"custom","custom":{"name":"c"}}`, "/tool_choice", "custom tool"},
		"nothing":                {`{}`, "/tool_choice/type", "must be function"},
		"a name of no function":  {`{"name":"later"}`, "/tool_choice/name", `no function "later"`},
		"an empty name":          {`{"name":""}`, "/tool_choice/type", "must be function"},
		"a number for a name":    {`{"type":"tool","name":5}`, "/tool_choice/type", "must be function"},
		"another type":           {`{"type":"mcp"}`, "/tool_choice/type", "must be function"},
		"no function":            {`{"type":"function"}`, "/tool_choice/function", "must be set"},
		"an unknown function":    {`{"type":"function","function":{"name":"later"}}`, "/tool_choice/function/name", `no function "later"`},
		"no list of tools":       {`{"type":"allowed_tools"}`, "/tool_choice/allowed_tools", "must be set"},
		"a list without a mode":  {`{"tools":[{"name":"now"}]}`, "/tool_choice/mode", "auto or required"},
		"another mode":           {`{"type":"allowed_tools","allowed_tools":{"mode":"none","tools":[` + function + `]}}`, "/tool_choice/allowed_tools/mode", "auto or required"},
		"an empty list of tools": {`{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[]}}`, "/tool_choice/allowed_tools/tools", "must name a tool"},
		"tools that is unknown": {
			`{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"now"}},{"type":"function","function":{"name":"later"}}]}}`,
			"/tool_choice/allowed_tools/tools/1/function/name", `no function "later"`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := tryAsk(t, budgetModel, `"tools":[`+function+`],"tool_choice":`+test.choice)
			refused(t, err, test.pointer, test.words)
		})
	}
	for choice, pointer := range map[string]string{
		`"tool_choice":"bogus"`:   "/tool_choice",
		`"tool_choice":""`:        "/tool_choice",
		`"function_call":"bogus"`: "/function_call",
	} {
		for _, tools := range []string{"", `"tools":[` + function + `],`} {
			_, _, err := tryAsk(t, budgetModel, tools+choice)
			refused(t, err, pointer, "must be none, auto, required or validated")
		}
	}
	for pointer, choice := range map[string]string{
		"/tool_choice":        `"tool_choice":"required"`,
		"/function_call/name": `"function_call":{"name":"now"}`,
	} {
		_, _, err := tryAsk(t, budgetModel, choice)
		refused(t, err, pointer, "declared")
	}
}

// OpenAI accepts a required call of any tool. Gemini forces only function calls.
func TestARequiredCallOfOtherToolsIsLost(t *testing.T) {
	t.Parallel()
	const custom = `{"type":"custom","custom":{"name":"patch"}}`
	onlyCustom := func(mode string) string {
		return `{"type":"allowed_tools","allowed_tools":{"mode":"` + mode + `","tools":[` + custom +
			`]}}`
	}
	tests := map[string]struct {
		in, want string
		reports  []string
	}{
		"images":                 {in: `"tools":[{"type":"image_generation"}],"tool_choice":"required"`, reports: []string{"lost /tools/0", "lost /tool_choice"}},
		"a search by its type":   {in: `"tools":[{"type":"web_search"}],"tool_choice":"any"`, reports: []string{"lost /tools/0", "lost /tool_choice"}},
		"a custom tool":          {in: `"tools":[` + custom + `],"tool_choice":{"type":"required"}`, reports: []string{"lost /tools/0", "lost /tool_choice/type"}},
		"a search by its member": {in: `"web_search_options":{},"tool_choice":"required"`, want: `"tools":[{"googleSearch":{}}]`, reports: []string{"lost /tool_choice"}},
		"allowed custom tools": {
			in: `"tools":[` + custom + `],"tool_choice":` + onlyCustom("auto"),
			reports: []string{"lost /tool_choice/allowed_tools/tools/0", "lost /tools/0",
				"approximated /tool_choice"},
		},
		"allowed custom tools with a function": {
			in: `"tools":[` + function + `,` + custom + `],"tool_choice":` +
				onlyCustom("required"),
			want: `"tools":[{"functionDeclarations":[{"name":"now","description":"The time"}]}],"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}`,
			reports: []string{"lost /tool_choice/allowed_tools/tools/0",
				"lost /tool_choice/allowed_tools/mode", "lost /tools/1"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, report := ask(t, budgetModel, test.in)
			settings(t, got, budgetModel, test.want)
			openaitest.Reports(t, report, test.reports...)
		})
	}
}

func TestAFunctionAtFaultIsNamedByItsOwnPlace(t *testing.T) {
	t.Parallel()
	const f, g, nameless = `{"type":"function","function":{"name":"f"}}`,
		`{"type":"function","function":{"name":"g"}}`, `{"type":"function","function":{"description":"f"}}`
	const custom = `{"type":"custom","custom":{"name":"c"}}`
	for in, pointer := range map[string]string{
		`"tools":[` + f + `,` + g + `,` + f +
			`]`: "/tools/2/function",
		`"tools":[` + custom + `,` + f + `,` + g + `,` + f +
			`]`: "/tools/3/function",
		`"tools":[` + f +
			`],"functions":[{"name":"f"}]`: "/functions/0",
		`"functions":[{"name":"f"},{"name":"g"},{"name":"f"}]`: "/functions/2",
		`"tools":[` + f + `,` + nameless +
			`]`: "/tools/1/function/name",
		`"functions":[{"name":"f"},{}]`: "/functions/1/name",
		`"tools":[` + f +
			`,{"type":"function","function":{"name":"a b"}}]`: "/tools/1/function",
		`"tools":[` + f + `,` + f +
			`],"extra_body":{"google":{"tools":[{"function_declarations":[{"name":"h"}]}]}}`: "/tools/1/function",
	} {
		_, _, err := tryAsk(t, budgetModel, in)
		refused(t, err, pointer, "name")
	}
}

func TestEveryModeOfToolChoiceHasACounterpartInGemini(t *testing.T) {
	t.Parallel()
	for _, mode := range openaitest.Enum(t, "ToolChoiceMode") {
		got, report := ask(t, budgetModel, `"tools":[`+function+`],"tool_choice":"`+mode+`"`)
		if !openaiapi.ToolChoiceMode(mode).Valid() || !strings.Contains(got, `"mode":"`) ||
			report != nil {
			t.Errorf("%s: %s %v", mode, got, report)
		}
	}
}

// The declaration in Gemini's own form expresses what JSON Schema cannot.
func TestAFunctionThatExtraBodyDeclaresAgainIsThatOfExtraBody(t *testing.T) {
	t.Parallel()
	out, report, err := request.ToGemini(openaitest.DecodeRequest(t,
		`{"model":"gemini-3.6-flash","messages":[{"role":"user","content":"?"}],
		"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}},
			{"type":"function","function":{"name":"g"}}],
		"extra_body":{"google":{"tools":[{"functionDeclarations":[{"name":"f","behavior":"BLOCKING","parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING"}}}}]}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(out.Tools[0].FunctionDeclarations); n != 2 ||
		out.Tools[0].FunctionDeclarations[1].Parameters == nil {
		t.Errorf("%d functions: %+v", n, out.Tools)
	}
	if !report.Covers("/tools/0") || report.Covers("/tools/1") {
		t.Error(report)
	}
}
