package request_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

// moreSettings are settings in forms that the requests of testdata do not have.
var moreSettings = map[string]string{
	"everything of Google's": `"extra_body":{"google":{"cached_content":"cachedContents/1","media_resolution":"low","safety_settings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}],` +
		`"stream_function_call_arguments":true,"thinking_config":{"thinking_budget":3,"include_thoughts":true},"thought_tag_marker":"t","tools":[{"google_search":{"exclude_domains":["a.example"]}}],` +
		`"labels":{"a":"b"},"tool_config":{"retrieval_config":{"lat_lng":{"latitude":1.5,"longitude":2}}},"image_config":{"aspect_ratio":"1:1"},"unheard_of":{"of":[1,true]}},"other":{"x":1}}`,
	"everything flattened":        `"cached_content":"c","media_resolution":"low","thinking_config":{"thinking_level":"low"},"top_k":3,"google":{"top_p":0.5,"temperature":1},"top_p":0.25`,
	"a deprecated choice":         `"functions":[{"name":"f","description":"d","strict":true}],"function_call":{"name":"f","x":1}`,
	"both choices":                `"functions":[{"name":"f"}],"function_call":"auto","tool_choice":"required"`,
	"a strict function":           `"tools":[{"type":"function","function":{"name":"f","strict":true,"parameters":{"type":"object","properties":{"a":{"type":"string"}}}}}],"tool_choice":"auto"`,
	"functions without argument":  `"tools":[{"type":"function","function":{"name":"f","parameters":{"$schema":"s","type":"object","properties":{},"additionalProperties":false}}}]`,
	"a described format":          `"response_format":{"type":"json_schema","json_schema":{"name":"n","description":"d","strict":true,"schema":{"description":"e","type":"object","x-y":[1]}}}`,
	"a format that says too much": `"response_format":{"type":"text","json_schema":{"name":"n"}}`,
	"a long seed":                 `"seed":81985529216486895`,
	"allowed tools":               `"functions":[{"name":"f"}],"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto","tools":[{"type":"function","function":{"name":"f","description":"d"}}]}}`,
	"every effort":                `"reasoning_effort":"xhigh"`,
	"no effort":                   `"reasoning_effort":"none"`,
	"defaults":                    `"stream":false,"parallel_tool_calls":true,"store":false,"logprobs":false,"n":1,"service_tier":"auto"`,
	"all that is not converted": `"logit_bias":{"5":1},"moderation":{"model":"m","policy":{"input":{"mode":"block"}}},"parallel_tool_calls":false,"prediction":{"type":"content","content":"x"},` +
		`"prompt_cache_key":"k","prompt_cache_options":{"mode":"implicit","ttl":"30m"},"prompt_cache_retention":"24h","safety_identifier":"s","user":"u","verbosity":"low",` +
		`"metadata":{"a":"b"},"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false}`,
}

// Each changed setting of a request shows in the result or in the report, for models of all kinds
// and for both backends.
func TestNoSettingIsLostSilently(t *testing.T) {
	t.Parallel()
	requests := openaitest.Requests(t)
	for name, members := range moreSettings {
		requests[name] = []byte(`{"messages":[{"role":"user","content":"Hello."}],` + members + `}`)
	}
	for model, opts := range map[string][]request.Option{
		budgetModel: nil,
		levelModel:  {request.ForVertexAI(), request.WithMetadataAsLabels()},
		oldModel:    {request.WithSchemaForm()},
	} {
		for name, wire := range requests {
			t.Run(model+" "+name, func(t *testing.T) {
				t.Parallel()
				checkSettings(t, wire,
					append(opts, request.ForModel(model), request.WithoutValidation(),
						request.WithTrailingModelTurn(request.TrailingTurnTrimmed))...)
			})
		}
	}
}

func checkSettings(t *testing.T, wire []byte, opts ...request.Option) {
	t.Helper()
	leaves, err := leaftest.All(wire)
	if err != nil {
		t.Fatal(err)
	}
	before, report := visibleRequest(t, wire, opts...)
	for _, l := range leaves {
		if strings.HasPrefix(l.Pointer, "/messages") {
			continue
		}
		after, changed := visibleRequest(t, l.Change(wire), opts...)
		if after == before && !tellsOf(report, l.Pointer) && !tellsOf(changed, l.Pointer) {
			t.Errorf("%s is lost silently", l.Pointer)
		}
	}
}

// visibleRequest returns the result, or the error for a request that cannot be converted.
func visibleRequest(t testing.TB, wire []byte, opts ...request.Option) (string, report.Report) {
	t.Helper()
	in, err := openai.DecodeRequest(wire)
	if err != nil {
		return err.Error(), nil
	}
	out, report, err := request.ToGemini(in, opts...)
	if err != nil {
		return err.Error(), report
	}
	data, err := gemini.EncodeRequest(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), report
}

func tellsOf(entries report.Report, pointer string) bool {
	return append(entries.Of(report.Lost), entries.Of(report.Approximated)...).Covers(pointer)
}

// Every entry of a report is about a member that the request has or lacks.
func TestReportsOfSettingsPointAtWhatIsThere(t *testing.T) {
	t.Parallel()
	for name, members := range moreSettings {
		wire := []byte(`{"messages":[{"role":"user","content":"Hello."}],` + members + `}`)
		_, entries := visibleRequest(t, wire, request.WithoutValidation())
		document := openaitest.Tree(t, wire)
		for _, e := range entries {
			if e.Kind != report.Added && !openaitest.Exists(document, e.Pointer) {
				t.Errorf("%s: %v", name, e)
			}
		}
	}
}
