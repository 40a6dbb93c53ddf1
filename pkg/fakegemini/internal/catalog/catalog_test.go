package catalog_test

import (
	"slices"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/clock/clocktest"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/catalog"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// on returns a catalog at a day, with two models added.
func on(day time.Time) *catalog.Catalog {
	return catalog.New(func() time.Time { return day }, []string{"my-model", "my-embedding"})
}

func TestEveryListedModelIsOneThatTheTableKnows(t *testing.T) {
	t.Parallel()
	var seen []string
	for _, m := range on(clocktest.Day).List() {
		isAdded := *m.Name == "models/my-model" || *m.Name == "models/my-embedding"
		if slices.Contains(seen, *m.Name) || !models.IsGoogles(*m.Name) && !isAdded {
			t.Errorf("%s is unknown, or listed twice", *m.Name)
		}
		seen = append(seen, *m.Name)
	}
	if len(seen) < 20 {
		t.Errorf("only %d models", len(seen))
	}
}

func TestModelsAreDescribedByTheirKind(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		id       string
		thinks   bool
		method   string
		outLimit int
	}{
		{"gemini-2.5-flash", true, "createCachedContent", 65536},
		{"gemini-2.5-flash-image", false, "generateContent", 32768},
		{"gemini-3.8-live", false, "bidiGenerateContent", 8192},
		{"gemini-embedding-001", false, "embedContent", 1},
		{"text-embedding-005", false, "embedContent", 1},
		{"my-embedding", false, "embedContent", 1},
		{"my-model", true, "generateContent", 65536},
	} {
		m := on(clocktest.Day).Describe(tt.id)
		if *m.Name != "models/"+tt.id || (m.Thinking != nil) != tt.thinks ||
			!slices.Contains(m.SupportedGenerationMethods, tt.method) ||
			*m.OutputTokenLimit != tt.outLimit {
			t.Errorf("%s: got %+v", tt.id, m)
		}
	}
}

func TestModelExistsAtATimeAndAService(t *testing.T) {
	t.Parallel()
	const gemini, vertex = models.GeminiAPI, models.VertexAI
	november, october := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC),
		time.Date(2026, 10, 12, 0, 0, 0, 0, time.UTC)
	may := time.Date(2026, 5, 31, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		id      string
		service models.Backends
		on      time.Time
		method  string
		want    bool
	}{
		{"gemini-3.6-flash", gemini, november, "generateContent", true},
		{"gemini-3.6-flash", gemini, november, "streamGenerateContent", true},
		{"gemini-3.6-flash", gemini, november, "countTokens", true},
		{"gemini-3.6-flash", gemini, november, "batchGenerateContent", true},
		{"gemini-3.6-flash", gemini, november, "createCachedContent", true},
		{"gemini-3.6-flash", gemini, november, "", true},
		{"gemini-3.6-flash", gemini, november, "embedContent", false},
		{"gemini-3.6-flash", gemini, november, "predict", false},
		{"gemini-3.6-flash", gemini, november, "bidiGenerateContent", false},
		{"gemini-3.6-flash", gemini, may, "generateContent", false}, // not released yet
		{"gemini-3.5-falsh", gemini, november, "generateContent", false},
		{"gemini-3.5-flash-preview", gemini, november, "generateContent", false},
		{"gemini-3.5-flash-mini", gemini, november, "generateContent", false},
		{"gemini-3.5-pro", gemini, november, "generateContent", false},
		{"Gemini-3.6-Flash", gemini, november, "generateContent", false},
		{"gemini-9-ultra", gemini, november, "generateContent", false},
		{"gemini", gemini, november, "generateContent", false},
		{"gpt-5", gemini, november, "generateContent", false},
		{"gemini-3.5-flash", gemini, november, "generateContent", true}, // routed
		{"gemini-3-pro-preview", gemini, november, "generateContent", true},
		{"gemini-flash-latest", gemini, november, "generateContent", true},
		{"gemini-2.5-flash-001", gemini, november, "generateContent", true},
		{"gemini-2.5-flash@001", vertex, november, "generateContent", true},
		{"gemini-2.5-flash-0001", gemini, november, "generateContent", false},
		{"gemini-2.0-flash", gemini, may, "generateContent", true},
		{"gemini-2.0-flash", gemini, november, "generateContent", false}, // shut down on June 1
		{"gemini-4-argon", gemini, october, "generateContent", false},
		{"gemini-4-argon", gemini, november, "generateContent", true},
		{"gemini-4-argon", gemini, november, "createCachedContent", false},
		{"gemini-4-argon-cyber-permissive", gemini, november, "generateContent", false},
		{"gemini-4-argon-cyber-permissive", vertex, november, "generateContent", true},
		{"gemini-embedding-001", gemini, november, "embedContent", true},
		{"gemini-embedding-001", gemini, november, "batchEmbedContents", true},
		{"gemini-embedding-001", gemini, november, "asyncBatchEmbedContent", true},
		{"gemini-embedding-001", gemini, november, "generateContent", false},
		{"gemini-embedding-003", gemini, november, "embedContent", false},
		{"text-embedding-005", vertex, november, "predict", true},
		{"text-embedding-005", gemini, november, "embedContent", false},
		{"gemini-3.8-live", gemini, november, "generateContent", false},
		{"my-model", gemini, november, "generateContent", true},
		{"my-model", vertex, november, "generateContent", true},
		{"my-model", gemini, november, "embedContent", false},
		{"tunedModels/mine", gemini, november, "generateContent", true},
		{"endpoints/123", vertex, november, "streamGenerateContent", true},
	} {
		if got := on(tt.on).Has(tt.id, tt.service, tt.method); got != tt.want {
			t.Errorf("%s at %v on %v for %q: %v", tt.id, tt.service, tt.on.Format(time.DateOnly),
				tt.method, got)
		}
	}
}
