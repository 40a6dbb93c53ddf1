package request_test

import (
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

func TestModelsAreNamedAsTheGeminiAPINamesThem(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"gemini-2.5-flash":                  "models/gemini-2.5-flash",
		"models/gemini-2.5-flash":           "models/gemini-2.5-flash",
		"google/gemini-2.5-flash":           "models/gemini-2.5-flash",
		"gemini/gemini-2.5-flash":           "models/gemini-2.5-flash",
		"tunedModels/mine":                  "tunedModels/mine",
		"publishers/google/models/gemini-3": "publishers/google/models/gemini-3",
		"gemini-of-tomorrow":                "models/gemini-of-tomorrow",
		"gemma-3-27b-it":                    "models/gemma-3-27b-it",
	} {
		in := openaitest.DecodeRequest(t,
			`{"model":"`+model+`","messages":[{"role":"user","content":"Hello."}]}`)
		out, report, err := request.ToGemini(in)
		if err != nil {
			t.Fatal(err)
		}
		if *out.Model != want || len(report) > 0 {
			t.Errorf("%s became %s, %v", model, *out.Model, report)
		}
		out, report, err = request.ToGemini(in, request.ForVertexAI())
		if err != nil {
			t.Fatal(err)
		}
		if out.Model != nil {
			t.Errorf("%s became %s on Vertex AI", model, *out.Model)
		}
		openaitest.Reports(t, report, "approximated /model")
	}
	if out, _, err := request.ToGemini(openaitest.DecodeRequest(t,
		`{"messages":[{"role":"user","content":"Hello."}]}`)); err != nil || out.Model != nil {
		t.Errorf("without a model: %v, %v", out, err)
	}
}

// A server in front of Gemini may know the model by such a name, but the Gemini API does not.
func TestAModelThatIsNotGooglesIsReported(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"gpt-4o":                   "models/gpt-4o",
		"claude-sonnet-4":          "models/claude-sonnet-4",
		"openai/gpt-4o":            "openai/gpt-4o",
		"models/gpt-4o":            "models/gpt-4o",
		"google/model-of-tomorrow": "models/model-of-tomorrow",
	} {
		in := openaitest.DecodeRequest(t,
			`{"model":"`+model+`","messages":[{"role":"user","content":"Hello."}]}`)
		out, report, err := request.ToGemini(in)
		if err != nil {
			t.Fatal(err)
		}
		if *out.Model != want {
			t.Errorf("%s became %s", model, *out.Model)
		}
		openaitest.Reports(t, report, "approximated /model")
		out, report, err = request.ToGemini(in, request.ForModel("gemini-2.5-flash"))
		if err != nil || *out.Model != "models/gemini-2.5-flash" {
			t.Errorf("%s became %+v: %v", model, out, err)
		}
		openaitest.Reports(t, report, "approximated /model")
	}
}
