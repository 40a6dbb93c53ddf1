package interactions_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// violations returns the pointer and the rule of each violation of an error.
func violations(err error) []string {
	all, ok := errors.AsType[*validation.Error](err)
	if !ok {
		return nil
	}
	return findings(all.Violations)
}

func decodeRequest(t testing.TB, body string) *interactionsapi.CreateInteractionRequest {
	t.Helper()
	r, err := interactions.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return r
}

// modelRequest returns a request for a model with a text and more members.
func modelRequest(members string) string {
	return join(`"model":"gemini-3.5-flash","input":"Hi"`, members)
}

// inputRequest returns a request for a model with an input.
func inputRequest(input string) string {
	return `{"model":"gemini-3.5-flash","input":` + input + `}`
}

// agentRequest returns a request for an agent with more members.
func agentRequest(agent, members string) string {
	return join(`"agent":"`+agent+`","input":"Hi"`, members)
}

func join(members ...string) string {
	var set []string
	for _, m := range members {
		if m != "" {
			set = append(set, m)
		}
	}
	return "{" + strings.Join(set, ",") + "}"
}

const (
	research    = "deep-research-preview-04-2026"
	antigravity = "antigravity-preview-09-2026"
)

// Combinations of members that Google refuses are named by their rule.
func TestIllegalMixesAreNamed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"a model and an agent": {join(`"model":"m","agent":"a","input":"Hi"`), []string{"/agent model_agent"}},
		"neither":              {`{"input":"Hi"}`, []string{"/model required"}},
		"an agent with settings of a model": {agentRequest("a", `"generation_config":{"seed":1}`),
			[]string{"/generation_config agent_generation_config"}},
		"a model with settings of an agent": {modelRequest(`"agent_config":{"type":"dynamic"}`),
			[]string{"/agent_config model_agent_config"}},
		"a background run that is not stored": {modelRequest(`"store":false,"background":true`),
			[]string{"/store store_background"}},
		"a webhook in the foreground": {modelRequest(`"webhook_config":{"uris":["https://example.com"]}`),
			[]string{"/webhook_config webhook_background"}},
		"deep research in the foreground": {agentRequest(research, ""), []string{"/background deep_research_background"}},
		"deep research with background false": {agentRequest(research, `"background":false`),
			[]string{"/background deep_research_background"}},
		"deep research with instructions": {agentRequest(research, `"background":true,"system_instruction":"Be brief."`),
			[]string{"/system_instruction deep_research_system_instruction"}},
		"antigravity in the background": {agentRequest(antigravity, `"background":true,"environment":"remote"`),
			[]string{"/background antigravity_background"}},
		"antigravity without an environment": {agentRequest(antigravity, ""), []string{"/environment antigravity_environment"}},
		"a continuation in the background": {modelRequest(`"background":true,"continuation_token":"t"`),
			[]string{"/continuation_token continuation_background"}},
		"file search and Google search": {modelRequest(`"tools":[{"type":"google_search"},{"type":"file_search"}]`),
			[]string{"/tools/1 file_search_google_search"}},
		"file search and url context": {modelRequest(`"tools":[{"type":"file_search"},{"type":"url_context"}]`),
			[]string{"/tools/0 file_search_url_context"}},
		"file search and code":                {modelRequest(`"tools":[{"type":"file_search"},{"type":"code_execution"}]`), nil},
		"background deep research":            {agentRequest(research, `"background":true,"store":true,"stream":true`), nil},
		"antigravity with an environment":     {agentRequest(antigravity, `"environment":{"type":"remote"}`), nil},
		"a webhook":                           {modelRequest(`"background":true,"webhook_config":{}`), nil},
		"an interaction that is not stored":   {modelRequest(`"store":false,"background":false`), nil},
		"a model with all tools but a search": {modelRequest(`"tools":[{"type":"url_context"},{"type":"code_execution"},{"type":"google_maps"},{"type":"function","name":"f"},{"type":"mcp_server","name":"s","url":"https://example.com"},{"type":"unheard_of"}]`), nil},
	} {
		err := interactions.ValidateRequest(decodeRequest(t, tt.body))
		if diff := cmp.Diff(tt.want, violations(err)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func TestWhatTheGeminiAPIRefusesIsReported(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"no input":      {`{"model":"m"}`, []string{"/input required"}},
		"an empty text": {`{"model":"m","input":""}`, []string{"/input required"}},
		"an empty list": {`{"model":"m","input":[]}`, []string{"/input required"}},
		"a continuation without input": {`{"model":"m","continuation_token":"t","previous_interaction_id":"v1_a"}`,
			nil},
		"removed members": {modelRequest(`"cached_content":"cachedContents/a","response_mime_type":"application/json","tool_config":{}`),
			[]string{"/cached_content removed", "/response_mime_type removed", "/tool_config removed"}},
		"settings of generateContent": {modelRequest(`"generation_config":{"presence_penalty":0,"frequency_penalty":1,"logprobs":3,"response_logprobs":true,"candidate_count":1,"thinking_budget":0}`),
			[]string{"/generation_config/presence_penalty removed", "/generation_config/frequency_penalty removed", "/generation_config/response_logprobs removed", "/generation_config/logprobs removed", "/generation_config/candidate_count removed", "/generation_config/thinking_budget removed"}},
		"no tokens": {modelRequest(`"generation_config":{"max_output_tokens":0}`), []string{"/generation_config/max_output_tokens range"}},
		"enums in upper case": {modelRequest(`"response_modalities":["text","IMAGE"],"service_tier":"FLEX","generation_config":{"thinking_level":"HIGH","thinking_summaries":"AUTO","tool_choice":"ANY"},"tools":[{"type":"google_search","search_types":["WEB_SEARCH"]},{"type":"computer_use","environment":"Browser"}]`),
			[]string{"/service_tier case", "/response_modalities/1 case", "/generation_config/thinking_level case", "/generation_config/thinking_summaries case", "/generation_config/tool_choice case", "/tools/0/search_types/0 case", "/tools/1/environment case"}},
		"a mode in upper case": {modelRequest(`"generation_config":{"tool_choice":{"allowed_tools":{"mode":"ANY","tools":["f"]}}}`),
			[]string{"/generation_config/tool_choice/allowed_tools/mode case"}},
		"a tool without a type": {modelRequest(`"tools":[{}]`), []string{"/tools/0/type required"}},
		"functions without names": {modelRequest(`"tools":[{"type":"function"},{"type":"function","name":""},{"type":"function","name":"f"},{"type":"function","name":"f"}]`),
			[]string{"/tools/0/name required", "/tools/1/name required", "/tools/3/name unique"}},
		"empty lists in schemas": {modelRequest(`"tools":[{"type":"function","name":"f","parameters":{"type":"object","required":[],"properties":{"a/b":{"items":{"required":[]},"required":["x"]},"required":{"type":"string"}},"anyOf":[{"required":[]}],"default":{"required":[]}}}],"response_format":{"type":"text","schema":{"required":[]}}`),
			[]string{"/response_format/schema/required length", "/tools/0/parameters/required length", "/tools/0/parameters/properties/a~1b/items/required length", "/tools/0/parameters/anyOf/0/required length"}},
	} {
		err := interactions.ValidateRequest(decodeRequest(t, tt.body))
		if diff := cmp.Diff(tt.want, violations(err)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
	if err := interactions.ValidateRequest(nil); !errors.Is(err, validation.ErrNotStruct) {
		t.Errorf("nil: %v", err)
	}
}

// Members that only Vertex AI has are refused on the Gemini API.
func TestMembersOfVertexAIAreGated(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"safety settings": {modelRequest(`"safety_settings":[{"type":"jailbreak","threshold":"off"}]`), []string{"/safety_settings vertex"}},
		"labels":          {modelRequest(`"labels":{"a":"b"}`), []string{"/labels vertex"}},
		"a deferred tier": {modelRequest(`"service_tier":"deferred"`), []string{"/service_tier vertex"}},
		"retrieval":       {modelRequest(`"tools":[{"type":"retrieval"}]`), []string{"/tools/0/type vertex"}},
		"an enterprise search": {modelRequest(`"tools":[{"type":"google_search","search_types":["web_search","enterprise_web_search"]}]`),
			[]string{"/tools/0/search_types/1 vertex"}},
		"BigQuery":    {agentRequest(research, `"background":true,"agent_config":{"type":"deep-research","enable_bigquery_tool":true}`), []string{"/agent_config/enable_bigquery_tool vertex"}},
		"a gcs_uri":   {modelRequest(`"response_format":{"type":"video","delivery":"uri","gcs_uri":"gs://a/b"}`), []string{"/response_format/gcs_uri vertex"}},
		"image files": {modelRequest(`"response_format":[{"type":"text"},{"type":"image","delivery":"uri"}]`), []string{"/response_format/1/delivery vertex"}},
		"audio formats": {modelRequest(`"response_format":{"type":"audio","delivery":"inline","mime_type":"audio/mp3","sample_rate":24000}`),
			[]string{"/response_format/delivery vertex", "/response_format/mime_type vertex"}},
		"an object of voices": {modelRequest(`"generation_config":{"speech_config":{"speakers":[{"speaker":"A","voice":"Kore","language":"en-US"}]}}`),
			[]string{"/generation_config/speech_config list"}},
		"one voice that is not a list": {modelRequest(`"generation_config":{"speech_config":{"voice":"Kore","language":"en-US"}}`),
			[]string{"/generation_config/speech_config list"}},
		"voices within a voice": {modelRequest(`"generation_config":{"speech_config":[{"speakers":[]}]}`),
			[]string{"/generation_config/speech_config/0/speakers list"}},
		"a list of voices": {modelRequest(`"generation_config":{"speech_config":[{"voice":"Kore","language":"en-US"}]}`), nil},
	} {
		r := decodeRequest(t, tt.body)
		if diff := cmp.Diff(tt.want, violations(interactions.ValidateRequest(r))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		if err := interactions.ValidateRequest(r, interactions.ForVertexAI()); err != nil {
			t.Errorf("%s, on Vertex AI: %v", name, err)
		}
	}
	for body, want := range map[string][]string{
		`"safety_settings":[{"method":"SEVERITY"}]`:                                                {"/safety_settings/0/type required", "/safety_settings/0/threshold required", "/safety_settings/0/method case"},
		`"labels":{"a/b":"` + strings.Repeat("ä", 64) + `","c":"` + strings.Repeat("ä", 63) + `"}`: {"/labels/a~1b length"},
	} {
		err := interactions.ValidateRequest(decodeRequest(t, modelRequest(body)),
			interactions.ForVertexAI())
		if diff := cmp.Diff(want, violations(err)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", body, diff)
		}
	}
}

// calling is a step of the model that calls a function.
const calling = `{"type":"function_call","id":"c1","name":"f","arguments":{}}`

func TestWhatAnInputMustHave(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		input string
		want  []string
	}{
		"blocks":                   {`[{"type":"text","text":""},{"type":"image","data":"aQ==","mime_type":"image/png"},{"type":"document","uri":"files/a"}]`, nil},
		"one block":                {`{"type":"text","text":"Hi"}`, nil},
		"one block without a text": {`{"type":"text"}`, []string{"/input/text required"}},
		"media without a source": {`[{"type":"image"},{"type":"user_input","content":[{"type":"text","text":"a"},{"type":"audio","mime_type":"audio/wav"}]}]`,
			[]string{"/input/0 source", "/input/1/content/1 source"}},
		"a resolution in upper case": {`[{"type":"image","uri":"files/a","resolution":"HIGH"}]`, []string{"/input/0/resolution case"}},
		"a block without a type":     {`[{"type":"user_input","content":[{"data":"aQ=="}]}]`, []string{"/input/0/content/0/type required"}},
		"a step without a type":      {`[{"content":"Hi"}]`, []string{"/input/0/type required"}},
		"a thought of the user": {`[{"type":"user_input","content":[{"type":"thought","signature":"s"}]}]`,
			[]string{"/input/0/content/0/type thought_in_user_input"}},
		"a thought of the model": {`[{"type":"thought","signature":"s","summary":[{"type":"text","text":"a"}]},{"type":"user_input","content":"Hi"}]`, nil},
		"turns of the revision before": {`[{"role":"user","content":"Hi"},{"role":"model","content":[{"type":"thought"}]}]`,
			[]string{"/input/0/role removed", "/input/1/role removed"}},
		"processing in a step of the user":  {`[{"type":"user_input","content":[{"type":"video","uri":"files/a","processing":{"type":"static","fps":1}}]}]`, nil},
		"processing in a list of content":   {`[{"type":"video","uri":"files/a","processing":"agentic"}]`, []string{"/input/0/processing processing_outside_user_input"}},
		"processing in an answer":           {`[{"type":"model_output","content":[{"type":"video","uri":"files/a","processing":"static"}]}]`, []string{"/input/0/content/0/processing processing_outside_user_input"}},
		"results in another order":          {`[{"type":"function_call","id":"a","name":"f"},{"type":"function_call","id":"b","name":"f"},{"type":"function_result","call_id":"b","result":"2"},{"type":"function_result","call_id":"a","result":{"n":1}}]`, nil},
		"a result before its call":          {`[{"type":"function_result","call_id":"c1","result":[]},` + calling + `]`, nil},
		"a result without a call_id":        {`[` + calling + `,{"type":"function_result","name":"f","result":"1"}]`, []string{"/input/1/call_id required"}},
		"a result without a result":         {`[` + calling + `,{"type":"function_result","call_id":"c1"}]`, []string{"/input/1/result required"}},
		"a result of no call":               {`[` + calling + `,{"type":"function_result","call_id":"c2","result":"1"}]`, []string{"/input/1/call_id call_id"}},
		"a result in a step of the user":    {`[` + calling + `,{"type":"user_input","content":[{"type":"function_result","call_id":"c1","result":"1"}]}]`, nil},
		"such a result without a call_id":   {`[` + calling + `,{"type":"user_input","content":[{"type":"function_result","result":"1"}]}]`, []string{"/input/1/content/0/call_id required"}},
		"such a result of no call":          {`[` + calling + `,{"type":"user_input","content":[{"type":"function_result","call_id":"x","result":"1"}]}]`, []string{"/input/1/content/0/call_id call_id"}},
		"a call without its members":        {`[{"type":"function_call","arguments":"{}"}]`, []string{"/input/0/id required", "/input/0/name required", "/input/0/arguments type"}},
		"steps and blocks of unknown types": {`[{"type":"unheard_of"},{"type":"user_input","content":[{"type":"hologram"}]}]`, nil},
		"a summary without a type":          {`[{"type":"thought","summary":[{"text":"a"}]}]`, []string{"/input/0/summary/0/type required"}},
	} {
		err := interactions.ValidateRequest(decodeRequest(t, inputRequest(tt.input)))
		if diff := cmp.Diff(tt.want, violations(err)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// The calls of a stored interaction are unknown here.
func TestResultsOfAStoredInteractionPass(t *testing.T) {
	t.Parallel()
	const input = `"input":[{"type":"function_result","call_id":"c9","result":"1"}]`
	err := interactions.ValidateRequest(decodeRequest(t,
		`{"model":"gemini-3.5-flash",`+input+`,"previous_interaction_id":"v1_a"}`))
	if err != nil {
		t.Error(err)
	}
}

func TestGemini25RefusesResultsOfContent(t *testing.T) {
	t.Parallel()
	for model, want := range map[string][]string{
		"gemini-2.5-flash": {"/input/1/result result_of_gemini_2_5"},
		"gemini-3.5-flash": nil,
	} {
		err := interactions.ValidateRequest(decodeRequest(t, `{"model":"`+model+`","input":[`+calling+
			`,{"type":"function_result","call_id":"c1","result":[{"type":"text","text":"1"}]}]}`))
		if diff := cmp.Diff(want, violations(err)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", model, diff)
		}
	}
}

func TestARequestOfConstructorsIsValid(t *testing.T) {
	t.Parallel()
	called := interactionsapi.Step{Type: interactionsapi.StepTypeFunctionCall, ID: new("c1"),
		Name: new("f"), Arguments: jsontext.Value(`{}`)}
	r := &interactionsapi.CreateInteractionRequest{
		Model: new("gemini-3.5-flash"),
		Input: interactions.InputOf(interactions.UserText("Hi"), called,
			interactions.FunctionResult(&called, jsontext.Value(`{"n":1}`))),
		Tools: []interactionsapi.Tool{interactions.FunctionTool("f", "Does it.",
			jsontext.Value(`{"type":"object","properties":{}}`))},
	}
	if err := interactions.ValidateRequest(r); err != nil {
		t.Error(err)
	}
}

// A violation names a location and what would be right, and no value of the request.
func TestErrorsOfRequestsHaveNoValues(t *testing.T) {
	t.Parallel()
	const secret = "AIzaSecretSecretSecret"
	body := `{"model":"` + secret + `","agent":"` + secret + `","input":[{"role":"` + secret +
		`"},{"type":"function_result","call_id":"` + secret + `","result":"` + secret +
		`"},{"type":"function_call","arguments":"` + secret + `"},{"type":"image","resolution":"` +
		secret + `"}],"service_tier":"` + secret + `","cached_content":"` + secret +
		`","labels":{"a":"` + secret + `"},"tools":[{"type":"mcp_server","headers":{"Authorization":"` +
		secret + `"}},{"type":"google_search","search_types":["` + secret + `"]}],` +
		`"response_modalities":["` + secret + `"],"generation_config":{"tool_choice":"` + secret + `"}}`
	err := interactions.ValidateRequest(decodeRequest(t, body))
	if got := len(violations(err)); got < 10 {
		t.Errorf("only %d violations: %v", got, err)
	}
	all, _ := errors.AsType[*validation.Error](err)
	for _, v := range all.Violations {
		if strings.Contains(v.Error()+v.Value, secret) {
			t.Errorf("%v has a value of the request", v)
		}
	}
}
