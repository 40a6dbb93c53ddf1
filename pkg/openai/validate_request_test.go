package openai_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/validation"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// violations returns the violations of a request as sorted lines of pointer and rule.
func violations(t testing.TB, in *openaiapi.CreateChatCompletionRequest) []string {
	t.Helper()
	err := openai.ValidateRequest(in)
	if err == nil {
		return nil
	}
	fault, ok := errors.AsType[*validation.Error](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	var out []string
	for _, v := range fault.Violations {
		if v.Want == "" {
			t.Errorf("%v does not say what would be right", v)
		}
		out = append(out, v.Pointer+" "+v.Rule)
	}
	slices.Sort(out)
	return out
}

func TestValidRequests(t *testing.T) {
	t.Parallel()
	for name, members := range map[string]string{
		"nothing else":     ``,
		"limits":           `"temperature":2,"top_p":1,"n":128,"frequency_penalty":-2,"presence_penalty":2,"logprobs":true,"top_logprobs":20,"stop":["a","b","c","d"]`,
		"lower limits":     `"temperature":0,"top_p":0,"n":1,"logprobs":true,"top_logprobs":0,"stop":"","logit_bias":{"1":-100,"2":100}`,
		"a MIME type":      `"response_format":"text/x.enum"`,
		"a schema":         `"response_format":{"type":"json_schema","json_schema":{"name":"A-b_9","schema":{"type":"object"}}}`,
		"sound":            `"modalities":["text","audio"],"audio":{"voice":{"id":"v"},"format":"wav"}`,
		"streaming":        `"stream":true,"stream_options":{"include_usage":true}`,
		"a custom tool":    `"tools":[{"type":"custom","custom":{"name":"c","format":{"type":"grammar","grammar":{"definition":"x","syntax":"lark"}}}}],"tool_choice":{"type":"custom","custom":{"name":"c"}}`,
		"a named function": `"functions":[{"name":"f"}],"function_call":{"name":"f"}`,
		"an effort":        `"reasoning_effort":"xhigh","verbosity":"low","service_tier":"flex","extra_body":{"google":{"cached_content":"c"}}`,
		"a search":         `"web_search_options":{"search_context_size":"low","user_location":{"type":"approximate","approximate":{}}}`,
		"a prediction":     `"prediction":{"type":"content","content":[{"type":"text","text":""}]}`,
	} {
		if members != "" {
			members = "," + members
		}
		if got := violations(t,
			openaitest.DecodeRequest(t,
				`{"model":"m","messages":[{"role":"user","content":"Hello."}]`+members+
					`}`)); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestInvalidSettings(t *testing.T) {
	t.Parallel()
	name65 := strings.Repeat("n", 65)
	tests := map[string]struct {
		in   string
		want []string
	}{
		"sampling": {
			`"temperature":2.1,"top_p":-0.1,"n":0,"frequency_penalty":-3,"presence_penalty":3,"top_logprobs":21,"stop":[]`,
			[]string{"/frequency_penalty range", "/n range", "/presence_penalty range",
				"/stop length", "/temperature range", "/top_logprobs logprobs",
				"/top_logprobs range", "/top_p range"},
		},
		"too many":      {`"n":129,"stop":["1","2","3","4","5"],"logit_bias":{"a/b":101}`, []string{"/logit_bias/a~1b range", "/n range", "/stop length"}},
		"too few":       {`"logit_bias":{"1":-101},"functions":[]`, []string{"/functions length", "/logit_bias/1 range"}},
		"names":         {`"reasoning_effort":"heroic","verbosity":"loud","service_tier":"gold","prompt_cache_retention":"1h"`, []string{"/prompt_cache_retention oneof", "/reasoning_effort oneof", "/service_tier oneof", "/verbosity oneof"}},
		"cache options": {`"prompt_cache_options":{"mode":"x","ttl":"1s"}`, []string{"/prompt_cache_options/mode oneof", "/prompt_cache_options/ttl oneof"}},
		"an effort with a thinking config": {
			`"reasoning_effort":"low","extra_body":{"google":{"thinking_config":{}}}`,
			[]string{"/reasoning_effort excluded"},
		},
		"kinds of output": {`"modalities":["smell","audio"]`, []string{"/audio required", "/modalities/0 oneof"}},
		"sound":           {`"audio":{"format":"midi"}`, []string{"/audio/format oneof", "/audio/voice required"}},
		"a voice":         {`"audio":{"format":"wav","voice":{}}`, []string{"/audio/voice/id required"}},
		"a format":        {`"response_format":{"type":"xml"}`, []string{"/response_format/type oneof"}},
		"no schema":       {`"response_format":{"type":"json_schema"}`, []string{"/response_format/json_schema required"}},
		"a schema": {
			`"response_format":{"type":"json_schema","json_schema":{"name":"a b","schema":[]}}`,
			[]string{"/response_format/json_schema/name name",
				"/response_format/json_schema/schema object"},
		},
		"stream options":    {`"stream_options":{}`, []string{"/stream_options stream"}},
		"an identifier":     {`"safety_identifier":"` + name65 + `"`, []string{"/safety_identifier max"}},
		"notes":             {`"metadata":{"` + name65 + `":"v","k":"` + strings.Repeat("v", 513) + `"}`, []string{"/metadata/k max", "/metadata/" + name65 + " max"}},
		"many notes":        {`"metadata":{"1":"","2":"","3":"","4":"","5":"","6":"","7":"","8":"","9":"","10":"","11":"","12":"","13":"","14":"","15":"","16":"","17":""}`, []string{"/metadata length"}},
		"moderation":        {`"moderation":{}`, []string{"/moderation/model required"}},
		"a prediction":      {`"prediction":{"type":"guess"}`, []string{"/prediction/content required", "/prediction/type oneof"}},
		"an odd prediction": {`"prediction":{"type":"content","content":[{"type":"image_url","image_url":{"url":"u"}}]}`, []string{"/prediction/content/0/type oneof"}},
		"a search":          {`"web_search_options":{"search_context_size":"huge","user_location":{"type":"exact"}}`, []string{"/web_search_options/search_context_size oneof", "/web_search_options/user_location/type oneof"}},
		"tools": {
			`"tools":[{},{"type":"function"},{"type":"custom"},{"type":"function","function":{"name":"` +
				name65 +
				`","parameters":7}},{"type":"function","function":{"name":""}},{"type":"custom","custom":{"name":""}}]`,
			[]string{"/tools/0/type oneof", "/tools/1/function required",
				"/tools/2/custom required", "/tools/3/function/name name",
				"/tools/3/function/parameters object", "/tools/4/function/name name",
				"/tools/5/custom/name required"},
		},
		"grammars": {
			`"tools":[{"type":"custom","custom":{"name":"a","format":{"type":"x"}}},{"type":"custom","custom":{"name":"b","format":{"type":"grammar"}}},{"type":"custom","custom":{"name":"c","format":{"type":"grammar","grammar":{"syntax":"y"}}}}]`,
			[]string{"/tools/0/custom/format/type oneof", "/tools/1/custom/format/grammar required",
				"/tools/2/custom/format/grammar/definition required",
				"/tools/2/custom/format/grammar/syntax oneof"},
		},
		"functions":             {`"functions":[{"name":"a.b"}],"function_call":{}`, []string{"/function_call/name required", "/functions/0/name name"}},
		"an older choice":       {`"function_call":"required"`, []string{"/function_call oneof"}},
		"a choice":              {`"tool_choice":"any"`, []string{"/tool_choice oneof"}},
		"a choice of no type":   {`"tool_choice":{}`, []string{"/tool_choice/type oneof"}},
		"a choice of nothing":   {`"tool_choice":{"type":"function"}`, []string{"/tool_choice/function required"}},
		"a choice without name": {`"tool_choice":{"type":"custom","custom":{}}`, []string{"/tool_choice/custom/name required"}},
		"allowed tools":         {`"tool_choice":{"type":"allowed_tools"}`, []string{"/tool_choice/allowed_tools required"}},
		"a mode of allowed tools": {
			`"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"none"}}`,
			[]string{"/tool_choice/allowed_tools/mode oneof",
				"/tool_choice/allowed_tools/tools required"},
		},
		"a custom choice of nothing": {`"tool_choice":{"type":"custom"}`, []string{"/tool_choice/custom required"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := violations(t,
				openaitest.DecodeRequest(t,
					`{"model":"m","messages":[{"role":"user","content":"Hello."}],`+test.in+`}`))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMessagesOfRequestsAreChecked(t *testing.T) {
	t.Parallel()
	const call = `{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}`
	const mark = `{"type":"text","text":"a","prompt_cache_breakpoint":{"mode":"explicit"}}`
	tests := map[string]struct {
		in   string
		want []string
	}{
		"none":                {``, []string{"/messages length"}},
		"all roles":           {`{"role":"system","content":"a"},{"role":"developer","content":[{"type":"text","text":"b"}]},{"role":"user","content":"c"},{"role":"assistant","content":"d"},{"role":"function","name":"f","content":null}`, nil},
		"another role":        {`{"role":"narrator","content":"a"}`, []string{"/messages/0/role oneof"}},
		"no content":          {`{"role":"user"},{"role":"system"},{"role":"developer","content":null},{"role":"assistant"},{"role":"function","name":"f"}`, []string{"/messages/0/content required", "/messages/1/content required", "/messages/2/content required", "/messages/3/content required"}},
		"empty contents":      {`{"role":"user","content":[]}`, []string{"/messages/0/content length"}},
		"a system's image":    {`{"role":"system","content":[{"type":"image_url","image_url":{"url":"u"}}]}`, []string{"/messages/0/content/0/type oneof"}},
		"a user's refusal":    {`{"role":"user","content":[{"type":"refusal","refusal":"no"}]}`, []string{"/messages/0/content/0/type oneof"}},
		"a model's image":     {`{"role":"assistant","content":[{"type":"image_url","image_url":{"url":"u"}}]}`, []string{"/messages/0/content/0/type oneof"}},
		"a refusal":           {`{"role":"assistant","content":[{"type":"refusal","refusal":"no"}]}`, nil},
		"two refusals":        {`{"role":"assistant","content":[{"type":"refusal","refusal":"no"},{"type":"text","text":"yes"}]}`, []string{"/messages/0/content refusal"}},
		"an unnamed function": {`{"role":"function","content":[{"type":"text","text":"a"}]}`, []string{"/messages/0/content string", "/messages/0/name required"}},
		"all kinds of parts":  {`{"role":"user","content":[{"type":"text","text":""},{"type":"image_url","image_url":{"url":"u","detail":"low"}},{"type":"input_audio","input_audio":{"data":"A","format":"mp3"}},{"type":"file","file":{"file_id":"i"}},{"type":"video_url","video_url":{"url":"v"}}]}`, nil},
		"empty parts": {
			`{"role":"user","content":[{"type":"text"},{"type":"image_url"},{"type":"input_audio"},{"type":"file"},{"type":"video_url"},{"type":""}]}`,
			[]string{"/messages/0/content/0/text required",
				"/messages/0/content/1/image_url required",
				"/messages/0/content/2/input_audio required", "/messages/0/content/3/file required",
				"/messages/0/content/4/video_url required", "/messages/0/content/5/type oneof"},
		},
		"hollow parts": {
			`{"role":"user","content":[{"type":"image_url","image_url":{"url":"","detail":"fine"}},{"type":"input_audio","input_audio":{"format":"ogg"}},{"type":"file","file":{}},{"type":"video_url","video_url":{}}]}`,
			[]string{"/messages/0/content/0/image_url/detail oneof",
				"/messages/0/content/0/image_url/url required",
				"/messages/0/content/1/input_audio/data required",
				"/messages/0/content/1/input_audio/format oneof",
				"/messages/0/content/2/file/file_data required",
				"/messages/0/content/3/video_url/url required"},
		},
		"five marks":                {`{"role":"user","content":[` + mark + `,` + mark + `,` + mark + `,` + mark + `,` + mark + `]}`, []string{"/messages prompt_cache_breakpoint"}},
		"an answer that comes back": {`{"role":"assistant","content":null,"images":[{"type":"image_url","image_url":{"url":"u"}}],"reasoning_content":"r","extra_content":{"google":{"thought_signature":"s"}}}`, nil},
		"an answer that refuses":    {`{"role":"assistant","refusal":"no"}`, nil},
		"an answer's other media":   {`{"role":"assistant","images":[{"type":"text","text":"u"}]}`, []string{"/messages/0/images/0/type oneof"}},
		"an older call":             {`{"role":"assistant","function_call":{"name":"","arguments":""}}`, []string{"/messages/0/function_call/name required"}},
		"a call and its result":     {`{"role":"assistant","tool_calls":[` + call + `]},{"role":"tool","tool_call_id":"c1","content":"r"}`, nil},
		"calls of nothing": {
			`{"role":"assistant","tool_calls":[{"id":"","type":"x"},{"id":"a","type":"function"},{"id":"b","type":"custom"},{"id":"c","type":"function","function":{"name":""}}]},{"role":"tool","tool_call_id":"a","content":"1"},{"role":"tool","tool_call_id":"b","content":"1"},{"role":"tool","tool_call_id":"c","content":"1"}`,
			[]string{"/messages/0/tool_calls/0/id required", "/messages/0/tool_calls/0/id result",
				"/messages/0/tool_calls/0/type oneof", "/messages/0/tool_calls/1/function required",
				"/messages/0/tool_calls/2/custom required",
				"/messages/0/tool_calls/3/function/name required"},
		},
		"a call without result":      {`{"role":"assistant","tool_calls":[` + call + `]},{"role":"user","content":"a"}`, []string{"/messages/0/tool_calls/0/id result"}},
		"a call at the end":          {`{"role":"assistant","tool_calls":[` + call + `]}`, []string{"/messages/0/tool_calls/0/id result"}},
		"a result without call":      {`{"role":"user","content":"a"},{"role":"tool","tool_call_id":"c1","content":"r"}`, []string{"/messages/1 tool_calls"}},
		"a result of another call":   {`{"role":"assistant","tool_calls":[` + call + `]},{"role":"tool","tool_call_id":"c1","content":"r"},{"role":"tool","tool_call_id":"c2","content":"r"}`, []string{"/messages/2/tool_call_id tool_calls"}},
		"a result twice":             {`{"role":"assistant","tool_calls":[` + call + `]},{"role":"tool","tool_call_id":"c1","content":"r"},{"role":"tool","tool_call_id":"c1","content":"r"}`, []string{"/messages/2/tool_call_id tool_calls"}},
		"a result that says nothing": {`{"role":"assistant","tool_calls":[` + call + `]},{"role":"tool","tool_call_id":"c1"}`, []string{"/messages/1/content required"}},
		"a result without a call":    {`{"role":"assistant","tool_calls":[` + call + `]},{"role":"tool","content":"r"}`, []string{"/messages/0/tool_calls/0/id result", "/messages/1/tool_call_id required", "/messages/1/tool_call_id tool_calls"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := violations(t,
				openaitest.DecodeRequest(t, `{"model":"m","messages":[`+test.in+`]}`))
			if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestThereMustBeARequestWithAModel(t *testing.T) {
	t.Parallel()
	if err := openai.ValidateRequest(nil); !errors.Is(err, validation.ErrNotStruct) {
		t.Errorf("got %v", err)
	}
	got := violations(t, &openaiapi.CreateChatCompletionRequest{})
	if diff := cmp.Diff([]string{"/messages length", "/model required"}, got); diff != "" {
		t.Error(diff)
	}
	err := openai.ValidateRequest(openaitest.DecodeRequest(t,
		`{"model":"secret","messages":[{"role":"secret","content":"secret"}],"n":0}`))
	if text := err.Error(); strings.Contains(text, "secret") ||
		text != "openai: /messages/0/role: must be developer, system, user, assistant, tool or function; /n: must be from 1 to 128" {
		t.Errorf("got %q", text)
	}
}

// The error's text lists every enum value of the description.
func TestTextsOfViolationsNameAllValues(t *testing.T) {
	t.Parallel()
	for name, members := range map[string]string{
		"ReasoningEffort":      `"reasoning_effort":"?"`,
		"Verbosity":            `"verbosity":"?"`,
		"ServiceTier":          `"service_tier":"?"`,
		"OutputModality":       `"modalities":["?"]`,
		"OutputAudioFormat":    `"audio":{"voice":"v","format":"?"}`,
		"ResponseFormatType":   `"response_format":{"type":"?"}`,
		"ToolType":             `"tools":[{"type":"?"}]`,
		"ToolChoiceMode":       `"tool_choice":"?"`,
		"ToolChoiceType":       `"tool_choice":{"type":"?"}`,
		"FunctionCallMode":     `"function_call":"?"`,
		"PromptCacheMode":      `"prompt_cache_options":{"mode":"?"}`,
		"PromptCacheTTL":       `"prompt_cache_options":{"ttl":"?"}`,
		"WebSearchContextSize": `"web_search_options":{"search_context_size":"?"}`,
		"PromptCacheRetention": `"prompt_cache_retention":"?"`,
		"CustomToolFormatType": `"tools":[{"type":"custom","custom":{"name":"c","format":{"type":"?"}}}]`,
		"GrammarSyntax":        `"tools":[{"type":"custom","custom":{"name":"c","format":{"type":"grammar","grammar":{"definition":"d","syntax":"?"}}}}]`,
		"AllowedToolsMode":     `"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"?","tools":[]}}`,
	} {
		in := openaitest.DecodeRequest(t,
			`{"model":"m","messages":[{"role":"user","content":"Hello."}],`+members+`}`)
		err := openai.ValidateRequest(in)
		for _, value := range openaitest.Enum(t, name) {
			if err == nil || !strings.Contains(err.Error(), value) {
				t.Errorf("%s: %v does not name %s", name, err, value)
			}
		}
	}
}
