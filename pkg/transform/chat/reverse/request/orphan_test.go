package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse/request"
)

func TestWhatAResultWithoutACallLosesIsReportedWhereItStands(t *testing.T) {
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
