package geminibatch_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gemwire/gemwire/server/bulk/budget"
	"github.com/gemwire/gemwire/server/bulk/geminibatch"
	"github.com/gemwire/gemwire/server/ratecard"
	"github.com/go-json-experiment/json/jsontext"
)

// askWithBudget prepares a job whose lines have a maximum of output tokens, or none for "".
func askWithBudget(t *testing.T, maxTokens string, b *budget.Budget) *asked {
	t.Helper()
	lines := linesOf(5)
	for i := range lines {
		lines[i].Body = jsontext.Value(strings.Replace(string(lines[i].Body), `{`, `{`+maxTokens, 1))
	}
	a := ask(t, lines, ofQuestions(5))
	executor, err := geminibatch.New(a.server.Client(), a.gateway, a.live,
		geminibatch.WithRateCard(ratecard.Google()), geminibatch.WithBudget(b))
	if err != nil {
		t.Fatal(err)
	}
	a.executor = executor
	return a
}

func TestABatchBeginsOnlyIfItsMaximumCostFitsIntoTheBudget(t *testing.T) {
	t.Parallel()
	const limit = `"max_tokens":1000,`
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(5*1000*1.25e-6+1e-4, 0, 0) // half the price of 1000 tokens out
		a := askWithBudget(t, limit, b)
		a.finish()
		a.checkAnswers()
		if b.Err() != nil || b.Reserve("next", 5e-3) != nil {
			t.Error("the batch still reserves its maximum:", b.Err())
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(5*1000*1.25e-6/2, 0, 0)
		a := askWithBudget(t, limit, b)
		if err := a.look(); err == nil || b.Err() != budget.ErrReached ||
			a.count("batchGenerateContent") != 0 {
			t.Errorf("%v, %v", err, b.Err())
		}
	})
	synctest.Test(t, func(t *testing.T) {
		b := budget.New(100, 0, 0)
		a := askWithBudget(t, "", b)
		if err := a.look(); err == nil || b.Err() != budget.ErrUnlimited ||
			a.count("batchGenerateContent") != 0 {
			t.Errorf("%v, %v", err, b.Err())
		}
	})
}
