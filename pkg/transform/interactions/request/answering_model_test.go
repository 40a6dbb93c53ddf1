package request_test

import (
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/transform/interactions/request"
)

// The model that answers to a name depends on the day, and so does the converted request.
func TestARequestIsMadeForTheModelThatAnswersOnItsDay(t *testing.T) {
	t.Parallel()
	const config = "/generationConfig/thinkingConfig"
	day := func(month time.Month, day int) request.Option {
		return request.ForTime(time.Date(2026, month, day, 0, 0, 0, 0, time.UTC))
	}
	document := with(flash25, `"thinking_level":"medium"`)
	check(t, []row{
		{name: "before a later model takes the name", request: document,
			opts: []request.Option{day(time.November, 30)},
			want: map[string]string{config: `{"thinkingBudget":8192}`}},
		{name: "after it", request: document, opts: []request.Option{day(time.December, 1)},
			want: map[string]string{config: `{"thinkingLevel":"MEDIUM"}`}},
		{name: "on Vertex AI", request: document, report: inURL,
			opts: []request.Option{day(time.December, 1), request.ForVertexAI()},
			want: map[string]string{config: `{"thinkingBudget":8192}`}},
	})
}

func TestWhatAModelIgnoresIsReported(t *testing.T) {
	t.Parallel()
	check(t, []row{{name: "Argon and sampling",
		request: with("gemini-4-argon", `"temperature":0.5,"top_p":0.9,"top_k":5`),
		want:    map[string]string{"/generationConfig": ``},
		report: "lost /generation_config/temperature\nlost /generation_config/top_p\n" +
			"lost /generation_config/top_k"}})
}

func TestAModelOfNoVendorIsReported(t *testing.T) {
	t.Parallel()
	check(t, []row{{name: "another vendor's", request: on("claude-9", hi),
		want: map[string]string{"/model": `"models/claude-9"`}, report: "approximated /model"}})
}
