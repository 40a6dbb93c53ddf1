package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
	"github.com/google/go-cmp/cmp"
)

func TestLossesOfAResultWithoutACallAreReportedAtTheirLocations(t *testing.T) {
	t.Parallel()
	in, err := gemini.DecodeRequest([]byte(`{"contents":[{"role":"user","parts":[{"functionResponse":{"id":"c","name":"f","response":{"a":1}}}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, report, err := request.FromGemini(in, request.ForModel("gpt-5"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range report {
		if e.Pointer == "/contents/0/parts/0/functionResponse/id" {
			return
		}
	}
	t.Errorf("the id is not reported in %v", report)
}

func TestMediaOfAResultWithoutACallAreShownAfterIt(t *testing.T) {
	t.Parallel()
	const document = `{"contents":[{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"see"},"parts":[
		{"inlineData":{"mimeType":"image/png","data":"iVBORw=="}},{"fileData":{"fileUri":"https://example.com/a.png"}}]}},{"text":"And?"}]}]}`
	want := parsed(t, `[{"role":"user","content":[{"type":"text","text":"Result of the function \"f\": see"},
		{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw=="}},{"type":"image_url","image_url":{"url":"https://example.com/a.png"}},
		{"type":"text","text":"And?"}]}]`)
	out, entries := mustConvert(t, document, plain()...)
	if diff := cmp.Diff(want, out["messages"]); diff != "" || entries.Of(report.Lost) != nil {
		t.Errorf("%s with %v", diff, entries)
	}
	if out, entries = mustConvert(t,
		document); len(out["messages"].([]any)[0].(map[string]any)["content"].([]any)) != 4 ||
		entries.Of(report.Lost) != nil {
		t.Errorf("with extensions: %v with %v", out["messages"], entries)
	}
}
