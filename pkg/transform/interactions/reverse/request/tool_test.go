package request_test

import "testing"

func TestEachFunctionIsATool(t *testing.T) {
	t.Parallel()
	const at = "/tools/0/functionDeclarations/0/"
	function := func(members string) string {
		return `"tools":[{"functionDeclarations":[{"name":"f",` + members + `}]}]`
	}
	tool := func(members string) string { return `[{"type":"function","name":"f"` + members + `}]` }
	checkRows(t, map[string]row{
		"json schema stays as it is": {function(`"description":"d","parametersJsonSchema":{"type":"object","properties":{"b":{"type":"integer","maximum":12345678901234567890},"a":{"default":1.0}},"required":["b"]}`), "tools",
			tool(`,"description":"d","parameters":{"type":"object","properties":{"b":{"type":"integer","maximum":12345678901234567890},"a":{"default":1.0}},"required":["b"]}`), nil, nil},
		"types in lower case, null as a type, numbers": {function(`"parameters":{"type":"OBJECT","properties":{"a":{"type":"STRING","nullable":true,"minLength":"1","maxLength":9},"b":{"type":"ARRAY","items":{"type":"INTEGER","format":"int64"},"minItems":"2"}},"required":["a"],"propertyOrdering":["b","a"]}`), "tools",
			tool(`,"parameters":{"type":"object","properties":{"b":{"type":"array","items":{"type":"integer","format":"int64"},"minItems":2},"a":{"type":["string","null"],"minLength":1,"maxLength":9}},"required":["a"]}`), nil, nil},
		"an empty list of required properties": {function(`"parametersJsonSchema":{"type":"object","properties":{"a":{"type":"object","required":[ ]},"required":{"type":"array","items":{"required":[]}},"c":{"anyOf":[{"required":[]}],"enum":[{"required":[]}]}},"required":[]}`), "tools",
			tool(`,"parameters":{"type":"object","properties":{"a":{"type":"object"},"required":{"type":"array","items":{}},"c":{"anyOf":[{}],"enum":[{"required":[]}]}}}`),
			[]string{"approximated " + at + "parametersJsonSchema/properties/a/required",
				"approximated " + at + "parametersJsonSchema/properties/required/items/required",
				"approximated " + at + "parametersJsonSchema/properties/c/anyOf/0/required",
				"approximated " + at + "parametersJsonSchema/required"}, nil},
		"an empty list of required properties in Gemini's form": {function(`"parameters":{"type":"OBJECT","properties":{"a":{"type":"OBJECT","required":[]}}}`), "tools",
			tool(`,"parameters":{"type":"object","properties":{"a":{"type":"object"}}}`),
			[]string{"approximated " + at + "parameters/properties/a/required"}, nil},
		"both forms": {function(`"parameters":{"type":"OBJECT"},"parametersJsonSchema":{"type":"object"}`), "tools",
			tool(`,"parameters":{"type":"object"}`), []string{"lost " + at + "parameters"}, nil},
		"members of functions that only generateContent has": {function(`"behavior":"BLOCKING","response":{"type":"STRING"},"responseJsonSchema":{"type":"string"}`), "tools",
			tool(``), []string{"lost " + at + "behavior", "lost " + at + "response",
				"lost " + at + "responseJsonSchema"}, nil},
	})
}

func TestGooglesToolsAreTools(t *testing.T) {
	t.Parallel()
	checkRows(t, map[string]row{
		"search": {`"tools":[{"googleSearch":{}}]`, "tools", `[{"type":"google_search"}]`, nil, nil},
		"search of images": {`"tools":[{"googleSearch":{"searchTypes":{"webSearch":{},"imageSearch":{}}}}]`, "tools",
			`[{"type":"google_search","search_types":["web_search","image_search"]}]`, nil, nil},
		"search with filters": {`"tools":[{"googleSearch":{"timeRangeFilter":{"startTime":"a"},"excludeDomains":["b"],"blockingConfidence":"BLOCK_LOW_AND_ABOVE"}}]`, "tools",
			`[{"type":"google_search"}]`, []string{"lost /tools/0/googleSearch/blockingConfidence",
				"lost /tools/0/googleSearch/excludeDomains",
				"lost /tools/0/googleSearch/timeRangeFilter"}, nil},
		"search of older models": {`"tools":[{"googleSearchRetrieval":{}}]`, "tools", ``,
			[]string{"lost /tools/0/googleSearchRetrieval"}, nil},
		"several in one": {`"tools":[{"urlContext":{},"codeExecution":{}}]`, "tools",
			`[{"type":"url_context"},{"type":"code_execution"}]`, nil, nil},
		"files": {`"tools":[{"fileSearch":{"fileSearchStoreNames":["a"],"metadataFilter":"b","topK":3}}]`, "tools",
			`[{"type":"file_search","file_search_store_names":["a"],"metadata_filter":"b","top_k":3}]`, nil, nil},
		"computer": {`"tools":[{"computerUse":{"environment":"ENVIRONMENT_BROWSER","excludedPredefinedFunctions":["a"],"enablePromptInjectionDetection":true,"disabledSafetyPolicies":["FINANCIAL_TRANSACTIONS","SAFETY_POLICY_UNSPECIFIED"]}}]`, "tools",
			`[{"type":"computer_use","environment":"browser","excluded_predefined_functions":["a"],"enable_prompt_injection_detection":true,"disabled_safety_policies":["financial_transactions"]}]`,
			[]string{"approximated /tools/0/computerUse/disabledSafetyPolicies/1"}, nil},
	})
}

func TestThePlaceOfTheUserIsAMemberOfGoogleMaps(t *testing.T) {
	t.Parallel()
	const place = `,"toolConfig":{"retrievalConfig":{"latLng":{"latitude":1.5,"longitude":-2.5},"languageCode":"de"}}`
	checkRows(t, map[string]row{
		"with maps": {`"tools":[{"googleMaps":{"enableWidget":true,"authConfig":{"apiKey":"k"}}}]` + place, "tools",
			`[{"type":"google_maps","enable_widget":true,"latitude":1.5,"longitude":-2.5}]`,
			[]string{"lost /tools/0/googleMaps/authConfig",
				"lost /toolConfig/retrievalConfig"}, nil},
		"without maps": {`"tools":[{"googleSearch":{}}]` + place, "tools", `[{"type":"google_search"}]`,
			[]string{"lost /toolConfig/retrievalConfig"}, nil},
	})
}

func TestHeadersOfAnMCPServerAreKeptAndTimeoutsReported(t *testing.T) {
	t.Parallel()
	const at = "lost /tools/0/mcpServers/0/streamableHttpTransport/"
	checkRows(t, map[string]row{
		"a server": {`"tools":[{"mcpServers":[{"name":"docs","streamableHttpTransport":{"url":"https://a.example","headers":{"Authorization":"Bearer b"},"timeout":"5s","sseReadTimeout":"6s","terminateOnClose":true}}]}]`, "tools",
			`[{"type":"mcp_server","name":"docs","url":"https://a.example","headers":{"Authorization":"Bearer b"}}]`,
			[]string{at + "sseReadTimeout", at + "terminateOnClose", at + "timeout"}, nil},
	})
}

func TestTheModeAndTheNamesOfCallsAreTheToolChoice(t *testing.T) {
	t.Parallel()
	const tools = `"tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"}]}],"toolConfig":`
	calling := func(members string) string { return tools + `{"functionCallingConfig":{` + members + `}}` }
	const at = "/toolConfig/functionCallingConfig/"
	checkRows(t, map[string]row{
		"auto":      {calling(`"mode":"AUTO"`), "generation_config", `{"tool_choice":"auto"}`, nil, nil},
		"any":       {calling(`"mode":"ANY"`), "generation_config", `{"tool_choice":"any"}`, nil, nil},
		"none":      {calling(`"mode":"NONE"`), "generation_config", `{"tool_choice":"none"}`, nil, nil},
		"validated": {calling(`"mode":"VALIDATED"`), "generation_config", `{"tool_choice":"validated"}`, nil, nil},
		"unspecified": {calling(`"mode":"MODE_UNSPECIFIED"`), "generation_config", ``,
			[]string{"approximated " + at + "mode"}, nil},
		"names": {calling(`"mode":"ANY","allowedFunctionNames":["f"]`), "generation_config",
			`{"tool_choice":{"allowed_tools":{"mode":"any","tools":["f"]}}}`, nil, nil},
		"names without a mode": {calling(`"allowedFunctionNames":["f"]`), "generation_config",
			`{"tool_choice":{"allowed_tools":{"tools":["f"]}}}`, nil, nil},
		"streamed arguments": {calling(`"streamFunctionCallArguments":true`), "generation_config", ``,
			[]string{"approximated " + at + "streamFunctionCallArguments"}, nil},
		"shown calls": {tools + `{"includeServerSideToolInvocations":true}`, "generation_config", ``,
			[]string{"approximated /toolConfig/includeServerSideToolInvocations"}, nil},
	})
}
