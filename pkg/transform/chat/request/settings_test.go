package request_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/gemwire/gemwire/pkg/validation"
)

// ask converts a request with one message and the given members, for example `"n":2`.
func ask(t testing.TB, model, members string, opts ...request.Option) (string, report.Report) {
	t.Helper()
	out, report, err := tryAsk(t, model, members, opts...)
	if err != nil {
		t.Fatal(err)
	}
	data, err := gemini.EncodeRequest(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), report
}

func tryAsk(t testing.TB, model, members string,
	opts ...request.Option) (*geminiapi.GenerateContentRequest, report.Report, error) {
	t.Helper()
	if members != "" {
		members = "," + members
	}
	in := openaitest.DecodeRequest(t,
		`{"model":"`+model+`","messages":[{"role":"user","content":"Hello."}]`+members+`}`)
	return request.ToGemini(in, opts...)
}

// settings fails the test unless the Gemini request has exactly the message and the given members.
func settings(t testing.TB, got, model, want string) {
	t.Helper()
	if want != "" {
		want = "," + want
	}
	whole := `{"model":"models/` + model +
		`","contents":[{"role":"user","parts":[{"text":"Hello."}]}]` + want + `}`
	openaitest.Subset(t, got, whole)
	openaitest.Subset(t, whole, got)
}

// refused fails the test unless the request is refused at the pointer, with a reason that contains
// the words.
func refused(t testing.TB, err error, pointer, words string) {
	t.Helper()
	fault, ok := errors.AsType[*request.Error](err)
	if !ok {
		t.Fatalf("got error %v, want a *RequestError", err)
	}
	if fault.Pointer != pointer || !strings.Contains(fault.Error(), words) {
		t.Errorf("got %q at %q, want %q at %q", fault.Error(), fault.Pointer, words, pointer)
	}
}

const (
	budgetModel   = "gemini-2.5-flash"
	logprobsModel = "gemini-2.0-flash"
	levelModel    = "gemini-3.6-flash"
	oldModel      = "gemini-1.5-pro"
)

const function = `{"type":"function","function":{"name":"now","description":"The time"}}`

func TestSettings(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		model   string // budgetModel without
		in      string
		want    string
		reports []string
		opts    []request.Option
	}{
		"none": {},
		"sampling": {
			model: "gemini-2.0-flash",
			in:    `"temperature":0.5,"top_p":0.9,"presence_penalty":1,"frequency_penalty":-1,"n":2,"seed":7`,
			want:  `"generationConfig":{"temperature":0.5,"topP":0.9,"presencePenalty":1,"frequencyPenalty":-1,"candidateCount":2,"seed":7}`,
		},
		"zeros are settings": {
			in:   `"temperature":0,"top_p":0,"presence_penalty":0,"frequency_penalty":0,"seed":0`,
			want: `"generationConfig":{"temperature":0,"topP":0,"presencePenalty":0,"frequencyPenalty":0,"seed":0}`,
		},
		"a long seed":           {in: `"seed":4294967303`, want: `"generationConfig":{"seed":6}`, reports: []string{"approximated /seed"}},
		"a negative seed":       {in: `"seed":-3`, want: `"generationConfig":{"seed":-3}`},
		"the newer token limit": {in: `"max_completion_tokens":50`, want: `"generationConfig":{"maxOutputTokens":50}`},
		"the older token limit": {in: `"max_tokens":50`, want: `"generationConfig":{"maxOutputTokens":50}`},
		"both token limits": {
			in:      `"max_tokens":60,"max_completion_tokens":50`,
			want:    `"generationConfig":{"maxOutputTokens":50}`,
			reports: []string{"lost /max_tokens"},
		},
		"the same token limit twice": {in: `"max_tokens":50,"max_completion_tokens":50`, want: `"generationConfig":{"maxOutputTokens":50}`},
		"one stop":                   {in: `"stop":"END"`, want: `"generationConfig":{"stopSequences":["END"]}`},
		"two stops":                  {in: `"stop":["a","b"]`, want: `"generationConfig":{"stopSequences":["a","b"]}`},
		"no stops":                   {in: `"stop":[]`},
		"P4: log probabilities":      {in: `"logprobs":true,"top_logprobs":3`, want: `"generationConfig":{"responseLogprobs":true,"logprobs":3}`, model: logprobsModel},
		"no alternatives":            {in: `"logprobs":true,"top_logprobs":0`, want: `"generationConfig":{"responseLogprobs":true,"logprobs":0}`, model: logprobsModel},
		"alternatives of nothing":    {in: `"top_logprobs":3`, reports: []string{"lost /top_logprobs"}},
		"alternatives without log probabilities": {
			in:      `"logprobs":false,"top_logprobs":3`,
			want:    `"generationConfig":{"responseLogprobs":false}`,
			reports: []string{"lost /top_logprobs"},
		},
		"modalities": {
			in:    `"modalities":["text","image"]`,
			want:  `"generationConfig":{"responseModalities":["TEXT","IMAGE"]}`,
			model: "gemini-2.5-flash-image",
		},
		"a voice": {
			in:    `"modalities":["audio"],"audio":{"voice":"Kore","format":"pcm16"}`,
			want:  `"generationConfig":{"responseModalities":["AUDIO"],"speechConfig":{"voiceConfig":{"prebuiltVoiceConfig":{"voiceName":"Kore"}}}}`,
			model: "gemini-2.5-flash-preview-tts",
		},
		"a voice of OpenAI's": {
			in:      `"modalities":["audio"],"audio":{"voice":"alloy","format":"mp3","x":1}`,
			want:    `"generationConfig":{"responseModalities":["AUDIO"]}`,
			model:   "gemini-2.5-flash-preview-tts",
			reports: []string{"lost /audio/voice", "lost /audio/format", "lost /audio/x"},
		},
		"a voice of the caller's own": {
			in:      `"modalities":["audio"],"audio":{"voice":{"id":"v1"},"format":"pcm16"}`,
			want:    `"generationConfig":{"responseModalities":["AUDIO"]}`,
			model:   "gemini-2.5-flash-preview-tts",
			reports: []string{"lost /audio/voice"},
		},

		"a text format": {in: `"response_format":{"type":"text"}`, want: `"generationConfig":{"responseMimeType":"text/plain"}`},
		"a JSON format": {in: `"response_format":{"type":"json_object"}`, want: `"generationConfig":{"responseMimeType":"application/json"}`},
		"a MIME type":   {in: `"response_format":"application/json"`, want: `"generationConfig":{"responseMimeType":"application/json"}`},
		"a schema not asked for": {
			in:      `"response_format":{"type":"json_object","json_schema":{"name":"x"},"y":1}`,
			want:    `"generationConfig":{"responseMimeType":"application/json"}`,
			reports: []string{"lost /response_format/y", "lost /response_format/json_schema"},
		},
		"a schema": {
			in:      `"response_format":{"type":"json_schema","json_schema":{"name":"city","strict":true,"schema":{"type":"object","properties":{"n":{"type":["string","null"],"x-y":1}},"additionalProperties":false}}}`,
			want:    `"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"object","properties":{"n":{"type":["string","null"],"x-y":1}},"additionalProperties":false}}`,
			reports: []string{"approximated /response_format/json_schema/name"},
		},
		"a described schema": {
			in:   `"response_format":{"type":"json_schema","json_schema":{"name":"city","description":"A \"city\"","strict":false,"z":1,"schema":{"type":"object"}}}`,
			want: `"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"description":"A \"city\"","type":"object"}}`,
			reports: []string{"approximated /response_format/json_schema/name",
				"approximated /response_format/json_schema/strict",
				"lost /response_format/json_schema/z"},
		},
		"a schema that describes itself": {
			in:   `"response_format":{"type":"json_schema","json_schema":{"name":"city","description":"outer","schema":{"description":"inner","type":"object"}}}`,
			want: `"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"description":"inner","type":"object"}}`,
			reports: []string{"lost /response_format/json_schema/description",
				"approximated /response_format/json_schema/name"},
		},
		"a schema that only refers to another": {
			in:   `"response_format":{"type":"json_schema","json_schema":{"name":"city","description":"outer","schema":{"$ref":"#/$defs/c","$defs":{"c":{"type":"object"}}}}}`,
			want: `"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"$ref":"#/$defs/c","$defs":{"c":{"type":"object"}}}}`,
			reports: []string{"lost /response_format/json_schema/description",
				"approximated /response_format/json_schema/name"},
		},
		"a schema that describes itself, for an old model": {
			model: oldModel,
			in:    `"response_format":{"type":"json_schema","json_schema":{"name":"c","description":"outer","schema":{"type":"string","description":"inner"}}}`,
			want:  `"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"STRING","description":"inner"}}`,
			reports: []string{"lost /response_format/json_schema/description",
				"approximated /response_format/json_schema/name"},
		},
		"a described schema of nothing": {
			in:      `"response_format":{"type":"json_schema","json_schema":{"name":"any","description":"d","schema":{}}}`,
			want:    `"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"description":"d"}}`,
			reports: []string{"approximated /response_format/json_schema/name"},
		},
		"a format without schema": {
			in:   `"response_format":{"type":"json_schema","json_schema":{"name":"any","description":"d"}}`,
			want: `"generationConfig":{"responseMimeType":"application/json"}`,
			reports: []string{"lost /response_format/json_schema/description",
				"approximated /response_format/json_schema/name"},
		},
		"a schema for an old model": {
			model: oldModel,
			in:    `"response_format":{"type":"json_schema","json_schema":{"name":"c","description":"A city","schema":{"type":"object","properties":{"n":{"type":"string","not":{"type":"null"}}}}}}`,
			want:  `"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT","description":"A city","properties":{"n":{"type":"STRING"}}}}`,
			reports: []string{"lost /response_format/json_schema/schema/properties/n/not",
				"approximated /response_format/json_schema/name"},
		},
		"a schema in Gemini's own form": {
			in:      `"response_format":{"type":"json_schema","json_schema":{"name":"c","schema":{"type":"object","properties":{"n":{"type":"string"}}}}}`,
			want:    `"generationConfig":{"responseMimeType":"application/json","responseSchema":{"type":"OBJECT","properties":{"n":{"type":"STRING"}}}}`,
			reports: []string{"approximated /response_format/json_schema/name"},
			opts:    []request.Option{request.WithSchemaForm()},
		},

		"a web search": {in: `"web_search_options":{}`, want: `"tools":[{"googleSearch":{}}]`},
		"a web search with wishes": {
			in:   `"web_search_options":{"search_context_size":"low","user_location":{"type":"approximate","approximate":{"city":"Porto"}},"x":1}`,
			want: `"tools":[{"googleSearch":{}}]`,
			reports: []string{"lost /web_search_options/search_context_size",
				"lost /web_search_options/user_location", "lost /web_search_options/x"},
		},

		"an empty stop":         {in: `"stop":""`, reports: []string{"approximated /stop"}},
		"an empty stop of some": {in: `"stop":["","a"]`, want: `"generationConfig":{"stopSequences":["a"]}`, reports: []string{"approximated /stop"}},

		"the default tier":      {in: `"service_tier":"default"`, want: `"serviceTier":"standard"`},
		"the flexible tier":     {in: `"service_tier":"flex"`, want: `"serviceTier":"flex"`},
		"the preferred tier":    {in: `"service_tier":"priority"`, want: `"serviceTier":"priority"`},
		"the quick tier":        {in: `"service_tier":"fast"`, want: `"serviceTier":"priority"`, reports: []string{"approximated /service_tier"}},
		"any tier":              {in: `"service_tier":"auto"`, reports: []string{"approximated /service_tier"}},
		"the bought tier":       {in: `"service_tier":"scale"`, reports: []string{"lost /service_tier"}},
		"an unknown tier":       {in: `"service_tier":"gold"`, reports: []string{"lost /service_tier"}},
		"kept":                  {in: `"store":true`, reports: []string{"lost /store"}},
		"not kept":              {in: `"store":false`, want: `"store":false`},
		"notes":                 {in: `"metadata":{"a":"b"}`, reports: []string{"lost /metadata"}},
		"notes for Vertex AI":   {in: `"metadata":{"a":"b"}`, reports: []string{"lost /metadata"}, opts: []request.Option{request.WithMetadataAsLabels()}},
		"P3: parallel calls":    {in: `"parallel_tool_calls":true`},
		"P3: no parallel calls": {in: `"parallel_tool_calls":false`, reports: []string{"lost /parallel_tool_calls"}},
		"streaming": {
			in:      `"stream":true,"stream_options":{"include_usage":true}`,
			reports: []string{"approximated /stream", "approximated /stream_options"},
		},
		"not streaming": {in: `"stream":false`},
		"members that only OpenAI's service uses": {
			in: `"logit_bias":{"5":1},"moderation":{"model":"m"},"parallel_tool_calls":false,"prediction":{"type":"content","content":"x"},` +
				`"prompt_cache_key":"k","prompt_cache_options":{"mode":"implicit"},"prompt_cache_retention":"24h","safety_identifier":"s","user":"u","verbosity":"low"`,
			reports: []string{
				"lost /logit_bias", "lost /moderation", "lost /parallel_tool_calls",
				"lost /prediction", "approximated /prompt_cache_key",
				"approximated /prompt_cache_options", "approximated /prompt_cache_retention",
				"lost /safety_identifier", "lost /user", "lost /verbosity",
			},
		},
		"null means absent": {in: `"stop":null,"response_format":null,"tools":null,"tool_choice":null,"extra_body":null,"top_k":null,"whatever":null`},
		"unknown members":   {in: `"repetition_penalty":1.1,"a/b":{"c":1}`, reports: []string{"lost /repetition_penalty", "lost /a~1b"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := test.model
			if model == "" {
				model = budgetModel
			}
			got, report := ask(t, model, test.in, test.opts...)
			settings(t, got, model, test.want)
			openaitest.Reports(t, report, test.reports...)
		})
	}
}

func TestSettingsForVertexAI(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in      string
		want    string
		reports []string
		opts    []request.Option
	}{
		"tiers": {in: `"service_tier":"flex"`, want: `"serviceTier":"flex"`,
			reports: []string{"approximated /service_tier"}},
		"the default tier": {in: `"service_tier":"default"`, reports: []string{"approximated /service_tier"}},
		"kept":             {in: `"store":true`, reports: []string{"lost /store"}},
		"not kept":         {in: `"store":false`, reports: []string{"approximated /store"}},
		"notes":            {in: `"metadata":{"a":"b"}`, reports: []string{"lost /metadata"}},
		"notes as labels": {
			in:      `"metadata":{"team":"search_1","Team":"x","b":"With space","ünder":"ü","1":"a"}`,
			want:    `"labels":{"team":"search_1","ünder":"ü"}`,
			reports: []string{"lost /metadata/1", "lost /metadata/Team", "lost /metadata/b"},
			opts:    []request.Option{request.WithMetadataAsLabels()},
		},
		"notes that are no labels": {
			in:      `"metadata":{"a":"` + strings.Repeat("x", 64) + `"}`,
			reports: []string{"lost /metadata/a"},
			opts:    []request.Option{request.WithMetadataAsLabels()},
		},
		"the longest label": {
			in:   `"metadata":{"a":"` + strings.Repeat("ü", 63) + `"}`,
			want: `"labels":{"a":"` + strings.Repeat("ü", 63) + `"}`,
			opts: []request.Option{request.WithMetadataAsLabels()},
		},
		"notes next to labels": {
			in:      `"metadata":{"a":"b"},"extra_body":{"google":{"labels":{"c":"d"}}}`,
			want:    `"labels":{"c":"d"}`,
			reports: []string{"lost /metadata"},
			opts:    []request.Option{request.WithMetadataAsLabels()},
		},
		"arguments in pieces": {
			in:   `"tools":[` + function + `],"stream_function_call_arguments":true`,
			want: `"tools":[{"functionDeclarations":[{"name":"now","description":"The time"}]}],"toolConfig":{"functionCallingConfig":{"streamFunctionCallArguments":true}}`,
		},
		"arguments in pieces next to a choice": {
			in: `"tools":[` + function +
				`],"tool_choice":"auto","extra_body":{"google":{"stream_function_call_arguments":false}}`,
			want: `"tools":[{"functionDeclarations":[{"name":"now","description":"The time"}]}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO","streamFunctionCallArguments":false}}`,
		},
		"arguments of nothing": {in: `"stream_function_call_arguments":true`, reports: []string{"approximated /stream_function_call_arguments"}},
		"functions next to a search": {
			in:   `"tools":[` + function + `],"web_search_options":{}`,
			want: `"tools":[{"functionDeclarations":[{"name":"now","description":"The time"}]},{"googleSearch":{}}]`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, report := ask(t, "", test.in,
				append(test.opts, request.ForVertexAI(), request.ForModel(levelModel))...)
			want := `{"contents":[{"role":"user","parts":[{"text":"Hello."}]}]`
			if test.want != "" {
				want += "," + test.want
			}
			openaitest.Subset(t, got, want+"}")
			openaitest.Subset(t, want+"}", got)
			openaitest.Reports(t, report, test.reports...)
		})
	}
}

func TestSettingsThatCannotBeConverted(t *testing.T) {
	t.Parallel()
	const cycle = `{"type":"object","properties":{"child":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"child":{"$ref":"#/$defs/n"}}}}}`
	tests := map[string]struct {
		model, in, pointer, words string
	}{
		"an unknown form":   {in: `"response_format":{"type":"xml"}`, pointer: "/response_format/type", words: "must be text, json_object or json_schema"},
		"no schema":         {in: `"response_format":{"type":"json_schema"}`, pointer: "/response_format/json_schema", words: "must be set"},
		"no function":       {in: `"tools":[` + function + `,{"type":"function"}]`, pointer: "/tools/1/function", words: "must be set"},
		"a list of schemas": {in: `"functions":[{"name":"f","parameters":[]}]`, pointer: "/functions/0/parameters", words: "must be a JSON Schema"},
		"P1: a cache next to tools": {
			in:      `"cached_content":"cachedContents/1","tools":[` + function + `]`,
			pointer: "/cached_content", words: "must not be combined with a tool,",
		},
		"P1: a cache next to a tool choice": {
			in:      `"extra_body":{"google":{"cached_content":"cachedContents/1","tool_config":{"retrieval_config":{"language_code":"en"}}}}`,
			pointer: "/extra_body/google/cached_content", words: "must not be combined with a tool choice",
		},
		"P1: a cache next to a system message": {
			in:      `"cached_content":"cachedContents/1","messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}]`,
			pointer: "/cached_content", words: "must not be combined with an instruction",
		},
		"two ways of setting the thinking": {
			in:      `"reasoning_effort":"low","extra_body":{"google":{"thinking_config":{"include_thoughts":true}}}`,
			pointer: "/reasoning_effort", words: "must not be combined with thinking_config",
		},
		"safety settings of a wrong type":   {in: `"extra_body":{"google":{"safety_settings":"none"}}`, pointer: "/extra_body/google/safety_settings", words: "form that Gemini accepts"},
		"a thinking config of a wrong type": {in: `"google":{"thinking_config":7}`, pointer: "/google/thinking_config", words: "form that Gemini accepts"},
		"a flag of a wrong type":            {in: `"stream_function_call_arguments":"yes"`, pointer: "/stream_function_call_arguments", words: "wrong type"},
		"a top_k of a wrong type":           {in: `"top_k":"many"`, pointer: "/top_k", words: "form that Gemini accepts"},
		"J7: a schema without end in Gemini's own form": {
			model: oldModel, in: `"functions":[{"name":"f","parameters":` + cycle + `}]`,
			pointer: "/functions/0/parameters/$defs/n/properties/child/$ref", words: "cycle",
		},
		"J7: an answer's schema without end in Gemini's own form": {
			model: oldModel,
			in: `"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":` +
				cycle + `}}`,
			pointer: "/response_format/json_schema/schema/$defs/n/properties/child/$ref",
			words:   "cycle",
		},
		"values that Gemini is known to refuse":  {in: `"temperature":7`, pointer: "/temperature", words: "7 is out of range"},
		"several that Gemini is known to refuse": {in: `"temperature":7,"max_completion_tokens":-1`, words: "/temperature: 7 is out of range; must be from 0 to 2; /max_completion_tokens: -1"},
		"values of extra_body that Gemini is known to refuse": {
			in:      `"extra_body":{"google":{"temperature":7}}`,
			pointer: "/extra_body/google/temperature", words: "7 is out of range",
		},
		"a function whose name Gemini refuses": {
			in:      `"tools":[` + function + `,{"type":"function","function":{"name":"no name"}}]`,
			pointer: "/tools/1/function", words: "no name",
		},
		"an older function whose name Gemini refuses": {in: `"functions":[{"name":"no name"}]`, pointer: "/functions/0", words: "no name"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := `{"messages":[{"role":"user","content":"Hello."}],` + test.in + `}`
			if strings.Contains(test.in, `"messages"`) {
				in = `{` + test.in + `}`
			}
			model := test.model
			if model == "" {
				model = budgetModel
			}
			out, _, err := request.ToGemini(openaitest.DecodeRequest(t, in),
				request.ForModel(model))
			refused(t, err, test.pointer, test.words)
			if out != nil {
				t.Error("an error came with a result")
			}
		})
	}
}

func TestWithoutValidationTheConvertedRequestIsReturnedAsItIs(t *testing.T) {
	t.Parallel()
	got, _ := ask(t, budgetModel,
		`"temperature":7,"cached_content":"cachedContents/1","tools":[`+function+`]`,
		request.WithoutValidation())
	settings(t, got, budgetModel,
		`"cachedContent":"cachedContents/1","generationConfig":{"temperature":7},"tools":[{"functionDeclarations":[{"name":"now","description":"The time"}]}]`)
}

func TestARefusalOfGeminisCanBeTakenApart(t *testing.T) {
	t.Parallel()
	_, _, err := tryAsk(t, budgetModel, `"temperature":7`)
	fault, ok := errors.AsType[*validation.Error](err)
	if !ok || len(fault.Violations) != 1 || fault.Violations[0].Pointer != "/temperature" {
		t.Errorf("got %v", err)
	}
}
