package request_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
	"github.com/google/go-cmp/cmp"
)

// effortRows are the results of each effort for models of each kind. They follow Google's own
// endpoint where it is documented. A ~ marks approximated values, "lost" marks lost ones.
var effortRows = map[string]map[string]string{
	// R1 R3: levels.
	"gemini-3.8-flash":            {"none": "LOW~", "minimal": "LOW~", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	"gemini-3.7-flash":            {"none": "LOW~", "minimal": "LOW~", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	"gemini-3.6-flash":            {"none": "MINIMAL~", "minimal": "MINIMAL", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	"gemini-3.5-flash":            {"none": "MINIMAL~", "minimal": "MINIMAL", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	"gemini-3.5-flash-lite":       {"none": "MINIMAL~", "minimal": "MINIMAL", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	"gemini-3.1-pro-preview":      {"none": "LOW~", "minimal": "LOW~", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	"gemini-3.1-flash-lite":       {"none": "MINIMAL~", "minimal": "MINIMAL", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	"gemini-3.1-flash-image":      {"none": "MINIMAL~", "minimal": "MINIMAL", "low": "MINIMAL~", "medium": "HIGH~", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	"gemini-3.1-flash-lite-image": {"none": "MINIMAL~", "minimal": "MINIMAL", "low": "MINIMAL~", "medium": "HIGH~", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	"gemini-3-pro-image-preview":  {"none": "HIGH~", "minimal": "HIGH~", "low": "HIGH~", "medium": "HIGH~", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	"gemini-3-flash-preview":      {"none": "MINIMAL~", "minimal": "MINIMAL", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	// 3.1 Pro answers requests for 3 Pro.
	"gemini-3-pro-preview": {"none": "LOW~", "minimal": "LOW~", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	"gemini-4-argon":       {"none": "LOW~", "minimal": "LOW~", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	"gemini-of-tomorrow":   {"none": "LOW~", "minimal": "LOW~", "low": "LOW", "medium": "MEDIUM", "high": "HIGH", "xhigh": "HIGH~", "max": "HIGH~"},
	// Budgets within the range of the model.
	"gemini-2.5-pro":        {"none": "128~", "minimal": "1024", "low": "1024", "medium": "8192", "high": "24576", "xhigh": "32768", "max": "32768"},
	"gemini-2.5-flash":      {"none": "0", "minimal": "1024", "low": "1024", "medium": "8192", "high": "24576", "xhigh": "24576~", "max": "24576"},
	"gemini-2.5-flash-lite": {"none": "0", "minimal": "1024", "low": "1024", "medium": "8192", "high": "24576", "xhigh": "24576~", "max": "24576"},
	// Models that do not think.
	"gemini-2.5-flash-image": {"none": "~", "minimal": "lost", "low": "lost", "medium": "lost", "high": "lost", "xhigh": "lost", "max": "lost"},
	"gemini-2.0-flash":       {"none": "~", "minimal": "lost", "low": "lost", "medium": "lost", "high": "lost", "xhigh": "lost", "max": "lost"},
	"gemini-1.5-pro":         {"none": "~", "minimal": "lost", "low": "lost", "medium": "lost", "high": "lost", "xhigh": "lost", "max": "lost"},
	"gemma-3-27b-it":         {"none": "~", "minimal": "lost", "low": "lost", "medium": "lost", "high": "lost", "xhigh": "lost", "max": "lost"},
}

func TestEfforts(t *testing.T) {
	t.Parallel()
	efforts := slices.Sorted(slices.Values(openaitest.Enum(t, "ReasoningEffort")))
	for model, row := range effortRows {
		if diff := cmp.Diff(efforts, slices.Sorted(maps.Keys(row))); diff != "" {
			t.Fatalf("%s: %s", model, diff)
		}
		for effort, want := range row {
			t.Run(model+" "+effort, func(t *testing.T) {
				t.Parallel()
				checkEffort(t, model, effort, want)
			})
		}
	}
}

func checkEffort(t *testing.T, model, effort, want string) {
	t.Helper()
	got, report := ask(t, model, `"reasoning_effort":"`+effort+`"`)
	var entries []string
	value := want
	switch {
	case want == "lost":
		value, entries = "", []string{"lost /reasoning_effort"}
	case want[len(want)-1] == '~':
		value, entries = want[:len(want)-1], []string{"approximated /reasoning_effort"}
	}
	switch {
	case value == "":
		settings(t, got, model, "")
	case value[0] <= '9':
		settings(t, got, model,
			`"generationConfig":{"thinkingConfig":{"thinkingBudget":`+value+`}}`)
	default:
		settings(t, got, model,
			`"generationConfig":{"thinkingConfig":{"thinkingLevel":"`+value+`"}}`)
	}
	openaitest.Reports(t, report, entries...)
}

func TestAnUnknownEffortIsReported(t *testing.T) {
	t.Parallel()
	got, report := ask(t, levelModel, `"reasoning_effort":"heroic"`)
	settings(t, got, levelModel, "")
	openaitest.Reports(t, report, "lost /reasoning_effort")
}

func TestTheModelOfTheOptionDecides(t *testing.T) {
	t.Parallel()
	got, report := ask(t, "gpt-5", `"reasoning_effort":"low"`, request.ForModel(budgetModel))
	settings(t, got, budgetModel, `"generationConfig":{"thinkingConfig":{"thinkingBudget":1024}}`)
	openaitest.Reports(t, report, "approximated /model")
}
