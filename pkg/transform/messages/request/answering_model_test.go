package request_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gemwire/gemwire/pkg/anthropic"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/messages/request"
)

// The model that answers to a name depends on the day, and so does the converted request.
func TestARequestIsMadeForTheModelThatAnswersOnItsDay(t *testing.T) {
	t.Parallel()
	tests := []struct{ model, day, want string }{
		{"gemini-2.5-flash", "2026-11-30", `"thinkingConfig":{"thinkingBudget":8192`},
		{"gemini-2.5-flash", "2026-12-01", `"thinkingConfig":{"thinkingLevel":"MEDIUM"`},
		{"gemini-2.5-pro", "2026-11-30", `"thinkingConfig":{"thinkingBudget":8192`},
		{"gemini-2.5-pro", "2027-01-01", `"thinkingConfig":{"thinkingLevel":"MEDIUM"`},
		{"gemini-2.5-flash-lite", "2027-01-01", `"thinkingConfig":{"thinkingBudget":8192`},
	}
	for _, tt := range tests {
		when, err := time.Parse(time.DateOnly, tt.day)
		if err != nil {
			t.Fatal(err)
		}
		body := `{"model":"` + tt.model +
			`","max_tokens":10000,"messages":[{"role":"user","content":"Hi."}],"output_config":{"effort":"medium"}}`
		got, _ := answeredOn(t, body, when)
		if !strings.Contains(got, tt.want) || !strings.Contains(got, tt.model) {
			t.Errorf("%s on %s: got %s", tt.model, tt.day, got)
		}
		if again, _ := answeredOn(t, body, when); again != got {
			t.Errorf("%s on %s: another time it is %s", tt.model, tt.day, again)
		}
		if vertex, _ := answeredOn(t, body, when, request.ForVertexAI()); !strings.Contains(vertex,
			"thinkingBudget") {
			t.Errorf("%s on %s: Vertex AI answers by the model itself, and gets %s", tt.model,
				tt.day, vertex)
		}
	}
}

func TestMembersThatArgonIgnoresAreReported(t *testing.T) {
	t.Parallel()
	when := time.Date(2026, time.November, 23, 0, 0, 0, 0, time.UTC)
	const sampling = `"max_tokens":10000,"messages":[{"role":"user","content":"Hi."}],"temperature":0.5,"top_p":0.9,"top_k":5`
	for _, opts := range [][]request.Option{nil, {request.ForVertexAI()}} {
		got, report := answeredOn(t, `{"model":"gemini-4-argon",`+sampling+`}`, when, opts...)
		if strings.Contains(got, "temperature") || strings.Contains(got, "topP") ||
			strings.Contains(got, "topK") {
			t.Errorf("sent %s", got)
		}
		var lost []string
		for _, entry := range report {
			if entry.Detail == "omitted, because the model ignores it" {
				lost = append(lost, string(entry.Kind)+" "+entry.Pointer)
			}
		}
		if diff := cmp.Diff([]string{"lost /temperature", "lost /top_p", "lost /top_k"},
			lost); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	if got, report := answeredOn(t, `{"model":"gemini-3.8-flash",`+sampling+`}`,
		when); !strings.Contains(got, "temperature") || len(report) > 0 {
		t.Errorf("3.8 Flash does not ignore it: %s, %v", got, report)
	}
}

// Argon continues an answer over several calls, so a request may ask for more tokens than one call
// returns.
func TestALengthIsReducedToTheLimitOfTheAnsweringModel(t *testing.T) {
	t.Parallel()
	when := time.Date(2026, time.November, 23, 0, 0, 0, 0, time.UTC)
	for model, want := range map[string]string{"gemini-4-argon": "1000000",
		"gemini-3.8-flash": "65536", "gemini-3.5-flash": "65536"} {
		got, _ := answeredOn(t,
			`{"model":"`+model+
				`","max_tokens":1000000,"messages":[{"role":"user","content":"Hi."}]}`, when)
		if !strings.Contains(got, `"maxOutputTokens":`+want) {
			t.Errorf("%s: got %s", model, got)
		}
	}
}

// answeredOn converts a request for a day.
func answeredOn(t *testing.T, body string, when time.Time, opts ...request.Option) (string,
	report.Report) {
	t.Helper()
	in, err := anthropic.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	out, report, err := request.ToGemini(in,
		append(opts, request.ForModel(nameIn(body)), request.ForTime(when))...)
	if err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	data, err := gemini.EncodeRequest(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(data) + " for " + nameIn(body), report
}

// nameIn returns the model name in a body.
func nameIn(body string) string { return strings.SplitN(body, `"`, 5)[3] }
