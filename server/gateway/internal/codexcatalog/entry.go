// Package codexcatalog describes models for codex, OpenAI's coding agent. codex reads a catalogue
// to learn the context window, the reasoning levels and the tools of a model.
//
// codex drops the whole catalogue if one entry lacks a required member or has an unknown value. So
// the entries have only values that all versions since 0.98 know. The required members are those
// that codex 0.169 fails without.
package codexcatalog

import (
	_ "embed"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Entry is a model in codex's catalogue.
type Entry struct {
	Slug        string `json:"slug"`
	DisplayName string `json:"display_name"`
	Description string `json:"description"`

	DefaultReasoningLevel    string  `json:"default_reasoning_level,omitzero"`
	SupportedReasoningLevels []Level `json:"supported_reasoning_levels"`
	SupportsSummaries        bool    `json:"supports_reasoning_summaries"`
	DefaultReasoningSummary  string  `json:"default_reasoning_summary"`

	ShellType           string     `json:"shell_type"`
	ApplyPatchToolType  string     `json:"apply_patch_tool_type"`
	WebSearchToolType   string     `json:"web_search_tool_type"`
	SupportsSearchTool  bool       `json:"supports_search_tool"`
	ParallelToolCalls   bool       `json:"supports_parallel_tool_calls"`
	ExperimentalTools   []string   `json:"experimental_supported_tools"`
	TruncationPolicy    Truncation `json:"truncation_policy"`
	InputModalities     []string   `json:"input_modalities"`
	UseResponsesLite    bool       `json:"use_responses_lite"`
	BaseInstructions    string     `json:"base_instructions"`
	ContextWindow       int        `json:"context_window,omitzero"`
	Visibility          string     `json:"visibility"`
	SupportedInAPI      bool       `json:"supported_in_api"`
	Priority            int        `json:"priority"`
	SupportVerbosity    bool       `json:"support_verbosity"`
	DefaultVerbosity    *string    `json:"default_verbosity"`
	AvailabilityMessage *string    `json:"availability_nux"`
	Upgrade             *string    `json:"upgrade"`
}

// Level is a reasoning level that a model supports.
type Level struct {
	Effort      string `json:"effort"`
	Description string `json:"description"`
}

// Truncation limits the output of a tool.
type Truncation struct {
	Mode  string `json:"mode"`
	Limit int    `json:"limit"`
}

// instructions are the system prompt that codex sends for a model of the catalogue. codex has its
// own prompt only for models without an entry.
//
//go:embed instructions.md
var instructions string

// toolOutput is the maximum size of a tool's output in tokens. It is the limit of OpenAI's models
// in the catalogue that codex 0.169 contains.
const toolOutput = 10_000

// Describe returns the entry of a model under a name of a client, and whether codex can use the
// model. codex sorts models by their priority, the lowest first.
func Describe(name string, model *models.Model, limits models.Limits, priority int) (Entry, bool) {
	if model.IsKnown() && !model.Calls.Has(models.CallGenerate) {
		return Entry{}, false
	}
	levels := levelsOf(&model.Traits.Thinking)
	return Entry{
		Slug: name, DisplayName: name, Description: descriptionOf(name, model),
		DefaultReasoningLevel:    effort(model.Traits.Thinking.DefaultLevel),
		SupportedReasoningLevels: levels, SupportsSummaries: len(levels) > 0,
		DefaultReasoningSummary: "auto",
		ShellType:               "unified_exec", ApplyPatchToolType: "freeform",
		WebSearchToolType: "text", ParallelToolCalls: true, ExperimentalTools: []string{},
		TruncationPolicy: Truncation{Mode: "tokens", Limit: toolOutput},
		InputModalities:  []string{"text", "image"},
		BaseInstructions: instructions, ContextWindow: limits.Input,
		Visibility: visibilityOf(model, levels), SupportedInAPI: true, Priority: priority,
	}, true
}

// descriptionOf names the model that answers, if the name does not.
func descriptionOf(name string, model *models.Model) string {
	if model.Name == "" || model.Name == name {
		return "Through gemwire"
	}
	return model.Name + ", through gemwire"
}

// visibilityOf hides models that do not think from the list in which the user chooses. They draw,
// speak, or are too old for an agent. codex still accepts their names.
func visibilityOf(model *models.Model, levels []Level) string {
	if model.IsKnown() && len(levels) == 0 {
		return "hide"
	}
	return "list"
}

// levelDescriptions has the levels of Gemini. It is read-only.
var levelDescriptions = map[geminiapi.ThinkingLevel]string{
	geminiapi.ThinkingLevelMinimal: "Almost no reasoning, the fastest answers",
	geminiapi.ThinkingLevelLow:     "Short reasoning for simple tasks",
	geminiapi.ThinkingLevelMedium:  "Balances speed and reasoning",
	geminiapi.ThinkingLevelHigh:    "The longest reasoning, for hard tasks",
}

// budgetLevels are the levels of a model with a budget of tokens, which the gateway converts. It is
// read-only.
var budgetLevels = []geminiapi.ThinkingLevel{geminiapi.ThinkingLevelLow,
	geminiapi.ThinkingLevelMedium, geminiapi.ThinkingLevelHigh}

// levelsOf returns the reasoning levels of a model, or none if it does not think.
func levelsOf(thinking *models.ThinkingTraits) []Level {
	of := thinking.Levels
	if len(of) == 0 && thinking.Budget != nil {
		of = budgetLevels
	}
	out := make([]Level, 0, len(of))
	for _, level := range of {
		out = append(out, Level{Effort: effort(level), Description: levelDescriptions[level]})
	}
	return out
}

// effort returns the name of a level in OpenAI's API.
func effort(level geminiapi.ThinkingLevel) string { return strings.ToLower(string(level)) }
