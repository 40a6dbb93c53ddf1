package report_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

func TestPointersFollowTheSpellingOfADocument(t *testing.T) {
	t.Parallel()
	const document = `{"usage_metadata":{"prompt_token_count":3},"candidates":{"Content":{"parts":{"text":"a"}}},"a/b":1}`
	spelling := report.SpellingOf([]byte(document))
	spelling.Keep("7", []byte(`{"response_id":"r"}`))
	if got := spelling.Pointer("/usageMetadata"); got != "/usage_metadata" {
		t.Errorf("next to a chunk: %s", got)
	}
	for described, want := range map[string]string{
		"":                                    "",
		"/usageMetadata":                      "/usage_metadata",
		"/usageMetadata/promptTokenCount":     "/usage_metadata/prompt_token_count",
		"/candidates/0/content/parts/0/text":  "/candidates/Content/parts/text",
		"/candidates/0/finishReason":          "/candidates/finishReason",
		"/a~1b":                               "/a~1b",
		"/usageMetadata/thoughtsTokenCount/x": "/usage_metadata/thoughtsTokenCount/x",
	} {
		if got := report.SpellingOf([]byte(document)).Pointer(described); got != want {
			t.Errorf("%s is %s, want %s", described, got, want)
		}
	}
	if got := spelling.Pointer("/7/responseId"); got != "/7/response_id" {
		t.Errorf("in a chunk: %s", got)
	}
	var unknown report.Spelling
	if got := unknown.Pointer("/usageMetadata"); got != "/usageMetadata" {
		t.Errorf("of no document: %s", got)
	}
}

func TestPointersDistinguishMembersByALeadingUnderscore(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ document, described, want string }{
		{`{"_response_json_schema":{},"response_json_schema":{}}`, "/_responseJsonSchema", "/_response_json_schema"},
		{`{"_response_json_schema":{},"response_json_schema":{}}`, "/responseJsonSchema", "/response_json_schema"},
		{`{"response_json_schema":{},"_response_json_schema":{}}`, "/_responseJsonSchema", "/_response_json_schema"},
		{`{"response_json_schema":{},"_response_json_schema":{}}`, "/responseJsonSchema", "/response_json_schema"},
		{`{"_response_json_schema":{}}`, "/responseJsonSchema", "/_response_json_schema"},
		{`{"response_json_schema":{}}`, "/_responseJsonSchema", "/response_json_schema"},
	} {
		if got := report.SpellingOf([]byte(test.document)).Pointer(
			test.described); got != test.want {
			t.Errorf("%s of %s is %s, want %s", test.described, test.document, got, test.want)
		}
	}
}

func TestAReportUsesTheSpellingOfTheInput(t *testing.T) {
	t.Parallel()
	body := []byte(`{"response_id":"r","model_version":"m","create_time":"2026-11-20T10:00:00Z","candidates":[{"content":{"role":"model","parts":[
		{"text":"a"}]},"safety_ratings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"LOW"}],"finish_reason":"STOP"}],"usage_metadata":{"total_token_count":1,"prompt_token_count":1}}`)
	in, err := gemini.DecodeResponse(body)
	if err != nil {
		t.Fatal(err)
	}
	_, entries, err := chat.FromGemini(in, chat.WithoutExtensions())
	if err != nil {
		t.Fatal(err)
	}
	before := entries.Of(report.Lost)
	var got []string
	for _, entry := range report.SpellingOf(body).Report(before) {
		got = append(got, entry.Pointer)
	}
	if diff := cmp.Diff([]string{"/candidates/0/safety_ratings"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(before) != 1 || before[0].Pointer == got[0] {
		t.Errorf("the report itself is %v", before)
	}
}
