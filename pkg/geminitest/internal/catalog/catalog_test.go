package catalog_test

import (
	"slices"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/geminitest/internal/catalog"
)

func TestEveryListedModelIsOneThatTheTableKnows(t *testing.T) {
	t.Parallel()
	var seen []string
	for _, m := range catalog.List([]string{"my-model"}) {
		if slices.Contains(seen, *m.Name) || !models.IsGoogles(*m.Name) && *m.Name != "models/my-model" {
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
		{"gemini-embedding-001", false, "embedContent", 1},
		{"text-embedding-004", false, "embedContent", 1},
		{"gemini-9-ultra", true, "generateContent", 65536},
	} {
		m := catalog.Describe(tt.id)
		if *m.Name != "models/"+tt.id || (m.Thinking != nil) != tt.thinks || !slices.Contains(m.SupportedGenerationMethods, tt.method) || *m.OutputTokenLimit != tt.outLimit {
			t.Errorf("%s: got %+v", tt.id, m)
		}
	}
}
