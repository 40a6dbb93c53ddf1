package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
)

// vertex makes requests for Vertex AI, which report that the model is in the URL.
var vertex = []request.Option{request.ForVertexAI()}

const inURL = "approximated /model"

// tools returns a request with tools.
func tools(model, list string) string { return on(model, hi+`,"tools":[`+list+`]`) }

const add = `{"type":"function","name":"add","description":"Adds.","parameters":{"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"integer"}},"required":["a"]}}`

func TestFunctionsKeepTheirSchema(t *testing.T) {
	t.Parallel()
	const first = "/tools/0/functionDeclarations/0"
	check(t, []row{
		{name: "as JSON Schema", request: tools(flash36, add), want: map[string]string{
			first + "/name": `"add"`, first + "/description": `"Adds."`,
			first + "/parametersJsonSchema": `{"properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a"],"type":"object"}`}},
		{name: "as Gemini's Schema", request: tools(flash36, add),
			opts: []request.Option{request.WithSchemaForm()},
			want: map[string]string{first + "/parameters/type": `"OBJECT"`}},
		{name: "without arguments", request: tools(flash36,
			`{"type":"function","name":"f","parameters":{"type":"object","properties":{}}}`),
			want: map[string]string{first: `{"name":"f"}`}},
		{name: "without a name", request: tools(flash36, `{"type":"function"}`),
			problem: "/tools/0/name must be set"},
		{name: "with members of other tools", request: tools(flash36,
			`{"type":"function","name":"f","url":"https://a.example","later":1}`),
			report: "lost /tools/0/url\nlost /tools/0/later"},
		{name: "with a name that Gemini refuses", request: tools(flash36,
			`{"type":"google_search"},{"type":"function","name":"1 2"}`),
			problem: "/tools/1"},
	})
}

func TestToolsOfGoogleAreGeminisTools(t *testing.T) {
	t.Parallel()
	check(t, []row{
		{name: "a search", request: tools(flash36, `{"type":"google_search"}`),
			want: map[string]string{"/tools": `[{"googleSearch":{}}]`}},
		{name: "a search by type", request: tools(flash36,
			`{"type":"google_search","search_types":["web_search","image_search","x"]}`),
			want:   map[string]string{"/tools": `[{"googleSearch":{"searchTypes":{"imageSearch":{},"webSearch":{}}}}]`},
			report: "lost /tools/0/search_types/2"},
		{name: "an enterprise search in the Gemini API", request: tools(flash36,
			`{"type":"google_search","search_types":["enterprise_web_search"]}`),
			want: map[string]string{"/tools": ``}, report: "lost /tools/0/search_types/0"},
		{name: "an enterprise search on Vertex AI", opts: vertex, request: tools(flash36,
			`{"type":"google_search","search_types":["enterprise_web_search"]}`),
			want: map[string]string{"/tools": `[{"enterpriseWebSearch":{}}]`}, report: inURL},
		{name: "pages and code", request: tools(flash36,
			`{"type":"url_context"},{"type":"code_execution"}`),
			want: map[string]string{"/tools": `[{"urlContext":{}},{"codeExecution":{}}]`}},
		{name: "maps at a place", request: tools(flash36,
			`{"type":"google_maps","enable_widget":true,"latitude":1.5,"longitude":2.5}`),
			want: map[string]string{"/tools": `[{"googleMaps":{"enableWidget":true}}]`,
				"/toolConfig/retrievalConfig/latLng": `{"latitude":1.5,"longitude":2.5}`}},
		{name: "two maps", request: tools(flash36,
			`{"type":"google_maps","latitude":1,"longitude":2},{"type":"google_maps","latitude":3,"longitude":4}`),
			want:   map[string]string{"/toolConfig/retrievalConfig/latLng": `{"latitude":1,"longitude":2}`},
			report: "lost /tools/1"},
		{name: "files", request: tools(flash36,
			`{"type":"file_search","file_search_store_names":["fileSearchStores/a"],"metadata_filter":"x=1","top_k":3}`),
			want: map[string]string{
				"/tools": `[{"fileSearch":{"fileSearchStoreNames":["fileSearchStores/a"],"metadataFilter":"x=1","topK":3}}]`}},
		{name: "files on Vertex AI", opts: vertex, request: tools(flash36,
			`{"type":"file_search","file_search_store_names":["fileSearchStores/a"]}`),
			want: map[string]string{"/tools": ``}, report: inURL + "\nlost /tools/0"},
		{name: "a computer", request: tools(flash36,
			`{"type":"computer_use","environment":"browser","excluded_predefined_functions":["drag"],"enable_prompt_injection_detection":true,"disabled_safety_policies":["account_creation"]}`),
			want: map[string]string{
				"/tools": `[{"computerUse":{"disabledSafetyPolicies":["ACCOUNT_CREATION"],"enablePromptInjectionDetection":true,"environment":"ENVIRONMENT_BROWSER","excludedPredefinedFunctions":["drag"]}}]`}},
		{name: "an MCP server", request: tools(flash36,
			`{"type":"mcp_server","name":"docs","url":"https://a.example","headers":{"X":"y"},"allowed_tools":[{"mode":"any","tools":["f"]}]}`),
			want: map[string]string{
				"/tools": `[{"mcpServers":[{"name":"docs","streamableHttpTransport":{"headers":{"X":"y"},"url":"https://a.example"}}]}]`},
			report: "lost /tools/0/allowed_tools"},
		{name: "an MCP server without an address", request: tools(flash36,
			`{"type":"mcp_server","name":"docs"}`), problem: "/tools/0/url must be set"},
		{name: "an MCP server on Vertex AI", opts: vertex, request: tools(flash36,
			`{"type":"mcp_server","name":"docs","url":"https://a.example"}`),
			problem: "/tools/0 must be absent, because Vertex AI calls no MCP servers"},
		{name: "a tool without a type", request: tools(flash36, `{"name":"f"}`),
			problem: "/tools/0/type must be set"},
		{name: "a tool of another type", request: tools(flash36, `{"type":"teleport"}`),
			want: map[string]string{"/tools": ``}, report: "lost /tools/0"},
		{name: "a function with a search", request: tools(flash36, add+`,{"type":"google_search"}`),
			want:   map[string]string{"/toolConfig/includeServerSideToolInvocations": `true`},
			report: "added /tools"},
		{name: "a function with a search, which 2.5 refuses",
			request: tools(flash25, add+`,{"type":"google_search"}`),
			want:    map[string]string{"/tools/1": ``}, report: "lost /tools/1"},
	})
}

func TestRetrievalIsAToolForEachSource(t *testing.T) {
	t.Parallel()
	retrieval := func(members string) string {
		return tools(flash36, `{"type":"retrieval",`+members+`}`)
	}
	check(t, []row{
		{name: "in the Gemini API", request: retrieval(`"retrieval_types":["exa_ai_search"]`),
			want: map[string]string{"/tools": ``}, report: "lost /tools/0"},
		{name: "an engine", opts: vertex,
			request: retrieval(`"vertex_ai_search_config":{"engine":"e","datastores":["d"]}`),
			want: map[string]string{
				"/tools": `[{"retrieval":{"vertexAiSearch":{"dataStoreSpecs":[{"dataStore":"d"}],"engine":"e"}}}]`},
			report: inURL},
		{name: "data stores", opts: vertex,
			request: retrieval(`"vertex_ai_search_config":{"datastores":["d","e"]}`),
			want: map[string]string{
				"/tools": `[{"retrieval":{"vertexAiSearch":{"datastore":"d"}}},{"retrieval":{"vertexAiSearch":{"datastore":"e"}}}]`},
			report: inURL + "\napproximated /tools/0/vertex_ai_search_config/datastores"},
		{name: "corpora", opts: vertex,
			request: retrieval(`"rag_store_config":{"rag_resources":[{"rag_corpus":"c","rag_file_ids":["f"]}],"similarity_top_k":1,"vector_distance_threshold":0.5,"rag_retrieval_config":{"top_k":2,"filter":{"metadata_filter":"m","vector_similarity_threshold":0.2},"hybrid_search":{"alpha":0.1},"ranking":{"ranking_config":"r","model_name":"l","rank_service":{"model_name":"s"}}}}`),
			want: map[string]string{
				"/tools/0/retrieval/vertexRagStore": `{"ragResources":[{"ragCorpus":"c","ragFileIds":["f"]}],"ragRetrievalConfig":{"filter":{"metadataFilter":"m","vectorSimilarityThreshold":0.2},"hybridSearch":{"alpha":0.1},"ranking":{"llmRanker":{"modelName":"l"},"rankService":{"modelName":"s"}},"topK":2},"similarityTopK":1,"vectorDistanceThreshold":0.5}`},
			report: inURL + "\nlost /tools/0/rag_store_config/rag_retrieval_config/ranking/ranking_config"},
		{name: "searches of others", opts: vertex,
			request: retrieval(`"exa_ai_search_config":{"api_key":"k","custom_config":{"a":1}},"parallel_ai_search_config":{"api_key":"p"}`),
			want: map[string]string{
				"/tools": `[{"exaAiSearch":{"apiKey":"k","customConfigs":{"a":1}}},{"parallelAiSearch":{"apiKey":"p"}}]`},
			report: inURL},
		{name: "a source that is not listed", opts: vertex,
			request: retrieval(`"retrieval_types":["exa_ai_search","x","exa_ai_search"],"exa_ai_search_config":{"api_key":"k"},"rag_store_config":{}`),
			want:    map[string]string{"/tools": `[{"exaAiSearch":{"apiKey":"k"}}]`},
			report: inURL + "\nlost /tools/0/rag_store_config\nlost /tools/0/retrieval_types/1" +
				"\napproximated /tools/0/retrieval_types/2"},
	})
}

func TestToolChoiceIsTheFunctionCallingMode(t *testing.T) {
	t.Parallel()
	chosen := func(tools, choice string) string {
		return on(flash36, hi+`,"tools":[`+tools+`],"generation_config":{"tool_choice":`+choice+`}`)
	}
	const config = "/toolConfig/functionCallingConfig"
	const at = "/generation_config/tool_choice"
	limited := func(mode string) string {
		return `{"allowed_tools":{"mode":"` + mode + `","tools":["add"]}}`
	}
	check(t, []row{
		{name: "auto", request: chosen(add, `"auto"`), want: map[string]string{config: `{"mode":"AUTO"}`}},
		{name: "any", request: chosen(add, `"any"`), want: map[string]string{config: `{"mode":"ANY"}`}},
		{name: "none", request: chosen(add, `"none"`), want: map[string]string{config: `{"mode":"NONE"}`}},
		{name: "validated", request: chosen(add, `"validated"`),
			want: map[string]string{config: `{"mode":"VALIDATED"}`}},
		{name: "another", request: chosen(add, `"required"`), problem: at + " must be auto, any"},
		{name: "any with tools of Google alone", request: chosen(`{"type":"google_search"}`, `"any"`),
			want: map[string]string{config: ``}, report: "lost " + at},
		{name: "auto without tools", request: with(flash36, `"tool_choice":"auto"`),
			want: map[string]string{config: ``}, report: "approximated " + at},
		{name: "any without tools", request: with(flash36, `"tool_choice":"any"`),
			problem: at + " requires a call"},
		{name: "any of some", request: chosen(add, limited("any")),
			want: map[string]string{config: `{"allowedFunctionNames":["add"],"mode":"ANY"}`}},
		{name: "validated of some", request: chosen(add, limited("validated")),
			want: map[string]string{config: `{"allowedFunctionNames":["add"],"mode":"VALIDATED"}`}},
		{name: "auto of some", request: chosen(add, limited("auto")),
			want:   map[string]string{config: `{"allowedFunctionNames":["add"],"mode":"VALIDATED"}`},
			report: "approximated " + at + "/allowed_tools"},
		{name: "none of some", request: chosen(add, limited("none")),
			want: map[string]string{config: `{"mode":"NONE"}`}, report: "approximated " + at + "/allowed_tools/tools"},
		{name: "another function", request: chosen(add,
			`{"allowed_tools":{"mode":"any","tools":["add","sub"]}}`),
			problem: at + `/allowed_tools/tools/1 no function "sub" is declared`},
		{name: "a tool of Google", request: chosen(add+`,{"type":"google_search"}`,
			`{"allowed_tools":{"mode":"any","tools":["google_search"]}}`),
			want:   map[string]string{config: `{"mode":"NONE"}`},
			report: "lost " + at + "/allowed_tools/tools/0\nlost " + at + "/allowed_tools/mode\nadded /tools"},
		{name: "a mode of no list", request: chosen(add, `{"allowed_tools":{"mode":"any"},"later":1}`),
			want: map[string]string{config: `{"mode":"ANY"}`}, report: "lost " + at + "/later"},
	})
}
