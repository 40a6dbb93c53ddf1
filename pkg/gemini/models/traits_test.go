package models_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/google/go-cmp/cmp"
)

const (
	minimal = geminiapi.ThinkingLevelMinimal
	low     = geminiapi.ThinkingLevelLow
	medium  = geminiapi.ThinkingLevelMedium
	high    = geminiapi.ThinkingLevelHigh
)

// beforeRouting is a day on which each name below still meant its own model, except 3 Pro.
var beforeRouting = day("2026-10-07")

func day(text string) time.Time {
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return at
}

// traitsOf returns the traits of a model before Google routed names to successors.
func traitsOf(model string) models.Traits {
	return models.At(model, models.VertexAI, beforeRouting).Traits
}

// budget3 is the assumed range for Gemini 3: Google names none.
func budget3(canBeOff bool) *models.BudgetRange {
	return &models.BudgetRange{Min: 1, Max: 32768, CanBeOff: canBeOff, Assumed: true}
}

// untested is the range of models for which the effect of a budget of 0 is unknown.
var untested = &models.BudgetRange{Min: 1, Max: 32768, OffUntested: true, Assumed: true}

// Google's tables of levels, defaults and budgets, one row per model.
func TestEveryModelThinksAsGoogleSays(t *testing.T) {
	t.Parallel()
	type levels = []geminiapi.ThinkingLevel
	tests := map[string]models.ThinkingTraits{
		"gemini-4-argon":                          {BudgetUntested: true, Levels: levels{low, medium, high}, DefaultLevel: medium},
		"gemini-4-argon-cyber-permissive":         {BudgetUntested: true, Levels: levels{low, medium, high}, DefaultLevel: high},
		"gemini-nano-banana-2.1":                  {Budget: untested, Levels: levels{minimal, medium, high}, DefaultLevel: medium},
		"gemini-3.8-flash":                        {Budget: untested, Levels: levels{low, medium, high}, DefaultLevel: medium},
		"gemini-3.7-flash":                        {Budget: untested, Levels: levels{low, medium, high}, DefaultLevel: medium},
		"gemini-3.8-live":                         {},
		"gemini-3.8-live-extended-thinking":       {Levels: levels{low, medium, high}},
		"gemini-3.8-flash-tts":                    {},
		"gemini-3.8-flash-lite-tts":               {},
		"gemini-3.5-transcribe":                   {},
		"gemini-3.1-flash-tts-preview":            {},
		"gemini-3.1-flash-live-preview":           {},
		"gemini-omni-1.1-flash":                   {},
		"gemini-robotics-er-2-preview":            {Budget: budget3(true), Levels: levels{minimal, low, medium, high}, DefaultLevel: high},
		"gemini-robotics-er-1.5-preview":          {Budget: budget3(true)},
		"gemini-2.5-computer-use-preview-10-2025": {Budget: budget3(true)},
		"gemini-3.6-flash":                        {Budget: budget3(true), Levels: levels{minimal, low, medium, high}, DefaultLevel: medium},
		"gemini-3.5-flash-lite":                   {Budget: budget3(false), Levels: levels{minimal, low, medium, high}, DefaultLevel: minimal},
		"gemini-3.5-flash":                        {Budget: budget3(true), Levels: levels{minimal, low, medium, high}, DefaultLevel: medium},
		"gemini-3.1-pro-preview":                  {Budget: budget3(false), Levels: levels{low, medium, high}, DefaultLevel: high},
		"gemini-3.1-flash-lite":                   {Budget: budget3(true), Levels: levels{minimal, low, medium, high}, DefaultLevel: minimal},
		"gemini-3.1-flash-image":                  {Budget: budget3(true), Levels: levels{minimal, high}, DefaultLevel: minimal},
		"gemini-3.1-flash-lite-image":             {Budget: budget3(true), Levels: levels{minimal, high}, DefaultLevel: minimal},
		"gemini-3-pro-image":                      {Budget: budget3(false), Levels: levels{high}, DefaultLevel: high},
		"gemini-3-flash-preview":                  {Budget: budget3(true), Levels: levels{minimal, low, medium, high}, DefaultLevel: high},
		"gemini-3-pro-preview":                    {Budget: budget3(false), Levels: levels{low, high}, DefaultLevel: high},
		"gemini-2.5-pro":                          {Budget: &models.BudgetRange{Min: 128, Max: 32768}},
		"gemini-2.5-flash":                        {Budget: &models.BudgetRange{Min: 1, Max: 24576, CanBeOff: true}},
		"gemini-2.5-flash-lite":                   {Budget: &models.BudgetRange{Min: 512, Max: 24576, CanBeOff: true}},
		"gemini-2.5-flash-image":                  {},
		"gemini-2.0-flash":                        {},
		"gemini-1.5-pro":                          {},
		"gemma-4-31b-it":                          {Levels: levels{minimal, high}},
		"gemma-3-27b-it":                          {},
	}
	for model, want := range tests {
		if diff := cmp.Diff(want, traitsOf(model).Thinking); diff != "" {
			t.Errorf("%s: -want +got:\n%s", model, diff)
		}
	}
}

func TestRequestsThatModelsAcceptAndRefuse(t *testing.T) {
	t.Parallel()
	// with returns traits with changes.
	with := func(traits models.Traits, changes ...func(*models.Traits)) models.Traits {
		for _, change := range changes {
			change(&traits)
		}
		return traits
	}
	logprobs := func(t *models.Traits) { t.RefusesLogprobs = models.GeminiAPI }
	candidates := func(t *models.Traits) { t.RefusesMultipleCandidates = models.GeminiAPI }
	unsigned := func(t *models.Traits) { t.RequiresSignatures = false }

	since3 := models.Traits{
		RequiresSignatures: true, RequiresAnswers: true, JSONSchema: true,
		FunctionResponseParts: true, PartMediaResolution: true,
		RefusesPenalties: models.GeminiAPI, RequiresShownServerCalls: models.GeminiAPI,
	}
	since36 := with(since3, func(t *models.Traits) { t.RefusesTrailingModelTurn = true })
	since37 := with(since36, func(t *models.Traits) { t.RequiresMatchingAnswers = true })
	argon := with(since37,
		func(t *models.Traits) { t.IgnoresSampling, t.RefusesCachedContent = true, models.BothBackends })
	lenient := models.Traits{JSONSchema: true, FunctionResponseParts: true,
		PartMediaResolution: true}
	gemini2 := models.Traits{JSONSchema: true, RefusesJSONWithFunctions: models.GeminiAPI,
		RefusesSearchWithFunctions: models.GeminiAPI}
	gemini25 := with(gemini2, logprobs,
		func(t *models.Traits) { t.RefusesPenalties = models.GeminiAPI })
	tests := []struct {
		want   models.Traits
		models []string
	}{
		{argon, []string{"gemini-4-argon", "gemini-4-argon-cyber-permissive"}},
		{since37, []string{"gemini-4-pro", "gemini-5"}},
		{with(since37, logprobs, candidates), []string{"gemini-3.8-flash", "gemini-flash-latest", "gemini-3.7-flash", "gemini-3.8-pro"}},
		{with(since36, logprobs, candidates), []string{"gemini-3.6-flash", "gemini-3.5-flash-lite", "gemini-flash-lite-latest"}},
		{with(since3, logprobs, candidates), []string{
			"gemini-3.5-flash", "gemini-3.1-pro-preview", "gemini-3-flash-preview",
			"gemini-3-pro-preview", "gemini-pro-latest", "gemini-3.5-ultra",
			"gemini-3.1-flash-lite", "gemini-3.1-flash-image", "gemini-nano-banana-2.1",
		}},
		{with(since3, logprobs, candidates, unsigned), []string{"gemini-3-pro-image", "gemini-3-pro-image-preview", "nano-banana-pro-preview"}},
		{lenient, []string{"gemini-3.8-flash-tts", "gemini-3.8-live", "gemini-3.5-transcribe", "gemini-3.1-flash-tts-preview", "gemini-omni-1.1-flash"}},
		{gemini25, []string{"gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-2.5-flash-image", "gemini-2.5-computer-use-preview-10-2025"}},
		{gemini2, []string{"gemini-2.0-flash", "gemini-2.0-flash-001"}},
		{with(models.Traits{}, logprobs), []string{"gemma-4-31b-it"}},
		{models.Traits{NormalizesEmbeddings: true}, []string{"gemini-embedding-2", "gemini-embedding-2-preview"}},
		{models.Traits{}, []string{"gemini-1.5-flash", "gemini-1.0-pro", "gemini-pro", "gemini-pro-vision", "gemma-3-27b-it", "text-embedding-004", "embedding-001", "gemini-embedding-001", "gemini-embedding-exp-03-07", "imagen-3.0-generate-002", "veo-3.1-lite-generate-preview"}},
	}
	for _, tt := range tests {
		for _, model := range tt.models {
			got := traitsOf(model)
			got.Thinking = models.ThinkingTraits{}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%q: -want +got:\n%s", model, diff)
			}
		}
	}
}

func TestAModelIsKnownInEveryFormOfItsID(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite",
		"gemini-3-pro", "gemini-3-pro-image", "gemini-3.1-flash-lite-image", "gemini-3.5-flash", "gemini-1.5-flash", "imagen", "text-embedding-005"} {
		want := traitsOf(model)
		for _, form := range []string{
			"models/%s", "publishers/google/models/%s", "google/%s",
			"projects/p-1/locations/global/publishers/google/models/%s",
			"%s-001", "%s-002", "%s-latest", "%s-preview", "%s-preview-09-2025", "%s-exp-03-25",
			"%s@001", "%s:generateContent",
			"models/%s-preview-05-06",
		} {
			id := fmt.Sprintf(form, model)
			if diff := cmp.Diff(want, traitsOf(id)); diff != "" {
				t.Errorf("%s is not %s: -want +got:\n%s", id, model, diff)
			}
		}
		if diff := cmp.Diff(want,
			traitsOf("MODELS/"+string([]byte{model[0] - 'a' + 'A'})+model[1:])); diff != "" {
			t.Errorf("%s with a capital letter: -want +got:\n%s", model, diff)
		}
	}
}

func TestAnUnknownModelIsTakenForTheNewest(t *testing.T) {
	t.Parallel()
	// A name that only begins like an older one is another model.
	for _, model := range []string{"gemini-3.9-flash", "gemini-5", "gemini-30-pro", "gemini-2.51",
		"gemini-2.5x"} {
		if diff := cmp.Diff(traitsOf("gemini-4"), traitsOf(model)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", model, diff)
		}
	}
}

func TestANameThatMayStandForAnyModelTakesAllAndRefusesNothing(t *testing.T) {
	t.Parallel()
	newest := traitsOf("gemini-3.8-flash")
	want := models.Traits{
		Thinking: newest.Thinking, JSONSchema: newest.JSONSchema,
		FunctionResponseParts: newest.FunctionResponseParts,
		PartMediaResolution:   newest.PartMediaResolution,
	}
	for _, model := range []string{"", "models/", "tunedModels/mine-a1",
		"projects/1/locations/2/endpoints/3", "gpt-4o", "claude"} {
		if diff := cmp.Diff(want, traitsOf(model)); diff != "" {
			t.Errorf("%q: -want +got:\n%s", model, diff)
		}
	}
}

func TestBudgetRange(t *testing.T) {
	t.Parallel()
	tests := []struct {
		model  string
		budget int
		want   bool
	}{
		{"gemini-2.5-flash", -1, true}, {"gemini-2.5-flash", 0, true}, {"gemini-2.5-flash", 1, true}, {"gemini-2.5-flash", 24576, true},
		{"gemini-2.5-flash", -2, false}, {"gemini-2.5-flash", 24577, false},
		{"gemini-2.5-pro", -1, true}, {"gemini-2.5-pro", 0, false}, {"gemini-2.5-pro", 127, false}, {"gemini-2.5-pro", 128, true}, {"gemini-2.5-pro", 32768, true}, {"gemini-2.5-pro", 32769, false},
		{"gemini-2.5-flash-lite", 0, true}, {"gemini-2.5-flash-lite", 511, false}, {"gemini-2.5-flash-lite", 512, true},
	}
	for _, tt := range tests {
		if got := traitsOf(tt.model).Thinking.Budget.Holds(tt.budget); got != tt.want {
			t.Errorf("%s holds %d is %v", tt.model, tt.budget, got)
		}
	}
}

func TestAnAmountIsABudgetBeforeGemini3AndALevelSince(t *testing.T) {
	t.Parallel()
	amounts := []models.Amount{models.AmountNone, models.AmountLow, models.AmountMedium,
		models.AmountHigh}
	for model, want := range map[string][]int{
		"gemini-2.5-pro":        {128, 11008, 21888, 32768},
		"gemini-2.5-flash":      {0, 8192, 16384, 24576},
		"gemini-2.5-flash-lite": {512, 8533, 16554, 24576},
	} {
		var got []int
		for _, amount := range amounts {
			got = append(got, *traitsOf(model).Thinking.Config(amount).ThinkingBudget)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", model, diff)
		}
	}
	for model, want := range map[string][]geminiapi.ThinkingLevel{
		"gemini-3-flash-preview":   {minimal, low, medium, high},
		"gemini-3-pro-preview":     {low, low, high, high},
		"gemini-3.1-pro-preview":   {low, low, medium, high},
		"gemini-3.1-flash-image":   {minimal, minimal, high, high},
		"gemini-3-pro-image":       {high, high, high, high},
		"gemini-3.7-flash":         {low, low, medium, high},
		"gemma-4-31b-it":           {minimal, minimal, high, high},
		"projects/p/endpoints/1.2": {low, low, medium, high},
	} {
		var got []geminiapi.ThinkingLevel
		for _, amount := range amounts {
			got = append(got, *traitsOf(model).Thinking.Config(amount).ThinkingLevel)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", model, diff)
		}
	}
	for model, amount := range map[string]models.Amount{"gemini-2.0-flash": models.AmountHigh,
		"gemini-2.5-pro": "much", "gemini-3-pro": ""} {
		if got := traitsOf(model).Thinking.Config(amount); got != nil {
			t.Errorf("%s thinks %q as %v", model, amount, got)
		}
	}
	if got := traitsOf("gemini-2.5-pro").Thinking.Budget.Tokens("much"); got != -1 {
		t.Errorf("no amount is a budget of %d", got)
	}
}

// Every amount is a budget, or a level, that the model accepts.
func TestEveryModelTakesWhatItsTraitsConfigure(t *testing.T) {
	t.Parallel()
	for _, name := range knownNames() {
		thinking := traitsOf(name).Thinking
		for _, amount := range []models.Amount{models.AmountNone, models.AmountLow,
			models.AmountMedium, models.AmountHigh} {
			switch c := thinking.Config(amount); {
			case c == nil:
				if thinking.Budget != nil || thinking.Levels != nil {
					t.Errorf("%s cannot think %s", name, amount)
				}
			case c.ThinkingLevel != nil && !slices.Contains(thinking.Levels, *c.ThinkingLevel),
				c.ThinkingBudget != nil && !thinking.Budget.Holds(*c.ThinkingBudget),
				(c.ThinkingLevel == nil) == (c.ThinkingBudget == nil):
				t.Errorf("%s thinks %s as %v", name, amount, c)
			}
		}
	}
}

// Every row must make sense, also new ones.
func TestTheTableOfModelsHoldsTogether(t *testing.T) {
	t.Parallel()
	rising := []geminiapi.ThinkingLevel{minimal, low, medium, high}
	for _, name := range knownNames() {
		traits := traitsOf(name)
		if traits.Thinking.DefaultLevel != "" &&
			!slices.Contains(traits.Thinking.Levels, traits.Thinking.DefaultLevel) {
			t.Errorf("%s: the default is none of the levels", name)
		}
		if !slices.IsSortedFunc(traits.Thinking.Levels, func(a, b geminiapi.ThinkingLevel) int {
			return slices.Index(rising, a) - slices.Index(rising, b)
		}) {
			t.Errorf("%s: the levels do not rise", name)
		}
		if b := traits.Thinking.Budget; b != nil && (b.Min < 1 || b.Max < b.Min) {
			t.Errorf("%s: a budget from %d to %d", name, b.Min, b.Max)
		}
	}
}

// Every recorded model has a row, so that no model in use is a guess.
func TestEveryRecordedModelHasARow(t *testing.T) {
	t.Parallel()
	guessed := map[string]bool{"": true, "x": true, "there-is-no-such-model": true,
		"custom-gemini-2.0-flash": true}
	for _, kind := range []corpustest.Kind{corpustest.Request, corpustest.Response,
		corpustest.Stream, corpustest.Error} {
		for _, p := range corpustest.Payloads(t, kind) {
			if !guessed[p.Model] && !isKnown(p.Model) {
				t.Errorf("%s: no row for %s", p.Name, p.Model)
				guessed[p.Model] = true
			}
		}
	}
}

func isKnown(name string) bool {
	m := models.At(name, models.GeminiAPI, beforeRouting)
	return m.IsKnown()
}

// knownNames returns the ids of all models, and names of families and of models without a row.
func knownNames() []string {
	names := []string{"gemini-4-pro", "gemini-3.8-pro", "gemini-3.1-ultra", "gemini-3-ultra",
		"gemini-2.5-ultra", "gemini-2.0-pro", "gemini-1.5-pro", "gemini-x", "x", ""}
	for _, m := range models.All(models.GeminiAPI, beforeRouting) {
		names = append(names, m.Asked)
	}
	return names
}
