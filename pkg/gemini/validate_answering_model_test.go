package gemini_test

import (
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/google/go-cmp/cmp"
)

// A request is checked against the model that answers at the service on the day.
func TestARequestIsCheckedForTheModelThatAnswers(t *testing.T) {
	t.Parallel()
	const (
		trailing   = `{"contents":[{"role":"user","parts":[{"text":"Hi."}]},{"role":"model","parts":[{"text":"Once"}]}]}`
		minimal    = `{"contents":[{"parts":[{"text":"Hi."}]}],"generationConfig":{"thinkingConfig":{"thinkingLevel":"MINIMAL"}}}`
		low        = `{"contents":[{"parts":[{"text":"Hi."}]}],"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}}}`
		off        = `{"contents":[{"parts":[{"text":"Hi."}]}],"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}}`
		budget     = `{"contents":[{"parts":[{"text":"Hi."}]}],"generationConfig":{"thinkingConfig":{"thinkingBudget":1024}}}`
		candidates = `{"contents":[{"parts":[{"text":"Hi."}]}],"generationConfig":{"candidateCount":2}}`
		one        = `{"contents":[{"parts":[{"text":"Hi."}]}],"generationConfig":{"candidateCount":1}}`
		logprobs   = `{"contents":[{"parts":[{"text":"Hi."}]}],"generationConfig":{"responseLogprobs":true}}`
		cached     = `{"contents":[{"parts":[{"text":"Hi."}]}],"cachedContent":"cachedContents/1"}`
		sampling   = `{"contents":[{"parts":[{"text":"Hi."}]}],"generationConfig":{"temperature":0.5,"topP":0.9,"topK":5}}`
	)
	atGemini, atVertex := gemini.ForGeminiAPI(), gemini.ForVertexAI()
	anywhere := gemini.ForModel("") // no service
	tests := []struct {
		request, model, day string
		service             gemini.ValidateOption
		want                []string
	}{
		{trailing, "gemini-3.5-flash", "2026-10-07", atGemini, nil},
		{trailing, "gemini-3.5-flash", "2026-10-08", atGemini, []string{"/contents/1/role turns"}},
		{trailing, "gemini-3.5-flash", "2026-10-08", atVertex, nil},
		{trailing, "gemini-3.5-flash", "2026-10-08", anywhere, nil}, // one of the services takes it
		{trailing, "gemini-3.6-flash", "2026-10-08", anywhere, []string{"/contents/1/role turns"}},
		{trailing, "gemini-4-argon", "2026-11-23", atGemini, []string{"/contents/1/role turns"}},
		{minimal, "gemini-2.5-pro", "2026-11-30", atGemini, []string{"/generationConfig/thinkingConfig/thinkingLevel model"}},
		{low, "gemini-2.5-pro", "2026-11-30", atGemini, []string{"/generationConfig/thinkingConfig/thinkingLevel model"}},
		{low, "gemini-2.5-pro", "2026-12-01", atGemini, nil},
		{low, "gemini-2.5-pro", "2026-12-01", anywhere, nil},
		{minimal, "gemini-2.5-pro", "2026-12-01", anywhere, []string{"/generationConfig/thinkingConfig/thinkingLevel model"}},
		{off, "gemini-2.5-flash", "2026-11-30", atGemini, nil},
		{off, "gemini-2.5-flash", "2026-12-01", atGemini, []string{"/generationConfig/thinkingConfig/thinkingBudget model"}},
		{off, "gemini-3.8-flash", "2026-11-23", atGemini, nil}, // no answer was recorded
		{off, "gemini-3.1-pro-preview", "2026-11-23", atGemini, []string{"/generationConfig/thinkingConfig/thinkingBudget model"}},
		{budget, "gemini-4-argon", "2026-11-23", atGemini, nil},
		{budget, "gemma-4-31b-it", "2026-11-23", atGemini, []string{"/generationConfig/thinkingConfig/thinkingBudget model"}},
		{minimal, "gemini-4-argon", "2026-11-23", atVertex, []string{"/generationConfig/thinkingConfig/thinkingLevel model"}},
		{minimal, "gemini-nano-banana-2.1", "2026-11-23", atGemini, nil},
		{low, "gemini-nano-banana-2.1", "2026-11-23", atGemini, []string{"/generationConfig/thinkingConfig/thinkingLevel model"}},
		{low, "gemini-3-pro-preview", "2026-03-08", atGemini, nil},
		{low, "gemini-3.8-flash-tts", "2026-11-23", atGemini, []string{"/generationConfig/thinkingConfig/thinkingLevel model"}},
		{candidates, "gemini-3.8-flash", "2026-11-23", atGemini, []string{"/generationConfig/candidateCount model"}},
		{candidates, "gemini-3.7-flash", "2026-11-23", atGemini, []string{"/generationConfig/candidateCount model"}},
		{candidates, "gemini-3.7-flash", "2026-10-07", atGemini, []string{"/generationConfig/candidateCount model"}},
		{candidates, "gemini-3.8-flash", "2026-11-23", atVertex, nil},
		{candidates, "gemini-3.8-flash", "2026-11-23", anywhere, nil},
		// like similar models
		{candidates, "gemini-3.6-flash", "2026-11-23", atGemini, []string{"/generationConfig/candidateCount model"}},
		// not measured
		{candidates, "gemini-4-argon", "2026-11-23", atGemini, nil},
		{candidates, "gemini-2.5-pro", "2026-11-30", atGemini, nil},
		{candidates, "gemini-2.5-pro", "2026-12-01", atGemini, []string{"/generationConfig/candidateCount model"}},
		{one, "gemini-3.8-flash", "2026-11-23", atGemini, nil},
		{logprobs, "gemini-2.5-flash", "2026-11-23", atGemini, []string{"/generationConfig/responseLogprobs model"}},
		{logprobs, "gemini-3.6-flash", "2026-11-23", atGemini, []string{"/generationConfig/responseLogprobs model"}},
		{logprobs, "gemma-4-31b-it", "2026-11-23", atGemini, []string{"/generationConfig/responseLogprobs model"}},
		{logprobs, "gemini-2.5-flash", "2026-11-23", atVertex, nil},
		{logprobs, "gemini-2.0-flash", "2026-05-01", atGemini, nil},
		{cached, "gemini-4-argon", "2026-11-23", atGemini, []string{"/cachedContent model"}},
		{cached, "gemini-4-argon", "2026-11-23", anywhere, []string{"/cachedContent model"}},
		{cached, "gemini-3.8-flash", "2026-11-23", atGemini, nil},
		{sampling, "gemini-4-argon", "2026-11-23", atGemini, nil}, // taken, and ignored
	}
	for _, tt := range tests {
		when, err := time.Parse(time.DateOnly, tt.day)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, problem := range problemsOf(t, tt.request, tt.service, gemini.ForModel(tt.model),
			gemini.ForTime(when)) {
			got = append(got, problem.Pointer+" "+problem.Rule)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s on %s: %s\n-want +got:\n%s", tt.model, tt.day, tt.request, diff)
		}
	}
}

func TestAProblemNamesTheModelThatAnswers(t *testing.T) {
	t.Parallel()
	const trailing = `{"contents":[{"role":"user","parts":[{"text":"Hi."}]},{"role":"model","parts":[{"text":"Once"}]}]}`
	when := time.Date(2026, time.November, 23, 0, 0, 0, 0, time.UTC)
	problems := problemsOf(t, trailing, gemini.ForGeminiAPI(),
		gemini.ForModel("models/gemini-3.5-flash"), gemini.ForTime(when))
	want := "gemini-3.6-flash, which answers for gemini-3.5-flash, does not continue a model turn; the last turn must be the user's"
	if len(problems) != 1 || problems[0].Want != want {
		t.Errorf("got %+v", problems)
	}
}
