package embedding_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/clock/clocktest"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/embedding"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
)

func vector(t *testing.T, model, text string, task geminiapi.TaskType, size int) []float64 {
	t.Helper()
	m, ok := embedding.ModelOf(model)
	if !ok {
		t.Fatalf("%s makes no vectors", model)
	}
	content := gemini.UserText(text)
	return m.Vector(&content, task, size)
}

func product(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func TestVectorsHaveTheLengthOfTheModels(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		model string
		size  int
		want  float64
	}{
		{"gemini-embedding-001", 3072, 1},
		{"gemini-embedding-001", 768, 0.5}, // was cut, and is not scaled again
		{"gemini-embedding-2", 3072, 1},
		{"gemini-embedding-2", 768, 1},
		{"text-embedding-004", 768, 1},
	} {
		v := vector(t, tt.model, "Why is the sky blue?", "", tt.size)
		if got := math.Sqrt(product(v, v)); len(v) != tt.size || math.Abs(got-tt.want) > 0.05 {
			t.Errorf("%s: %d numbers of length %g", tt.model, len(v), got)
		}
	}
}

func TestACutVectorIsTheBeginningOfTheWholeOne(t *testing.T) {
	t.Parallel()
	whole, cut := vector(t, "gemini-embedding-001", "Hello", "", 3072),
		vector(t, "gemini-embedding-001", "Hello", "", 8)
	if !slices.Equal(whole[:8], cut) {
		t.Errorf("%v and %v", whole[:8], cut)
	}
}

func TestSimilarTextsHaveSimilarVectors(t *testing.T) {
	t.Parallel()
	of := func(text string) []float64 { return vector(t, "gemini-embedding-001", text, "", 3072) }
	query := of("Which river flows through Cologne?")
	near, far := product(query, of("The river that flows through Cologne is the Rhine.")),
		product(query, of("Bread needs flour and water."))
	if near < 0.4 || math.Abs(far) > 0.15 {
		t.Errorf("near %g, far %g", near, far)
	}
	if product(query, of("which RIVER flows through cologne")) < 0.999 {
		t.Error("letter case and marks move a vector")
	}
	document := vector(t, "gemini-embedding-001", "Which river flows through Cologne?",
		geminiapi.TaskTypeRetrievalDocument, 3072)
	if p := product(query, document); p > 0.9999 || p < 0.9 {
		t.Errorf("the task moves a vector to %g", p)
	}
}

func TestEveryEmbeddingModelIsInTheTableOfModels(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, known := range models.All(models.GeminiAPI, clocktest.Day) {
		_, ok := embedding.ModelOf(known.Asked)
		if ok != known.Calls.Has(models.CallEmbed) {
			t.Errorf("%s makes embeddings is %v", known.Asked, ok)
		}
		if ok {
			seen++
		}
	}
	if seen < 2 {
		t.Errorf("%d models", seen)
	}
}
