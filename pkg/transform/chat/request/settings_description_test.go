package request_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/google/go-cmp/cmp"
)

// usable are values for members that cannot be converted with arbitrary content.
var usable = map[string]string{
	"audio":           `{"voice":"Kore","format":"pcm16"}`,
	"messages":        `[{"role":"user","content":"Another text."}]`,
	"function_call":   `"auto"`,
	"functions":       `[{"name":"f"}]`,
	"response_format": `{"type":"json_object"}`,
	"stop":            `"END"`,
	"tool_choice":     `"auto"`,
	"tools":           `[{"type":"function","function":{"name":"f"}}]`,
	"extra_body":      `{"google":{"top_k":3}}`,
}

// Every member of a request changes the result or is reported, including members of later
// descriptions.
func TestEveryMemberOfTheDescriptionIsConvertedOrReported(t *testing.T) {
	t.Parallel()
	plain := `{"model":"` + budgetModel + `","messages":[{"role":"user","content":"Hello."}]}`
	before, report := convertRequest(t, openaitest.DecodeRequest(t, plain))
	if report != nil {
		t.Fatalf("%v", report)
	}
	names := slices.Sorted(maps.Keys(openaitest.Described(t,
		"CreateChatCompletionRequest").Properties))
	if len(names) < 38 {
		t.Fatalf("%d members", len(names))
	}
	for _, name := range names {
		in := openaitest.DecodeRequest(t, plain)
		if value, ok := usable[name]; ok {
			in = withMember(t, plain, name, value)
		} else {
			fillMember(t, in, name)
		}
		after, report := convertRequest(t, in)
		if after == before && !report.Covers("/"+name) {
			t.Errorf("%s is lost silently", name)
		}
	}
}

func withMember(t testing.TB, wire, name, value string) *openaiapi.CreateChatCompletionRequest {
	t.Helper()
	in := openaitest.DecodeRequest(t, wire)
	changed := openaitest.DecodeRequest(t, `{"`+name+`":`+value+`}`)
	to, from := member(t, in, name), member(t, changed, name)
	to.Set(from)
	return in
}

// fillMember sets a member to a value, and a flag to its non-default value.
func fillMember(t testing.TB, in *openaiapi.CreateChatCompletionRequest, name string) {
	t.Helper()
	field := member(t, in, name)
	leaftest.Fill(field.Addr().Interface())
	if flag, ok := field.Interface().(*bool); ok {
		*flag = name != "parallel_tool_calls"
	}
}

// member returns the field of a request that has the JSON name.
func member(t testing.TB, in *openaiapi.CreateChatCompletionRequest, name string) reflect.Value {
	t.Helper()
	v := reflect.ValueOf(in).Elem()
	for i := range v.NumField() {
		if tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); tag == name {
			return v.Field(i)
		}
	}
	t.Fatalf("the request has no member %s", name)
	return reflect.Value{}
}

// convertRequest converts whatever can be converted, valid for Gemini or not.
func convertRequest(t testing.TB, in *openaiapi.CreateChatCompletionRequest,
	opts ...request.Option) (string, report.Report) {
	t.Helper()
	out, report, err := request.ToGemini(in, append(opts, request.WithoutValidation())...)
	if err != nil {
		t.Fatal(err)
	}
	data, err := gemini.EncodeRequest(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), report
}

// The members of extra_body.google are also accepted at the top level of a request, except tools,
// which are OpenAI's there.
func TestEveryMemberOfGooglesExtraBodyMayBeFlattened(t *testing.T) {
	t.Parallel()
	values := map[string]string{
		"cached_content":                 `"cachedContents/1"`,
		"media_resolution":               `"high"`,
		"safety_settings":                `[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"OFF"}]`,
		"stream_function_call_arguments": `true`,
		"thinking_config":                `{"thinking_budget":0}`,
		"thought_tag_marker":             `"t"`,
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(openaitest.Described(t,
		"GoogleExtraBody").Properties)), func(name string) bool { return name == "tools" })
	if diff := cmp.Diff(slices.Sorted(maps.Keys(values)), names); diff != "" {
		t.Fatal(diff)
	}
	tools := ""
	for name, value := range values {
		if name == "stream_function_call_arguments" {
			tools = `,"tools":[` + function + `]`
		} else {
			tools = ""
		}
		opts := []request.Option{request.ForVertexAI()}
		flat, flatReport := ask(t, budgetModel, `"`+name+`":`+value+tools, opts...)
		nested, nestedReport := ask(t, budgetModel,
			`"extra_body":{"google":{"`+name+`":`+value+`}}`+tools, opts...)
		if diff := cmp.Diff(nested, flat); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if len(flatReport) != len(nestedReport) ||
			name != "thought_tag_marker" && flatReport.Of(report.Lost) != nil {
			t.Errorf("%s: %v, nested %v", name, flatReport, nestedReport)
		}
	}
}

func TestEveryServiceTierIsDecidedOn(t *testing.T) {
	t.Parallel()
	for _, tier := range openaitest.Enum(t, "ServiceTier") {
		got, entries := ask(t, budgetModel, `"service_tier":"`+tier+`"`)
		if !strings.Contains(got, "serviceTier") && !entries.Covers("/service_tier") {
			t.Errorf("%s is lost silently", tier)
		}
		if tier != "scale" && entries.Of(report.Lost) != nil {
			t.Errorf("%s: %v", tier, entries)
		}
	}
}

func TestNoVoiceOfOpenAIIsRequested(t *testing.T) {
	t.Parallel()
	for _, voice := range append(openaitest.Enum(t, "VoiceID"), "fable", "nova", "onyx") {
		got, report := ask(t, "gemini-2.5-flash-preview-tts",
			`"modalities":["audio"],"audio":{"voice":"`+voice+`","format":"pcm16"}`)
		if strings.Contains(got, "speechConfig") || !report.Covers("/audio/voice") {
			t.Errorf("%s: %s %v", voice, got, report)
		}
	}
}

func TestEveryModalityHasACounterpartInGemini(t *testing.T) {
	t.Parallel()
	for _, modality := range openaitest.Enum(t, "OutputModality") {
		got, _ := convertRequest(t,
			openaitest.DecodeRequest(t,
				`{"messages":[{"role":"user","content":"Hi."}],"modalities":["`+modality+`"]}`))
		openaitest.Subset(t, got,
			`{"generationConfig":{"responseModalities":["`+strings.ToUpper(modality)+`"]}}`)
	}
}
