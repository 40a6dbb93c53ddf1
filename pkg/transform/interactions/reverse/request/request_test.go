package request_test

import (
	"errors"
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse/request"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
)

const hello = `"contents":[{"role":"user","parts":[{"text":"?"}]}]`

// mustConvert returns the members of the converted request.
func mustConvert(t *testing.T, document string, opts ...request.Option) (map[string]any,
	report.Report) {
	t.Helper()
	data, report, err := convert([]byte(document), opts...)
	if err != nil {
		t.Fatalf("%v in %s", err, document)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out, report
}

// parsed returns JSON in the form of mustConvert's result. "" is an absent member.
func parsed(t *testing.T, text string) any {
	t.Helper()
	if text == "" {
		return nil
	}
	var out any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

// entries returns the kinds and pointers of a report, without the entry for storage that most
// requests have.
func entries(report report.Report) []string {
	var out []string
	for _, e := range report {
		if line := string(e.Kind) + " " + e.Pointer; line != "added /store" {
			out = append(out, line)
		}
	}
	return out
}

// row is a request, and one member of the converted request.
type row struct {
	document string // members next to the contents
	member   string
	want     string // JSON, or "" if the member is absent
	report   []string
	opts     []request.Option
}

// checkRows converts the request of each row.
func checkRows(t *testing.T, rows map[string]row) {
	t.Helper()
	for name, r := range rows {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document := `{` + hello + `,` + r.document + `}`
			out, report := mustConvert(t, document, r.opts...)
			if diff := cmp.Diff(parsed(t, r.want), out[r.member]); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(r.report, entries(report)); diff != "" {
				t.Error(diff)
			}
			checkLeaves(t, name, []byte(document), r.opts)
		})
	}
}

// checkInput converts contents, and compares the steps and the report.
func checkInput(t *testing.T, contents, want string, reported []string, opts ...request.Option) {
	t.Helper()
	document := `{"contents":[` + contents + `]}`
	out, report := mustConvert(t, document, opts...)
	if diff := cmp.Diff(parsed(t, want), out["input"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(reported, entries(report)); diff != "" {
		t.Error(diff)
	}
	checkLeaves(t, contents, []byte(document), opts)
}

// refusal converts a request that has no counterpart, and returns where.
func refusal(t *testing.T, document string, opts ...request.Option) string {
	t.Helper()
	_, _, err := convert([]byte(document), opts...)
	refused, ok := errors.AsType[*request.Error](err)
	if !ok {
		t.Fatalf("the error is %v for %s", err, document)
	}
	return refused.Pointer
}

func TestARequestHasItsModelAndItsSettings(t *testing.T) {
	t.Parallel()
	out, report := mustConvert(t, `{`+hello+`,"generationConfig":{"maxOutputTokens":9,"seed":1,"stopSequences":["a"],"temperature":0.5,"topP":0.25}}`,
		request.WithStream())
	want := parsed(t, `{"model":"gemini-3.6-flash","stream":true,"store":false,
		"input":[{"type":"user_input","content":[{"type":"text","text":"?"}]}],
		"generation_config":{"max_output_tokens":9,"seed":1,"stop_sequences":["a"],"temperature":0.5,"top_p":0.25}}`)
	if diff := cmp.Diff(want, any(out)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string(nil), entries(report)); diff != "" {
		t.Error(diff)
	}
}

func TestTheModelIsOfTheRequestOrOfTheOption(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		document, want string
		opts           []request.Option
		report         []string
	}{
		"of the request": {`"model":"models/gemini-3.7-flash",`, "gemini-3.7-flash",
			[]request.Option{request.ForModel("")}, nil},
		"of Vertex AI": {``, "gemini-3.7-flash", []request.Option{request.ForVertexAI(),
			request.ForModel("publishers/google/models/gemini-3.7-flash")}, nil},
		"of the option": {``, "gemini-3.6-flash", nil, nil},
		"of both": {`"model":"models/gemini-3.7-flash",`, "gemini-3.6-flash", nil,
			[]string{"approximated /model"}},
	} {
		out, report := mustConvert(t, `{`+tc.document+hello+`}`, tc.opts...)
		if out["model"] != tc.want {
			t.Errorf("%s: %v", name, out["model"])
		}
		if diff := cmp.Diff(tc.report, entries(report)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if at := refusal(t, `{`+hello+`}`, request.ForModel("")); at != "/model" {
		t.Error(at)
	}
	if at := refusal(t, `{`+hello+`}`, request.ForModel("tunedModels/mine")); at != "/model" {
		t.Error(at)
	}
}

func TestStoreIsFalseUnlessSomebodyAsks(t *testing.T) {
	t.Parallel()
	store := []request.Option{request.WithStore()}
	for name, tc := range map[string]struct {
		document string
		want     bool
		opts     []request.Option
		report   []string
	}{
		"by default":                    {``, false, nil, []string{"added /store"}},
		"the request asks":              {`,"store":true`, true, nil, nil},
		"the request says no":           {`,"store":false`, false, nil, nil},
		"the option asks":               {``, true, store, nil},
		"both ask":                      {`,"store":true`, true, store, nil},
		"the option overrules a member": {`,"store":false`, true, store, []string{"approximated /store"}},
	} {
		out, report := mustConvert(t, `{`+hello+tc.document+`}`, tc.opts...)
		if out["store"] != tc.want {
			t.Errorf("%s: store is %v", name, out["store"])
		}
		var got []string
		for _, e := range report {
			got = append(got, string(e.Kind)+" "+e.Pointer)
		}
		if diff := cmp.Diff(tc.report, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAPreviousInteractionWithoutStoreIsAnError(t *testing.T) {
	t.Parallel()
	if at := refusal(t, `{`+hello+`}`, request.WithPreviousInteraction("v1_a")); at != "/store" {
		t.Error(at)
	}
	out, _ := mustConvert(t, `{`+hello+`}`, request.WithPreviousInteraction("v1_a"),
		request.WithStore())
	if out["previous_interaction_id"] != "v1_a" || out["store"] != true {
		t.Error(out)
	}
}

func TestCachedContentIsRefused(t *testing.T) {
	t.Parallel()
	if at := refusal(t, `{`+hello+`,"cachedContent":"cachedContents/a"}`); at != "/cachedContent" {
		t.Error(at)
	}
}

func TestARequestWithNothingToAnswerIsRefused(t *testing.T) {
	t.Parallel()
	for _, document := range []string{`{}`, `{"contents":[]}`,
		`{"contents":[{"role":"user","parts":[]}]}`,
		`{"contents":[{"role":"user","parts":[{"text":""}]}]}`} {
		if at := refusal(t, document); at != "/contents" {
			t.Errorf("%s: %s", document, at)
		}
	}
	if at := refusal(t, `{"contents":[{"role":"system","parts":[{"text":"a"}]}]}`); at !=
		"/contents/0/role" {
		t.Error(at)
	}
	out, _ := mustConvert(t, `{"continuationToken":"t"}`, request.WithStore(),
		request.WithPreviousInteraction("v1_a"))
	if out["input"] != nil || out["continuation_token"] != "t" {
		t.Error(out)
	}
}

func TestTheTextsOfAnInstructionAreJoinedAndReported(t *testing.T) {
	t.Parallel()
	checkRows(t, map[string]row{
		"one": {`"systemInstruction":{"parts":[{"text":"a"}]}`, "system_instruction", `"a"`, nil, nil},
		"two": {`"systemInstruction":{"role":"user","parts":[{"text":"a"},{"text":""},{"text":"b"}]}`,
			"system_instruction", `"a\nb"`, []string{"approximated /systemInstruction/role",
				"approximated /systemInstruction/parts/1",
				"approximated /systemInstruction/parts"}, nil},
		"an image": {`"systemInstruction":{"parts":[{"text":"a"},{"inlineData":{"mimeType":"image/png","data":"AA=="}}]}`,
			"system_instruction", `"a"`, []string{"lost /systemInstruction/parts/1/inlineData"}, nil},
	})
}

func TestSettingsWithoutACounterpartAreReported(t *testing.T) {
	t.Parallel()
	lost := func(members, pointer string) row {
		return row{`"generationConfig":{` + members + `}`, "generation_config", ``,
			[]string{pointer}, nil}
	}
	const at = "lost /generationConfig/"
	checkRows(t, map[string]row{
		"two candidates":      lost(`"candidateCount":2`, at+"candidateCount"),
		"one candidate":       lost(`"candidateCount":1`, "approximated /generationConfig/candidateCount"),
		"presence penalty":    lost(`"presencePenalty":0.5`, at+"presencePenalty"),
		"no presence penalty": lost(`"presencePenalty":0`, "approximated /generationConfig/presencePenalty"),
		"frequency penalty":   lost(`"frequencyPenalty":0.5`, at+"frequencyPenalty"),
		"no frequency penalty": lost(`"frequencyPenalty":0`,
			"approximated /generationConfig/frequencyPenalty"),
		"log probabilities":    lost(`"responseLogprobs":true`, at+"responseLogprobs"),
		"no log probabilities": lost(`"responseLogprobs":false`, "approximated /generationConfig/responseLogprobs"),
		"alternatives":         lost(`"logprobs":3`, at+"logprobs"),
		"civic answers":        lost(`"enableEnhancedCivicAnswers":true`, at+"enableEnhancedCivicAnswers"),
		"affective dialog":     lost(`"enableAffectiveDialog":true`, at+"enableAffectiveDialog"),
		"audio timestamps":     lost(`"audioTimestamp":true`, at+"audioTimestamp"),
		"routing":              lost(`"routingConfig":{"manualMode":{"modelName":"a"}}`, at+"routingConfig"),
		"selection":            lost(`"modelSelectionConfig":{"featureSelectionPreference":"BALANCED"}`, at+"modelSelectionConfig"),
		"translation":          lost(`"translationConfig":{"targetLanguageCode":"de"}`, at+"translationConfig"),
		"top k": {`"generationConfig":{"topK":4}`, "generation_config", `{"top_k":4}`,
			[]string{"approximated /generationConfig/topK"}, nil},
		"model armor": {`"modelArmorConfig":{"promptTemplateName":"a"}`, "model_armor_config", ``,
			[]string{"lost /modelArmorConfig"}, nil},
		"output": {`"outputConfig":{"outputUriPrefix":"gs://a"}`, "output_config", ``,
			[]string{"lost /outputConfig"}, nil},
	})
}

func TestABudgetBecomesTheNearestLevel(t *testing.T) {
	t.Parallel()
	const at = "approximated /generationConfig/thinkingConfig/thinkingBudget"
	for name, tc := range map[string]struct{ model, thinking, want, report string }{
		"the model decides":     {model, `"thinkingBudget":-1`, ``, at},
		"off":                   {model, `"thinkingBudget":0`, `{"thinking_level":"minimal"}`, at},
		"some":                  {model, `"thinkingBudget":1`, `{"thinking_level":"low"}`, at},
		"low":                   {model, `"thinkingBudget":2000`, `{"thinking_level":"low"}`, at},
		"medium":                {model, `"thinkingBudget":8192`, `{"thinking_level":"medium"}`, at},
		"high":                  {model, `"thinkingBudget":30000`, `{"thinking_level":"high"}`, at},
		"off on 2.5":            {"gemini-2.5-flash", `"thinkingBudget":0`, `{"thinking_level":"minimal"}`, at},
		"off without minimal":   {"gemini-3.8-flash", `"thinkingBudget":0`, `{"thinking_level":"low"}`, at},
		"a level":               {model, `"thinkingLevel":"HIGH"`, `{"thinking_level":"high"}`, ``},
		"a level with thoughts": {model, `"thinkingLevel":"LOW","includeThoughts":true`, `{"thinking_level":"low","thinking_summaries":"auto"}`, ``},
		"no thoughts":           {model, `"includeThoughts":false`, `{"thinking_summaries":"none"}`, ``},
		"no level":              {model, `"thinkingLevel":"THINKING_LEVEL_UNSPECIFIED"`, ``, "approximated /generationConfig/thinkingConfig/thinkingLevel"},
		"a level and a budget":  {model, `"thinkingLevel":"LOW","thinkingBudget":9`, `{"thinking_level":"low"}`, "lost /generationConfig/thinkingConfig/thinkingBudget"},
	} {
		out, report := mustConvert(t,
			`{`+hello+`,"generationConfig":{"thinkingConfig":{`+tc.thinking+`}}}`,
			request.ForModel(tc.model))
		if diff := cmp.Diff(parsed(t, tc.want), out["generation_config"]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var want []string
		if tc.report != "" {
			want = []string{tc.report}
		}
		if diff := cmp.Diff(want, entries(report)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestMembersThatOnlyVertexAIHasAreGated(t *testing.T) {
	t.Parallel()
	vertex := []request.Option{request.ForVertexAI()}
	const safety = `"safetySettings":[{"category":"HARM_CATEGORY_HATE_SPEECH","threshold":"BLOCK_ONLY_HIGH","method":"SEVERITY"},{"category":"HARM_CATEGORY_TOXICITY","threshold":"OFF"}]`
	const exa = `"tools":[{"exaAiSearch":{"apiKey":"k","customConfigs":{"a":1.0}}}]`
	checkRows(t, map[string]row{
		"labels":         {`"labels":{"a":"b"}`, "labels", ``, []string{"lost /labels"}, nil},
		"labels, vertex": {`"labels":{"a":"b"}`, "labels", `{"a":"b"}`, nil, vertex},
		"safety":         {safety, "safety_settings", ``, []string{"lost /safetySettings"}, nil},
		"safety, vertex": {safety, "safety_settings",
			`[{"type":"hate_speech","threshold":"block_only_high","method":"severity"}]`,
			[]string{"lost /safetySettings/1"}, vertex},
		"enterprise search": {`"tools":[{"enterpriseWebSearch":{}}]`, "tools", ``,
			[]string{"lost /tools/0/enterpriseWebSearch"}, nil},
		"enterprise search, vertex": {`"tools":[{"enterpriseWebSearch":{"excludeDomains":["a"]}}]`, "tools",
			`[{"type":"google_search","search_types":["enterprise_web_search"]}]`,
			[]string{"approximated /tools/0/enterpriseWebSearch",
				"lost /tools/0/enterpriseWebSearch/excludeDomains"}, vertex},
		"another search engine": {exa, "tools", ``, []string{"lost /tools/0/exaAiSearch"}, nil},
		"another search engine, vertex": {exa, "tools",
			`[{"type":"retrieval","retrieval_types":["exa_ai_search"],"exa_ai_search_config":{"api_key":"k","custom_config":{"a":1}}}]`,
			nil, vertex},
		"one more": {`"tools":[{"parallelAiSearch":{"apiKey":"k"}}]`, "tools", ``,
			[]string{"lost /tools/0/parallelAiSearch"}, nil},
		"one more, vertex": {`"tools":[{"parallelAiSearch":{"apiKey":"k","enableDataRetention":true}}]`, "tools",
			`[{"type":"retrieval","retrieval_types":["parallel_ai_search"],"parallel_ai_search_config":{"api_key":"k"}}]`,
			[]string{"lost /tools/0/parallelAiSearch/enableDataRetention"}, vertex},
		"documents": {`"tools":[{"retrieval":{"vertexAiSearch":{"engine":"e"}}}]`, "tools", ``,
			[]string{"lost /tools/0/retrieval"}, nil},
		"documents, vertex": {`"tools":[{"retrieval":{"disableAttribution":true,"vertexAiSearch":{"engine":"e","datastore":"d","filter":"f","maxResults":3,"dataStoreSpecs":[{"dataStore":"s","filter":"g"}]}}}]`, "tools",
			`[{"type":"retrieval","retrieval_types":["vertex_ai_search"],"vertex_ai_search_config":{"engine":"e","datastores":["d","s"]}}]`,
			[]string{"lost /tools/0/retrieval/vertexAiSearch/dataStoreSpecs/0/filter",
				"lost /tools/0/retrieval/vertexAiSearch/filter",
				"lost /tools/0/retrieval/vertexAiSearch/maxResults",
				"lost /tools/0/retrieval/disableAttribution"}, vertex},
		"a rag store, vertex": {`"tools":[{"retrieval":{"vertexRagStore":{"ragCorpora":["o"],"ragResources":[{"ragCorpus":"c","ragFileIds":["1"]}],"similarityTopK":2,"vectorDistanceThreshold":0.5,"storeContext":true,"ragRetrievalConfig":{"topK":3,"filter":{"metadataFilter":"m","vectorDistanceThreshold":0.25,"vectorSimilarityThreshold":0.75},"hybridSearch":{"alpha":0.5},"ranking":{"rankService":{"modelName":"r"},"llmRanker":{"modelName":"l"}}}}}}]`, "tools",
			`[{"type":"retrieval","retrieval_types":["rag_store"],"rag_store_config":{"rag_resources":[{"rag_corpus":"c","rag_file_ids":["1"]},{"rag_corpus":"o"}],"similarity_top_k":2,"vector_distance_threshold":0.5,"rag_retrieval_config":{"top_k":3,"filter":{"metadata_filter":"m","vector_distance_threshold":0.25,"vector_similarity_threshold":0.75},"hybrid_search":{"alpha":0.5},"ranking":{"ranking_config":"rank_service","rank_service":{"model_name":"r"},"model_name":"l"}}}}]`,
			[]string{"approximated /tools/0/retrieval/vertexRagStore/ragRetrievalConfig/ranking/llmRanker",
				"lost /tools/0/retrieval/vertexRagStore/storeContext"}, vertex},
		"an external search, vertex": {`"tools":[{"retrieval":{"externalApi":{"endpoint":"e"}}}]`, "tools", ``,
			[]string{"lost /tools/0/retrieval"}, vertex},
	})
}

func TestTheServiceTierIsKept(t *testing.T) {
	t.Parallel()
	checkRows(t, map[string]row{
		"flex":        {`"serviceTier":"flex"`, "service_tier", `"flex"`, nil, nil},
		"unspecified": {`"serviceTier":"unspecified"`, "service_tier", ``, []string{"approximated /serviceTier"}, nil},
		"unknown":     {`"serviceTier":"turbo"`, "service_tier", `"turbo"`, nil, nil},
	})
}

func TestAgentsHaveNoSettingsOfModels(t *testing.T) {
	t.Parallel()
	const research = "deep-research-preview-04-2026"
	out, report := mustConvert(t, `{`+hello+`,"store":true,"systemInstruction":{"parts":[{"text":"be brief"}]},"generationConfig":{"temperature":1,"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"LOW"}},"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}}`,
		request.ForModel(research))
	want := parsed(t, `{"agent":"`+research+`","background":true,"store":true,
		"agent_config":{"type":"deep-research","thinking_summaries":"auto"},
		"input":[{"type":"user_input","content":[{"type":"text","text":"be brief"}]},{"type":"user_input","content":[{"type":"text","text":"?"}]}]}`)
	if diff := cmp.Diff(want, any(out)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"added ", "approximated /systemInstruction", "lost /toolConfig/functionCallingConfig",
		"lost /generationConfig/temperature",
		"lost /generationConfig/thinkingConfig"}, entries(report)); diff != "" {
		t.Error(diff)
	}
	if at := refusal(t, `{`+hello+`}`, request.ForModel(research)); at != "/store" {
		t.Error(at)
	}
	out, _ = mustConvert(t, `{`+hello+`}`, request.ForModel("antigravity-preview-09-2026"))
	if out["environment"] != "remote" {
		t.Error(out)
	}
	out, _ = mustConvert(t, `{`+hello+`}`, request.ForModel(""), request.ForAgent("mine"))
	if out["agent"] != "mine" || out["model"] != nil {
		t.Error(out)
	}
}

func TestWhatGoogleIsKnownToRefuseIsAnError(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"two searches that exclude each other": `,"tools":[{"fileSearch":{"fileSearchStoreNames":["a"]},"googleSearch":{}}]`,
		"two functions with one name":          `,"tools":[{"functionDeclarations":[{"name":"f"},{"name":"f"}]}]`,
		"a length of 0":                        `,"generationConfig":{"maxOutputTokens":0}`,
	} {
		document = `{` + hello + document + `}`
		_, _, err := convert([]byte(document))
		if refused, ok := errors.AsType[*validation.Error](err); !ok ||
			len(refused.Violations) != 1 {
			t.Errorf("%s: %v", name, err)
		}
		if _, _, err := convert([]byte(document), request.WithoutValidation()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnErrorNamesTheMember(t *testing.T) {
	t.Parallel()
	_, _, err := convert([]byte(`{` + hello + `,"cachedContent":"a"}`))
	const want = "interactions: reverse: /cachedContent: names a cache, which an interaction cannot read; send the content instead"
	if err == nil || err.Error() != want {
		t.Error(err)
	}
	if _, _, err := request.FromGemini(nil); err == nil {
		t.Error("no request is converted")
	}
}
