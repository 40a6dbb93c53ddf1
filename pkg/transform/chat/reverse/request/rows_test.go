package request_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
	"github.com/google/go-cmp/cmp"
)

// Settings that only some servers accept are sent if an option asks for it, and reported otherwise.
func TestSettingsOfSomeServersGoByOptions(t *testing.T) {
	t.Parallel()
	const hello = `{"contents":[{"role":"user","parts":[{"text":"?"}]}],`
	for name, tc := range map[string]struct {
		document, member, want string
		opts                   []request.Option
		lost                   string
	}{
		"topK":                             {hello + `"generationConfig":{"topK":3}}`, "top_k", `3`, []request.Option{request.WithTopK()}, ""},
		"topK, plain":                      {hello + `"generationConfig":{"topK":3}}`, "top_k", `null`, nil, "/generationConfig/topK"},
		"maxOutputTokens":                  {hello + `"generationConfig":{"maxOutputTokens":9}}`, "max_completion_tokens", `9`, nil, ""},
		"maxOutputTokens of older servers": {hello + `"generationConfig":{"maxOutputTokens":9}}`, "max_tokens", `9`, []request.Option{request.WithMaxTokens()}, ""},
		"labels":                           {hello + `"labels":{"team":"a"}}`, "metadata", `{"team":"a"}`, []request.Option{request.WithLabelsAsMetadata()}, ""},
		"labels, plain":                    {hello + `"labels":{"team":"a"}}`, "metadata", `null`, nil, "/labels"},
		"a search":                         {hello + `"tools":[{"googleSearch":{}}]}`, "web_search_options", `{}`, []request.Option{request.WithWebSearch()}, ""},
		"a search by a model for it":       {hello + `"tools":[{"googleSearch":{}}]}`, "web_search_options", `{}`, []request.Option{request.ForModel("gpt-5-search-api")}, ""},
		"a search, plain":                  {hello + `"tools":[{"googleSearch":{}}]}`, "web_search_options", `null`, nil, "/tools/0/googleSearch"},
		"standard":                         {hello + `"serviceTier":"standard"}`, "service_tier", `"default"`, nil, ""},
		"flex":                             {hello + `"serviceTier":"flex"}`, "service_tier", `"flex"`, nil, ""},
	} {
		out, entries := mustConvert(t, tc.document, plain(tc.opts...)...)
		if diff := cmp.Diff(parsed(t, tc.want), out[tc.member]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if lost := entries.Of(report.Lost); (len(lost) > 0) != (tc.lost != "") ||
			tc.lost != "" && !lost.Covers(tc.lost) {
			t.Errorf("%s: %v", name, entries)
		}
	}
}

// What only Google runs, and what only describes a part, is reported with its pointer.
func TestToolsThatOnlyGoogleRunsAreReported(t *testing.T) {
	t.Parallel()
	_, entries := mustConvert(t,
		`{"contents":[{"role":"user","parts":[{"text":"?","partMetadata":{"a":1}}]},
		{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}},{"text":"One."}]},
		{"role":"user","parts":[{"text":"And?"}]}],
		"tools":[{"codeExecution":{}},{"urlContext":{}},{"googleMaps":{}}],"toolConfig":{"retrievalConfig":{"languageCode":"de"}}}`, plain()...)
	for _, pointer := range []string{
		"/contents/0/parts/0/partMetadata", "/contents/1/parts/0", "/contents/1/parts/1",
		"/tools/0/codeExecution", "/tools/1/urlContext", "/tools/2/googleMaps",
		"/toolConfig/retrievalConfig",
	} {
		if !entries.Of(report.Lost).Covers(pointer) {
			t.Errorf("%s is not lost: %v", pointer, entries)
		}
	}
}

// Sound has a voice of OpenAI: the requested one if OpenAI has it.
func TestVoicesAreOpenAIsOrReported(t *testing.T) {
	t.Parallel()
	const config = `{"contents":[{"role":"user","parts":[{"text":"?"}]}],"generationConfig":{"responseModalities":["AUDIO"]`
	voice := func(name string) string { return `"voiceConfig":{"prebuiltVoiceConfig":{"voiceName":"` + name + `"}}` }
	for name, tc := range map[string]struct{ speech, voice, reported string }{
		"one of OpenAI's":   {`,"speechConfig":{` + voice("Coral") + `}`, "coral", ""},
		"with a language":   {`,"speechConfig":{` + voice("marin") + `,"languageCode":"de-DE"}`, "marin", "lost /generationConfig/speechConfig"},
		"one of Gemini's":   {`,"speechConfig":{` + voice("Kore") + `}`, "alloy", "lost /generationConfig/speechConfig"},
		"several speakers":  {`,"speechConfig":{"multiSpeakerVoiceConfig":{"speakerVoiceConfigs":[{"speaker":"A",` + voice("coral") + `}]}}`, "alloy", "lost /generationConfig/speechConfig"},
		"none, like Gemini": {``, "alloy", "added /generationConfig/speechConfig"},
	} {
		out, allEntries := mustConvert(t, config+tc.speech+`}}`, plain()...)
		if diff := cmp.Diff(parsed(t, `{"format":"pcm16","voice":"`+tc.voice+`"}`),
			out["audio"]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		want := []string{"approximated /generationConfig/responseModalities"}
		if tc.reported != "" {
			want = append(want, tc.reported)
		}
		if diff := cmp.Diff(want, entries(allEntries)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	out, allEntries := mustConvert(t,
		`{"contents":[{"role":"user","parts":[{"text":"?"}]}],"generationConfig":{"speechConfig":{`+
			voice("coral")+`}}}`, plain()...)
	if out["audio"] != nil || !allEntries.Of(report.Lost).Covers("/generationConfig/speechConfig") {
		t.Errorf("a voice without sound: %v, %v", out["audio"], allEntries)
	}
}

// A server decides how it streams arguments, whether or not the Gemini client asks for pieces.
// Clients that ask for pieces accept whole calls too.
func TestAskingForPiecesOfArgumentsIsReported(t *testing.T) {
	t.Parallel()
	const asked = `{"contents":[{"role":"user","parts":[{"text":"?"}]}],"tools":[{"functionDeclarations":[{"name":"f"}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY","streamFunctionCallArguments":true}}}`
	out, report := mustConvert(t, asked, plain()...)
	if diff := cmp.Diff([]string{"approximated /toolConfig/functionCallingConfig/streamFunctionCallArguments"},
		entries(report)); diff != "" ||
		out["tool_choice"] != "required" {
		t.Errorf("%v: %s", out["tool_choice"], diff)
	}
}

// Consecutive contents of one role become one message, even if only thoughts were between them,
// because servers require the roles to alternate.
func TestATurnThatIsLeftOutJoinsThoseAroundIt(t *testing.T) {
	t.Parallel()
	const thought = `{"role":"model","parts":[{"text":"Hm.","thought":true}]}`
	out, report := mustConvert(t,
		`{"contents":[{"role":"user","parts":[{"text":"a"}]},`+thought+
			`,{"role":"user","parts":[{"text":"b"}]}]}`, plain()...)
	if diff := cmp.Diff(parsed(t,
		`[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`),
		out["messages"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"lost /contents/1/parts/0", "approximated /contents/2"},
		entries(report)); diff != "" {
		t.Error(diff)
	}
	out, _ = mustConvert(t,
		`{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"id":"1","name":"f","args":{}}}]},`+
			thought+`,
		{"role":"user","parts":[{"functionResponse":{"id":"1","name":"f","response":{"output":"x"}}}]}]}`, plain()...)
	if diff := cmp.Diff(parsed(t, `{"role":"tool","tool_call_id":"1","content":"x"}`),
		out["messages"].([]any)[2]); diff != "" {
		t.Error(diff)
	}
}

// OpenAI accepts sixteen metadata entries, with names of 64 bytes and values of 512 bytes. Further
// labels are reported one by one.
func TestMoreLabelsThanOpenAITakesAreReported(t *testing.T) {
	t.Parallel()
	labels := []string{`"` + strings.Repeat("k", 65) + `":"a"`,
		`"z":"` + strings.Repeat("v", 513) + `"`}
	for i := range 17 {
		labels = append(labels, fmt.Sprintf(`"a%02d":"b"`, i))
	}
	out, entries := mustConvert(t,
		`{"contents":[{"role":"user","parts":[{"text":"?"}]}],"labels":{`+strings.Join(labels, ",")+
			`}}`, plain(request.WithLabelsAsMetadata())...)
	if sent := out["metadata"].(map[string]any); len(sent) != 16 || sent["a15"] != "b" {
		t.Errorf("%d notes: %v", len(sent), sent)
	}
	for _, name := range []string{"a16", "z", strings.Repeat("k", 65)} {
		if !entries.Of(report.Lost).Covers("/labels/" + name) {
			t.Errorf("%s is not lost: %v", name, entries)
		}
	}
}
