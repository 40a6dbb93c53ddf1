package geminibatch_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/go-json-experiment/json/jsontext"
)

func TestARangeWithSeveralModelsHasABatchForEach(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lines := linesOf(9)
		models := []string{"gemini-2.5-flash", "gemini-2.5-pro", "gemini-3.6-flash"}
		for i := range lines {
			lines[i].Body = jsontext.Value(strings.Replace(string(lines[i].Body), models[0],
				models[i%len(models)], 1))
		}
		a := ask(t, lines, ofQuestions(9))
		a.item = bulk.NewItem(&bulk.Job{ID: "batch_1", Models: models}, 0, lines, nil, a.write)
		a.finish()
		a.checkAnswers()
		if n := a.count("generateContent"); n != 0 {
			t.Errorf("%d live calls", n)
		}
		if got := batchModels(a); !slices.Equal(got, models) {
			t.Errorf("batches of %v; want %v", got, models)
		}
	})
}

// batchModels returns the models of the batches that were created.
func batchModels(a *asked) (models []string) {
	for _, r := range a.server.Requests() {
		if r.Operation == "batchGenerateContent" {
			models = append(models, r.Model)
		}
	}
	return models
}
