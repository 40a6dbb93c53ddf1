package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/responses/request"
)

// These are models of each family that accept different settings.
const (
	oldModel    = "gemini-1.5-pro"
	budgetModel = "gemini-2.5-flash"
	levelModel  = "gemini-3.6-flash"
	pro3        = "gemini-3.1-pro-preview"
	newModel    = "gemini-3.6-flash"
	imageModel  = "gemini-3-pro-image"
)

// decode decodes a request, which must be valid.
func decode(t testing.TB, body string) *openaiapi.CreateResponseRequest {
	t.Helper()
	in, err := responses.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return in
}

// convert converts a request, which must be convertible, and returns it encoded.
func convert(t testing.TB, body string, opts ...request.Option) (string, report.Report) {
	t.Helper()
	out, report := convertTo(t, body, opts...)
	data, err := gemini.EncodeRequest(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), report
}

func convertTo(t testing.TB, body string,
	opts ...request.Option) (*geminiapi.GenerateContentRequest, report.Report) {
	t.Helper()
	out, report, err := request.ToGemini(decode(t, body), opts...)
	if err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return out, report
}

// refusal returns the error of a request, which must be refused.
func refusal(t testing.TB, body string, opts ...request.Option) *request.Error {
	t.Helper()
	out, _, err := request.ToGemini(decode(t, body), opts...)
	refused, ok := err.(*request.Error)
	if !ok || out != nil {
		t.Fatalf("got %v and %v, want a refusal of %s", out, err, body)
	}
	return refused
}

// geminiRequest converts a document as a test of losses does.
func geminiRequest(document []byte, opts ...request.Option) ([]byte, report.Report, error) {
	in, err := responses.DecodeRequest(document)
	if err != nil {
		return nil, nil, err
	}
	out, report, err := request.ToGemini(in, opts...)
	if err != nil {
		return nil, report, err
	}
	data, err := gemini.EncodeRequest(out)
	return data, report, err
}

// input returns a request of a model with these items.
func input(model, items string) string {
	return `{"model":"` + model + `","input":[` + items + `]}`
}

// contents checks the contents of the converted items.
func contents(t *testing.T, model, items, want string, report ...string) {
	t.Helper()
	got, entries := convert(t, input(model, items))
	openaitest.Subset(t, got, `{"contents":`+want+`}`)
	openaitest.Reports(t, entries, report...)
}
