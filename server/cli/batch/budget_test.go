package batch_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/usage"
)

// usageIn returns the requests and tokens that the store of jobs has counted.
func usageIn(t *testing.T, store string) (requests, tokens int64) {
	t.Helper()
	got := gemwire(t.Context(), "usage", "--store", store, "--json")
	var rows []usage.Row
	if err := json.Unmarshal([]byte(got.stdout), &rows); err != nil || got.code != 0 {
		t.Fatalf("%v, %+v", err, got)
	}
	for _, row := range rows {
		requests += row.Requests
		tokens += row.Tokens()
	}
	return requests, tokens
}

func TestAJobStopsAtTheBudgetOfTheStoreAndContinues(t *testing.T) {
	t.Parallel()
	const lines = 100
	var all []string
	for i := range lines {
		all = append(all, chat(fmt.Sprint(i), "hi", `"max_tokens":16,`))
	}
	in, store := write(t, "in.jsonl", all...), filepath.Join(t.TempDir(), "store")
	out := filepath.Join(t.TempDir(), "answers.jsonl")
	priced := pricedUpstream(t)
	run := func(budget string) result {
		return gemwire(t.Context(), append([]string{"batch", "run", in, "--out", out, "--store",
			store, "--concurrency", "4", "--config", write(t, "gateway.yaml", budget)},
			priced...)...)
	}
	for range 2 { // the second run spends nothing
		got := run("token_budget: 300/total")
		if got.code != 1 || !strings.Contains(got.stderr,
			"stopped: the budget of all keys, 300 tokens in total, is used up") ||
			!strings.Contains(got.stderr, "run the same command") {
			t.Fatalf("%+v", got)
		}
		requests, tokens := usageIn(t, store)
		done := fmt.Sprintf("; %d of 100 lines are done", requests)
		if tokens < 300 || tokens > 300+tokens/requests || !strings.Contains(got.stderr, done) {
			t.Errorf("%d requests used %d tokens: %s", requests, tokens, got.stderr)
		}
	}
	if got := run("token_budget: 1000000/total"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	answers, err := os.ReadFile(out)
	if n := bytes.Count(answers, []byte("\n")); n != lines || err != nil {
		t.Errorf("%d answers, %v", n, err)
	}
	if requests, _ := usageIn(t, store); requests != lines {
		t.Errorf("%d requests are counted for %d lines", requests, lines)
	}
}

// Batches count when they end, so the next one sees what the first has used.
func TestBatchesOfGeminiCountInTheStoreAndStopAtItsBudget(t *testing.T) {
	t.Parallel()
	store, settings := t.TempDir(), write(t, "gateway.yaml", "token_budget: 10/total")
	run := func(name string) result {
		in := write(t, name, chat(name, "hi "+name, `"max_tokens":16,`))
		return gemwire(t.Context(), "batch", "run", in, "--out",
			filepath.Join(t.TempDir(), "answers.jsonl"), "--store", store, "--batch-mode", "gemini",
			"--config", settings)
	}
	if got := run("one.jsonl"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	requests, tokens := usageIn(t, store)
	if requests != 1 || tokens < 10 {
		t.Fatalf("%d requests with %d tokens are counted", requests, tokens)
	}
	got := run("two.jsonl")
	if got.code != 1 || !strings.Contains(got.stderr,
		"stopped: the budget of all keys, 10 tokens in total, is used up") {
		t.Errorf("%+v", got)
	}
	if requests, _ := usageIn(t, store); requests != 1 {
		t.Errorf("%d requests are counted after a batch that may not begin", requests)
	}
}
