package request_test

import "testing"

const (
	signed      = `{"type":"function_call","id":"c1","name":"add","arguments":{},"signature":"AAA="}`
	signedOther = `{"type":"function_call","id":"c1","name":"add","arguments":{},"signature":"BBB="}`
	bareThought = `{"type":"thought","signature":"AAA="}`
	unsigned    = `{"type":"function_call","id":"c2","name":"add","arguments":{}}`
	second      = `{"type":"function_result","call_id":"c2","name":"add","result":"7"}`

	partCalled = `{"functionCall":{"args":{},"id":"c1","name":"add"},"thoughtSignature":"AAA="}`
	partSecond = `{"functionCall":{"args":{},"id":"c2","name":"add"}}`
)

func TestSignaturesGoToTheirParts(t *testing.T) {
	t.Parallel()
	const parts = "/contents/1/parts"
	check(t, []row{
		{name: "on the thought alone", request: inputOf(asked, bareThought,
			`{"type":"function_call","id":"c1","name":"add","arguments":{}}`, returned),
			want: map[string]string{parts: `[` + partCalled + `]`}},
		{name: "on the call alone", request: inputOf(asked, signed, returned),
			want: map[string]string{parts: `[` + partCalled + `]`}},
		{name: "on both", request: inputOf(asked, bareThought, signed, returned),
			want: map[string]string{parts: `[` + partCalled + `]`}},
		{name: "on both, but different", request: inputOf(asked, bareThought, signedOther, returned),
			want: map[string]string{parts: `[{"text":"","thoughtSignature":"AAA="},` +
				`{"functionCall":{"args":{},"id":"c1","name":"add"},"thoughtSignature":"BBB="}]`},
			report: "approximated /input/1/signature"},
		{name: "on the first of parallel calls",
			request: inputOf(asked, bareThought, signed, unsigned, returned, second),
			want:    map[string]string{parts: `[` + partCalled + `,` + partSecond + `]`}},
		{name: "before an output, on its last part", request: inputOf(asked, bareThought,
			`{"type":"model_output","content":[{"type":"text","text":"So"},{"type":"text","text":" 3."}]}`, next),
			want: map[string]string{parts: `[{"text":"So"},{"text":" 3.","thoughtSignature":"AAA="}]`}},
		{name: "at the end of a turn", request: inputOf(asked, said, bareThought, next),
			want: map[string]string{parts: `[{"text":"So 3."},{"text":"","thoughtSignature":"AAA="}]`}},
		{name: "of two thoughts", request: inputOf(asked, bareThought,
			`{"type":"thought","signature":"CCC=","summary":[{"type":"text","text":"Hm."}]}`, said, next),
			want: map[string]string{parts: `[{"text":"","thoughtSignature":"AAA="},` +
				`{"text":"Hm.","thought":true},{"text":"So 3.","thoughtSignature":"CCC="}]`}},
		{name: "of tools that Google runs", request: inputOf(asked,
			`{"type":"google_search_call","id":"s","arguments":{"queries":["q"]},"signature":"DDD="}`,
			`{"type":"google_search_result","call_id":"s","result":[{"search_suggestions":"<p>"}],"signature":""}`,
			said, next),
			want: map[string]string{
				parts + "/0": `{"thoughtSignature":"DDD=","toolCall":{"args":{"queries":["q"]},"id":"s","toolType":"GOOGLE_SEARCH_WEB"}}`,
				parts + "/1": `{"toolResponse":{"id":"s","response":{"search_suggestions":"<p>"},"toolType":"GOOGLE_SEARCH_WEB"}}`}},
		{name: "nowhere, on a model that requires one", request: inputOf(asked, unsigned, second),
			want:   map[string]string{parts + "/0/thoughtSignature": `"skip_thought_signature_validator"`},
			report: "added /input/1/signature"},
		{name: "nowhere, on 2.5", request: on(flash25, `"input":[`+asked+`,`+unsigned+`,`+second+`]`),
			want: map[string]string{parts + "/0": partSecond}},
		{name: "empty", request: inputOf(asked,
			`{"type":"thought","signature":""}`, said, next),
			want: map[string]string{parts: `[{"text":"So 3."}]`}, report: "approximated /input/1"},
	})
}

func TestStepsOfToolsThatGoogleRuns(t *testing.T) {
	t.Parallel()
	const parts = "/contents/1/parts"
	const code = `{"type":"code_execution_call","id":"e","arguments":{"language":"python","code":"1"}}`
	const output = `{"type":"code_execution_result","call_id":"e","result":"1"}`
	const search = `{"type":"google_search_call","id":"s","search_type":"image_search","arguments":{"queries":["q"]}}`
	check(t, []row{
		{name: "code", request: inputOf(asked, code, output, said, next), want: map[string]string{
			parts + "/0": `{"executableCode":{"code":"1","id":"e","language":"PYTHON"}}`,
			parts + "/1": `{"codeExecutionResult":{"id":"e","outcome":"OUTCOME_OK","output":"1"}}`}},
		{name: "code that failed", request: inputOf(asked, code,
			`{"type":"code_execution_result","call_id":"e","result":"1","is_error":true}`, said, next),
			want: map[string]string{parts + "/1/codeExecutionResult/outcome": `"OUTCOME_FAILED"`}},
		{name: "a search for images", request: inputOf(asked, search, said, next),
			want: map[string]string{parts + "/0/toolCall/toolType": `"GOOGLE_SEARCH_IMAGE"`}},
		{name: "a search of the web", request: inputOf(asked,
			`{"type":"google_search_call","id":"s","search_type":"web_search","arguments":{"queries":["q"]}}`,
			`{"type":"google_search_result","call_id":"s","result":[],"is_error":false}`, said, next),
			want: map[string]string{parts + "/0/toolCall/toolType": `"GOOGLE_SEARCH_WEB"`}},
		{name: "a search on Vertex AI", opts: vertex, request: inputOf(asked, search, said, next),
			want: map[string]string{parts: `[{"text":"So 3."}]`}, report: inURL + "\napproximated /input/1"},
		{name: "a search on 2.5", request: on(flash25, `"input":[`+asked+`,`+search+`,`+said+`,`+next+`]`),
			want: map[string]string{parts: `[{"text":"So 3."}]`}, report: "approximated /input/1"},
		{name: "a search in own data", request: inputOf(asked, `{"type":"retrieval_call","id":"r"}`, said, next),
			want: map[string]string{parts: `[{"text":"So 3."}]`}, report: "approximated /input/1"},
		{name: "an unknown step", request: inputOf(asked, `{"type":"dance","id":"r"}`, said, next),
			want: map[string]string{parts: `[{"text":"So 3."}]`}, report: "lost /input/1"},
		{name: "a call of an MCP server", request: inputOf(asked,
			`{"type":"mcp_server_tool_call","id":"m","name":"f","server_name":"docs","arguments":{"a":1}}`,
			`{"type":"mcp_server_tool_result","call_id":"m","name":"f","result":"Yes."}`, said, next),
			want: map[string]string{parts: `[{"text":"Call of the tool \"f\" of the MCP server \"docs\" with the input:\n{\"a\":1}"},` +
				`{"text":"Result of the tool \"f\":\nYes."},{"text":"So 3."}]`},
			report: "approximated /input/1/type\napproximated /input/1/id\n" +
				"approximated /input/2/type\napproximated /input/2/call_id"},
		{name: "an output without content", request: inputOf(asked, `{"type":"model_output"}`, said, next),
			want: map[string]string{parts: `[{"text":"So 3."}]`}, report: "approximated /input/1"},
		{name: "an output with an error", request: inputOf(asked,
			`{"type":"model_output","content":[{"type":"text","text":"So"}],"error":{"code":3,"message":"no"}}`, next),
			want: map[string]string{parts: `[{"text":"So"}]`}, report: "lost /input/1/error"},
		{name: "annotations", request: inputOf(asked,
			`{"type":"model_output","content":[{"type":"text","text":"So","annotations":[{"type":"url_citation","url":"https://a.example"}]}]}`, next),
			want: map[string]string{parts: `[{"text":"So"}]`}, report: "approximated /input/1/content/0/annotations"},
		{name: "arguments that are no object", request: inputOf(asked,
			`{"type":"function_call","id":"c1","name":"add","arguments":[1],"signature":"AAA="}`, returned),
			want:   map[string]string{parts + "/0/functionCall/args": `{"arguments":[1]}`},
			report: "approximated /input/1/arguments"},
	})
}
