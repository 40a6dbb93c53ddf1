package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

// What a model refuses at one service is omitted or expressed otherwise. It is sent where it is
// accepted.
func TestSettingsThatTheModelRefusesAreAvoided(t *testing.T) {
	t.Parallel()
	const (
		function = `"tools":[{"type":"function","function":{"name":"now"}}]`
		declared = `"tools":[{"functionDeclarations":[{"name":"now"}]}]`
		schema   = `{"type":"object","properties":{"a":{"type":"string"}}}`
		asked    = `Write every answer that is not a call of a function as JSON alone, without other text around it.`
		pro      = "gemini-2.5-pro"
	)
	vertex := []request.Option{request.ForVertexAI()}
	for _, tt := range []struct {
		name, model, in, want string
		opts                  []request.Option
		reports               []string
	}{
		{name: "penalties", model: "gemini-2.5-flash",
			in:      `"presence_penalty":0.5,"frequency_penalty":-1`,
			reports: []string{"lost /presence_penalty", "lost /frequency_penalty"}},
		{name: "penalties of the newest model", model: "gemini-3.8-flash",
			in:      `"presence_penalty":0.5,"frequency_penalty":0`,
			want:    `"generationConfig":{"frequencyPenalty":0}`,
			reports: []string{"lost /presence_penalty"}},
		{name: "penalties of extra_body", model: pro,
			in:      `"extra_body":{"google":{"frequencyPenalty":1}}`,
			reports: []string{"lost /extra_body/google/frequencyPenalty"}},
		{name: "penalties that are taken", model: "gemini-2.0-flash", in: `"presence_penalty":0.5`, want: `"generationConfig":{"presencePenalty":0.5}`},
		{name: "penalties for Vertex AI", model: "gemini-3.8-flash", in: `"presence_penalty":0.5`, want: `"generationConfig":{"presencePenalty":0.5}`, opts: vertex},
		{name: "penalties for an unknown model", model: "mine", in: `"presence_penalty":0.5`, want: `"generationConfig":{"presencePenalty":0.5}`, reports: []string{"approximated /model"}},

		{name: "log probabilities", model: "gemini-2.5-flash-lite",
			in:      `"logprobs":true,"top_logprobs":3`,
			reports: []string{"lost /logprobs", "lost /top_logprobs"}},
		{name: "log probabilities that are not asked for", model: pro, in: `"logprobs":false`, want: `"generationConfig":{"responseLogprobs":false}`},
		{name: "log probabilities for Vertex AI", model: pro, in: `"logprobs":true,"top_logprobs":3`, want: `"generationConfig":{"responseLogprobs":true,"logprobs":3}`, opts: vertex},

		{name: "JSON from functions", model: pro,
			in:      function + `,"response_format":{"type":"json_object"}`,
			want:    declared + `,"systemInstruction":{"parts":[{"text":"` + asked + `"}]}`,
			reports: []string{"approximated /response_format"}},
		{name: "JSON by a schema from functions", model: "gemini-2.0-flash",
			in: function +
				`,"response_format":{"type":"json_schema","json_schema":{"name":"n","strict":false,"schema":` +
				schema + `}}`,
			want: declared + `,"systemInstruction":{"parts":[{"text":"` + asked +
				` It has to be valid by this JSON Schema: {\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}"}]}`,
			reports: []string{"approximated /response_format/json_schema/name",
				"approximated /response_format"}},
		{name: "JSON by extra_body", model: pro,
			in: function +
				`,"extra_body":{"google":{"response_mime_type":"application/json"}}`,
			want:    declared + `,"systemInstruction":{"parts":[{"text":"` + asked + `"}]}`,
			reports: []string{"approximated /extra_body/google/response_mime_type"}},
		{name: "JSON from functions that are not to be called", model: pro,
			in: function + `,"tool_choice":"none","response_format":{"type":"json_object"}`,
			want: declared +
				`,"toolConfig":{"functionCallingConfig":{"mode":"NONE"}},"generationConfig":{"responseMimeType":"application/json"}`},
		{name: "JSON from functions since Gemini 3", model: levelModel,
			in:   function + `,"response_format":{"type":"json_object"}`,
			want: declared + `,"generationConfig":{"responseMimeType":"application/json"}`},
		{name: "JSON from functions for Vertex AI", model: pro,
			in: function + `,"response_format":{"type":"json_object"}`, opts: vertex,
			want: declared + `,"generationConfig":{"responseMimeType":"application/json"}`},

		{name: "a search next to functions", model: pro, in: function + `,"web_search_options":{}`, want: declared, reports: []string{"lost /web_search_options"}},
		{name: "a search of extra_body next to functions", model: "gemini-2.0-flash",
			in: function +
				`,"extra_body":{"google":{"tools":[{"url_context":{}},{"google_search":{}}]}}`,
			want:    `"tools":[{"functionDeclarations":[{"name":"now"}]},{"urlContext":{}}]`,
			reports: []string{"lost /extra_body/google/tools/1"}},
		{name: "a search next to functions since Gemini 3", model: levelModel,
			in:      `"extra_body":{"google":{"tools":[{"function_declarations":[{"name":"now"}],"google_search":{}}]}}`,
			want:    `"tools":[{"functionDeclarations":[{"name":"now"}],"googleSearch":{}}],"toolConfig":{"includeServerSideToolInvocations":true}`,
			reports: []string{"added /extra_body/google/tool_config/include_server_side_tool_invocations"}},
		{name: "a search next to functions for Vertex AI", model: pro,
			in: function + `,"web_search_options":{}`, opts: vertex,
			want: `"tools":[{"functionDeclarations":[{"name":"now"}]},{"googleSearch":{}}]`},

		{name: "labels", model: pro, in: `"extra_body":{"google":{"labels":{"team":"a"}}}`,
			want:    `"labels":{"team":"a"}`,
			reports: []string{"approximated /extra_body/google/labels"}},
		{name: "labels for Vertex AI", model: pro, in: `"extra_body":{"google":{"labels":{"team":"a"}}}`, want: `"labels":{"team":"a"}`, opts: vertex},
		{name: "an answer that is not kept, for Vertex AI", model: pro, in: `"store":false`, opts: vertex, reports: []string{"approximated /store"}},
		{name: "an answer that is not kept", model: pro, in: `"store":false`, want: `"store":false`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := `{"model":"models/` + tt.model + `",`
			reports := tt.reports
			if tt.opts != nil {
				want = `{`
				reports = append([]string{"approximated /model"}, reports...)
			}
			want += `"contents":[{"role":"user","parts":[{"text":"Hello."}]}]`
			if tt.want != "" {
				want += "," + tt.want
			}
			got, report := ask(t, tt.model, tt.in, tt.opts...)
			openaitest.Subset(t, got, want+"}")
			openaitest.Subset(t, want+"}", got)
			openaitest.Reports(t, report, reports...)
		})
	}
}
