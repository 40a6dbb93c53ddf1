package models_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/google/go-cmp/cmp"
)

const (
	minimal = geminiapi.ThinkingLevelMinimal
	low     = geminiapi.ThinkingLevelLow
	medium  = geminiapi.ThinkingLevelMedium
	high    = geminiapi.ThinkingLevelHigh
)

// budget3 is the range that Gemini 3 is held to: Google names none.
func budget3(canBeOff bool) *models.BudgetRange {
	return &models.BudgetRange{Min: 1, Max: 32768, CanBeOff: canBeOff, Assumed: true}
}

// Google's tables of levels, defaults and budgets, one row a model.
func TestEveryModelThinksAsGoogleSays(t *testing.T) {
	t.Parallel()
	type levels = []geminiapi.ThinkingLevel
	tests := map[string]models.ThinkingTraits{
		"gemini-3.8-flash":            {Budget: budget3(true), Levels: levels{low, medium, high}, DefaultLevel: medium},
		"gemini-3.7-flash":            {Budget: budget3(true), Levels: levels{low, medium, high}, DefaultLevel: medium},
		"gemini-3.6-flash":            {Budget: budget3(true), Levels: levels{minimal, low, medium, high}, DefaultLevel: medium},
		"gemini-3.5-flash-lite":       {Budget: budget3(false), Levels: levels{minimal, low, medium, high}, DefaultLevel: minimal},
		"gemini-3.5-flash":            {Budget: budget3(true), Levels: levels{minimal, low, medium, high}, DefaultLevel: medium},
		"gemini-3.1-pro-preview":      {Budget: budget3(false), Levels: levels{low, medium, high}, DefaultLevel: high},
		"gemini-3.1-flash-lite":       {Budget: budget3(true), Levels: levels{minimal, low, medium, high}, DefaultLevel: minimal},
		"gemini-3.1-flash-image":      {Budget: budget3(true), Levels: levels{minimal, high}, DefaultLevel: minimal},
		"gemini-3.1-flash-lite-image": {Budget: budget3(true), Levels: levels{minimal, high}, DefaultLevel: minimal},
		"gemini-3-pro-image":          {Budget: budget3(false), Levels: levels{high}, DefaultLevel: high},
		"gemini-3-flash-preview":      {Budget: budget3(true), Levels: levels{minimal, low, medium, high}, DefaultLevel: high},
		"gemini-3-pro-preview":        {Budget: budget3(false), Levels: levels{low, high}, DefaultLevel: high},
		"gemini-2.5-pro":              {Budget: &models.BudgetRange{Min: 128, Max: 32768}},
		"gemini-2.5-flash":            {Budget: &models.BudgetRange{Min: 1, Max: 24576, CanBeOff: true}},
		"gemini-2.5-flash-lite":       {Budget: &models.BudgetRange{Min: 512, Max: 24576, CanBeOff: true}},
		"gemini-2.5-flash-image":      {},
		"gemini-2.0-flash":            {},
		"gemini-1.5-pro":              {},
		"gemma-4-31b-it":              {Levels: levels{minimal, high}},
		"gemma-3-27b-it":              {},
	}
	for model, want := range tests {
		if diff := cmp.Diff(want, models.TraitsOf(model).Thinking); diff != "" {
			t.Errorf("%s: -want +got:\n%s", model, diff)
		}
	}
}

func TestWhatModelsTakeAndRefuse(t *testing.T) {
	t.Parallel()
	since3 := models.Traits{
		RequiresSignatures: true, RequiresAnswers: true, JSONSchema: true, FunctionResponseParts: true, PartMediaResolution: true,
		RefusesPenalties: models.GeminiAPI, RequiresShownServerCalls: models.GeminiAPI,
	}
	since36 := since3
	since36.RefusesTrailingModelTurn = true
	since37 := since36
	since37.RequiresMatchingAnswers = true
	image3 := since3
	image3.RequiresSignatures = false
	gemini2 := models.Traits{JSONSchema: true, RefusesJSONWithFunctions: models.GeminiAPI, RefusesSearchWithFunctions: models.GeminiAPI}
	gemini25 := gemini2
	gemini25.RefusesPenalties = models.GeminiAPI
	withoutLogprobs := gemini25
	withoutLogprobs.RefusesLogprobs = models.GeminiAPI
	tests := []struct {
		want   models.Traits
		models []string
	}{
		{since37, []string{"gemini-3.8-flash", "gemini-3.7-flash", "gemini-flash-latest", "gemini-4-pro"}},
		{since36, []string{"gemini-3.6-flash", "gemini-3.5-flash-lite", "gemini-flash-lite-latest"}},
		{since3, []string{"gemini-3.5-flash", "gemini-3.1-pro-preview", "gemini-3.1-flash-lite", "gemini-3.1-flash-image", "gemini-3-flash-preview", "gemini-3-pro-preview", "gemini-pro-latest", "gemini-3.1-flash-tts-preview"}},
		{image3, []string{"gemini-3-pro-image", "gemini-3-pro-image-preview"}},
		{gemini25, []string{"gemini-2.5-flash", "gemini-2.5-flash-image", "gemini-2.5-computer-use-preview-10-2025"}},
		{withoutLogprobs, []string{"gemini-2.5-pro", "gemini-2.5-flash-lite"}},
		{gemini2, []string{"gemini-2.0-flash", "gemini-2.0-flash-001"}},
		{models.Traits{NormalizesEmbeddings: true}, []string{"gemini-embedding-2", "gemini-embedding-2-preview"}},
		{models.Traits{}, []string{"gemini-1.5-flash", "gemini-1.0-pro", "gemini-pro", "gemini-pro-vision", "gemma-3-27b-it", "text-embedding-004", "embedding-001", "gemini-embedding-001", "gemini-embedding-exp-03-07", "imagen-3.0-generate-002", "veo-3.1-lite-generate-preview"}},
	}
	for _, tt := range tests {
		for _, model := range tt.models {
			got := models.TraitsOf(model)
			got.Thinking = models.ThinkingTraits{}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%q: -want +got:\n%s", model, diff)
			}
		}
	}
}

func TestAModelIsKnownInEveryFormOfItsID(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-3-pro", "gemini-3-pro-image", "gemini-3.1-flash-lite-image", "gemini-3.5-flash", "gemini-1.5-flash", "imagen", "text-embedding-005"} {
		want := models.TraitsOf(model)
		for _, form := range []string{
			"models/%s", "publishers/google/models/%s", "google/%s", "projects/p-1/locations/global/publishers/google/models/%s",
			"%s-001", "%s-002", "%s-latest", "%s-preview", "%s-preview-09-2025", "%s-preview-tts", "%s-exp-03-25", "%s@001", "%s:generateContent",
			"models/%s-preview-05-06",
		} {
			if form == "%s-preview-tts" && model != "gemini-3.5-flash" {
				continue // models of their own
			}
			id := fmt.Sprintf(form, model)
			if diff := cmp.Diff(want, models.TraitsOf(id)); diff != "" {
				t.Errorf("%s is not %s: -want +got:\n%s", id, model, diff)
			}
		}
		if diff := cmp.Diff(want, models.TraitsOf("MODELS/"+string([]byte{model[0] - 'a' + 'A'})+model[1:])); diff != "" {
			t.Errorf("%s with a capital letter: -want +got:\n%s", model, diff)
		}
	}
}

func TestAnUnknownModelIsTakenForTheNewest(t *testing.T) {
	t.Parallel()
	// A name that merely begins like an older one is another model.
	for _, model := range []string{"gemini-3.9-flash", "gemini-4", "gemini-30-pro", "gemini-2.51", "gemini-2.5x"} {
		if diff := cmp.Diff(models.TraitsOf("gemini-3.8-flash"), models.TraitsOf(model)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", model, diff)
		}
	}
}

func TestANameThatMayStandForAnyModelTakesAllAndRefusesNothing(t *testing.T) {
	t.Parallel()
	newest := models.TraitsOf("gemini-3.8-flash")
	want := models.Traits{
		Thinking: newest.Thinking, JSONSchema: newest.JSONSchema,
		FunctionResponseParts: newest.FunctionResponseParts, PartMediaResolution: newest.PartMediaResolution,
	}
	for _, model := range []string{"", "models/", "tunedModels/mine-a1", "projects/1/locations/2/endpoints/3", "gpt-4o", "claude"} {
		if diff := cmp.Diff(want, models.TraitsOf(model)); diff != "" {
			t.Errorf("%q: -want +got:\n%s", model, diff)
		}
	}
}

func TestNobodyCanChangeTheTableOfModels(t *testing.T) {
	t.Parallel()
	for _, model := range []string{"gemini-3.5-flash", "gemini-3.7-flash", "gemini-2.5-pro", "nothing-known"} {
		before := models.TraitsOf(model)
		mine := models.TraitsOf(model)
		mine.Thinking.Budget.Max = 1
		for i := range mine.Thinking.Levels {
			mine.Thinking.Levels[i] = ""
		}
		_ = append(mine.Thinking.Levels[:0], "LOUD")
		if diff := cmp.Diff(before, models.TraitsOf(model)); diff != "" {
			t.Errorf("%s has changed: -before +after:\n%s", model, diff)
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
		if got := models.TraitsOf(tt.model).Thinking.Budget.Holds(tt.budget); got != tt.want {
			t.Errorf("%s holds %d is %v", tt.model, tt.budget, got)
		}
	}
}

func TestAnAmountIsABudgetBeforeGemini3AndALevelSince(t *testing.T) {
	t.Parallel()
	amounts := []models.Amount{models.AmountNone, models.AmountLow, models.AmountMedium, models.AmountHigh}
	for model, want := range map[string][]int{
		"gemini-2.5-pro":        {128, 11008, 21888, 32768},
		"gemini-2.5-flash":      {0, 8192, 16384, 24576},
		"gemini-2.5-flash-lite": {512, 8533, 16554, 24576},
	} {
		var got []int
		for _, amount := range amounts {
			got = append(got, *models.TraitsOf(model).Thinking.Config(amount).ThinkingBudget)
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
			got = append(got, *models.TraitsOf(model).Thinking.Config(amount).ThinkingLevel)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", model, diff)
		}
	}
	for model, amount := range map[string]models.Amount{"gemini-2.0-flash": models.AmountHigh, "gemini-2.5-pro": "much", "gemini-3-pro": ""} {
		if got := models.TraitsOf(model).Thinking.Config(amount); got != nil {
			t.Errorf("%s thinks %q as %v", model, amount, got)
		}
	}
	if got := models.TraitsOf("gemini-2.5-pro").Thinking.Budget.Tokens("much"); got != -1 {
		t.Errorf("no amount is a budget of %d", got)
	}
}

// Every amount is a budget, or a level, that the model takes.
func TestEveryModelTakesWhatItsTraitsConfigure(t *testing.T) {
	t.Parallel()
	for _, name := range models.Families() {
		thinking := models.TraitsOf(name).Thinking
		for _, amount := range []models.Amount{models.AmountNone, models.AmountLow, models.AmountMedium, models.AmountHigh} {
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

// What a row says must make sense, whichever row is added.
func TestTheTableOfModelsHoldsTogether(t *testing.T) {
	t.Parallel()
	rising := []geminiapi.ThinkingLevel{minimal, low, medium, high}
	for _, name := range models.Families() {
		traits := models.TraitsOf(name)
		if traits.Thinking.DefaultLevel != "" && !slices.Contains(traits.Thinking.Levels, traits.Thinking.DefaultLevel) {
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
	names := models.Families()
	slices.Sort(names)
	if len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Error("a family is there twice")
	}
}

func TestWhoLooksForAFamilyMakesNoGarbage(t *testing.T) {
	var last string
	allocations := testing.AllocsPerRun(100, func() {
		for name := range models.EachFamily {
			last = name
		}
	})
	if names := models.Families(); allocations != 0 || last != names[len(names)-1] {
		t.Errorf("%v allocations, and %q is the last name", allocations, last)
	}
}

// A model that was recorded has a row, so that no model in use is a guess.
func TestEveryRecordedModelHasARow(t *testing.T) {
	t.Parallel()
	guessed := map[string]bool{"": true, "x": true, "there-is-no-such-model": true, "custom-gemini-2.0-flash": true}
	for _, kind := range []corpustest.Kind{corpustest.Request, corpustest.Response, corpustest.Stream, corpustest.Error} {
		for _, p := range corpustest.Payloads(t, kind) {
			if !guessed[p.Model] && !models.HasFamily(p.Model) {
				t.Errorf("%s: no row for %s", p.Name, p.Model)
				guessed[p.Model] = true
			}
		}
	}
}
