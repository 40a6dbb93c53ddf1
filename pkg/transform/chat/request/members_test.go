package request_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/go-json-experiment/json"
)

// The tests of this file fill every member of the description. They fail if a new member is in no
// table.

func TestEveryMemberOfAMessageIsKnown(t *testing.T) {
	t.Parallel()
	for _, role := range []openaiapi.Role{openaiapi.RoleUser, openaiapi.RoleSystem} {
		var m openaiapi.ChatMessage
		leaftest.Fill(&m)
		m.Role, m.Content = role, openai.UserText("a").Content
		names := filledNames(t, &m)
		for _, name := range without(names, "role", "content", "extra_content") {
			if !reportOf(t, m).Covers("/messages/0/" + name) {
				t.Errorf("%s of %s is lost silently", name, role)
			}
		}
		if len(names) < 12 {
			t.Errorf("only %v are filled", names)
		}
	}
}

func TestEveryMemberOfAContentPartIsKnown(t *testing.T) {
	t.Parallel()
	var p openaiapi.ContentPart
	leaftest.Fill(&p)
	p.Type = openaiapi.ContentPartTypeText
	names := filledNames(t, &p)
	report := reportOf(t, openai.UserParts(p))
	for _, name := range without(names, "type", "text", "extra_content") {
		if !report.Covers("/messages/0/content/0/" + name) {
			t.Errorf("%s is lost silently", name)
		}
	}
	if len(names) < 10 {
		t.Errorf("only %v are filled", names)
	}
}

func TestEveryMemberOfGooglesExtensionIsKnown(t *testing.T) {
	t.Parallel()
	var google openaiapi.GoogleExtraContent
	leaftest.Fill(&google)
	names := filledNames(t, &google)
	m := openai.UserText("a")
	m.ExtraContent = &openaiapi.ExtraContent{Google: &google}
	report := reportOf(t, m)
	for _, name := range names {
		if !report.Covers("/messages/0/extra_content/google/" + name) {
			t.Errorf("%s is lost silently", name)
		}
	}
	if len(names) < 20 {
		t.Errorf("only %v are filled", names)
	}
}

// filledNames returns the names of a value's members as JSON.
func filledNames(t *testing.T, v any) []string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(openaitest.Tree(t, data).(map[string]any)))
}

func without(names []string, others ...string) []string {
	return slices.DeleteFunc(slices.Clone(names),
		func(name string) bool { return slices.Contains(others, name) })
}

func reportOf(t *testing.T, m openaiapi.ChatMessage) report.Report {
	t.Helper()
	_, report, err := request.ToGemini(&openaiapi.CreateChatCompletionRequest{Model: flash25,
		Messages: []openaiapi.ChatMessage{m}}, request.WithoutValidation())
	if err != nil {
		if _, typed := err.(*request.Error); !typed {
			t.Fatal(err)
		}
	}
	return report
}

func TestUnknownMembersAreReportedAtEachPlace(t *testing.T) {
	t.Parallel()
	image := `"image_url":{"url":"data:image/png;base64,AAAA"`
	for messages, at := range map[string]string{
		asked(`{"type":"image_url",` + image +
			`,"new":1}}`): "/messages/0/content/0/image_url/new",
		asked(`{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav","new":1}}`): "/messages/0/content/0/input_audio/new",
		asked(`{"type":"file","file":{"file_id":"gs://b/a","new":1}}`):                       "/messages/0/content/0/file/new",
		hello + `,{"role":"assistant","audio":{"data":"SUQz","new":1}}`:                      "/messages/1/audio/new",
		hello + `,{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"},"new":1}]},` +
			resultOf("a"): "/messages/1/tool_calls/0/new",
		hello + `,{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","new":1}}]},` +
			resultOf("a"): "/messages/1/tool_calls/0/function/new",
		hello + `,{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f"},"custom":{"name":"g","input":""}}]},` +
			resultOf("a"): "/messages/1/tool_calls/0/custom",
		hello + `,{"role":"assistant","tool_calls":[{"id":"a","type":"custom","custom":{"name":"g","input":"","new":1}}]},` +
			resultOf("a"): "/messages/1/tool_calls/0/custom/new",
		hello + `,{"role":"assistant","function_call":{"name":"f","arguments":"","new":1}},{"role":"function","name":"f","content":"1"}`: "/messages/1/function_call/new",
		restored(`"images":[{"type":"image_url",`+image+`,"new":1}}]`,
			`{"index":0,"in":"images"}`): "/messages/1/images/0/image_url/new",
		restored(`"audio":{"id":"a","data":"AAAA","new":1}`,
			`{"index":0,"in":"audio"}`): "/messages/1/audio/new",
		restored(`"audio":{"id":"a"},"content":"a"`,
			`{"index":0,"in":"content","length":1}`): "/messages/1/audio/id",
		restored(`"content":[{"type":"text","text":"a","new":1}]`,
			`{"index":0,"in":"content","length":1}`): "/messages/1/content/0/new",
		hello + `,{"role":"assistant","content":"a","extra_content":{"google":{"mime_type":"audio/wav"}}},` +
			hello: "/messages/1/extra_content/google/mime_type",
		hello + `,{"role":"assistant","content":"a","extra_content":{"vertex":{"mime_type":"audio/wav"}}},` +
			hello: "/messages/1/extra_content/vertex/mime_type",
		asked(`{"type":"image_url",` + image +
			`},"extra_content":{"google":{"media_resolution":{"numTokens":5}}}}`): "/messages/0/content/0/extra_content/google/media_resolution",
		hello + "," + calling("a") +
			`,{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"1","extra_content":{"google":{"thought":true}}}]}`: "/messages/2/content/0/extra_content/google/thought",
		hello + "," + calling("a") +
			`,{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"1"},{"type":"new"}]}`: "/messages/2/content/1",
	} {
		_, entries, err := talk(t, flash25, messages)
		if err != nil {
			t.Errorf("%s: %v", at, err)
		}
		if !slices.ContainsFunc(entries,
			func(e report.Entry) bool { return e.Pointer == at && e.Kind != report.Added }) {
			t.Errorf("%s is not in %v", at, entries)
		}
	}
}

func TestMembersOfMediaThatAResultCannotHaveAreReported(t *testing.T) {
	t.Parallel()
	const image = `"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"`
	const at = "lost /messages/2/content/0"
	const google = "/messages/2/extra_content/google/parts"
	for result, want := range map[string]string{
		`"content":[{` + image +
			`,"detail":"low"}}]`: at + "/image_url/detail",
		`"content":[{` + image +
			`},"extra_content":{"google":{"thought_signature":"c2ln"}}}]`: at + "/extra_content",
		`"extra_content":{"google":{"parts":[{"index":0,"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}`: "lost " +
			google + "/0",
		`"extra_content":{"google":{"parts":[{"text":"a"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}`: "lost " +
			google + "/0",
		`"extra_content":{"google":{"parts":[{"fileData":{"fileUri":"gs://b/a"}},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}`: "approximated " +
			google + "/0",
		`"extra_content":{"google":{"parts":[{"inlineData":5},{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}`: "lost " +
			google + "/0",
		`"extra_content":{"google":{"parts":[{"part":{"inlineData":{"mimeType":"image/png","data":"AAAA"}}}]}}`:                      "",
		`"extra_content":{"vertex":{"parts":[{"part":{"text":"a","inlineData":{"mimeType":"image/png","data":"AAAA"}}}]}}`:           "lost /messages/2/extra_content/vertex/parts/0/part",
		`"extra_content":{"google":{"finish_message":"a","parts":[{"part":{"inlineData":{"mimeType":"image/png","data":"AAAA"}}}]}}`: "approximated /messages/2/extra_content/google/finish_message",
	} {
		out, report, err := talk(t, pro3,
			hello+","+calling("a")+`,{"role":"tool","tool_call_id":"a",`+result+`}`)
		if err != nil {
			t.Errorf("%s: %v", result, err)
			continue
		}
		parts := out.Contents[2].Parts[0].FunctionResponse.Parts
		if last := parts[len(parts)-1].InlineData; last == nil || *last.Data != "AAAA" ||
			*last.MIMEType != "image/png" {
			t.Errorf("%s: got %+v", result, last)
		}
		openaitest.Reports(t, withoutAdded(report),
			slices.DeleteFunc([]string{want}, func(line string) bool { return line == "" })...)
	}
}

func withoutAdded(entries report.Report) report.Report {
	return slices.DeleteFunc(slices.Clone(entries),
		func(e report.Entry) bool { return e.Kind == report.Added })
}

func TestMediaThatCannotBeTakenAreErrorsWhereverTheyStand(t *testing.T) {
	t.Parallel()
	const image = `{"type":"image_url","image_url":{"url":"ftp://a/b.png"}}`
	cases := map[string]conversation{
		"of the user":     {messages: asked(image), err: "/messages/0/content/0/image_url/url: "},
		"of the model":    {messages: hello + `,{"role":"assistant","content":[` + image + `]}`, err: "/messages/1/content/0/image_url/url: "},
		"in the images":   {messages: hello + `,{"role":"assistant","images":[` + image + `]}`, err: "/messages/1/images/0/image_url/url: "},
		"of a video":      {messages: asked(`{"type":"video_url","video_url":{"url":"ftp://a/b.mp4"}}`), err: "/messages/0/content/0/video_url/url: "},
		"of a recording":  {messages: asked(`{"type":"input_audio","input_audio":{"data":"ftp://a/b","format":"wav"}}`), err: "/messages/0/content/0/input_audio/data: "},
		"of no base64":    {messages: asked(`{"type":"file","file":{"file_data":"data;application/pdf;base64,AAAA"}}`), err: "/messages/0/content/0/file/file_data: the data in it is not base64"},
		"of no recording": {messages: asked(`{"type":"input_audio","input_audio":{"data":"wav(1)","format":"wav"}}`), err: "/messages/0/content/0/input_audio/data: the data in it is not base64"},
		"of a result":     {messages: hello + "," + calling("a") + `,{"role":"tool","tool_call_id":"a","content":[` + image + `]}`, err: "/messages/2/content/0/image_url/url: "},
	}
	converse(t, pro3, cases)
}

// OpenRouter sends token counts only on request.
func TestCountsThatAreAskedForAreNoLoss(t *testing.T) {
	t.Parallel()
	_, report, err := request.ToGemini(openaitest.DecodeRequest(t,
		`{"model":"gemini-2.5-flash","usage":{"include":true},"messages":[`+hello+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	openaitest.Reports(t, report, "approximated /usage")
}
