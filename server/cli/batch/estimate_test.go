package batch_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnEstimateCountsTokensAndWhatTheyCost(t *testing.T) {
	t.Parallel()
	card := write(t, "prices.yaml", "currency: EUR",
		"sources: {contract: {title: ours, date: 2026-11-01}}",
		"prices: [{models: [gemini-3.6-flash], surface: gemini_api, tier: standard, source: contract, rates: {input: 100, output: 1000}}]")
	text := strings.Repeat("four", 96) // with 4 tokens of the turn, 100
	tests := []struct {
		name, in string
		args     []string
		want     string
	}{
		{"by the limits of the lines",
			chat("a", text, `"max_tokens":50,`) + "\n" + chat("b", text, `"max_tokens":150,`), nil,
			": 2 lines of /v1/chat/completions for gemini-3.6-flash\ntokens in:  about 200\ntokens out: at most 200\ncost:       0.2200 EUR (gemini-3.6-flash, Gemini API, 2026-11-01)\n"},
		{"by what is given", chat("a", text, ""), []string{"--output-tokens", "1000", "--limit-requests", "10", "--limit-tokens", "10"},
			": 1 line of /v1/chat/completions for gemini-3.6-flash\ntokens in:  about 100\ntokens out: 1000, as given\ncost:       1.01 EUR (gemini-3.6-flash, Gemini API, 2026-11-01)\ntime:       at least 10m00s, by the limits\n"},
		{"without a limit", chat("a", text, ""), nil,
			": 1 line of /v1/chat/completions for gemini-3.6-flash\ntokens in:  about 100\ntokens out: unknown, because 1 line sets no limit; set --output-tokens to the expected length\ncost:       0.0100 EUR for the tokens in (gemini-3.6-flash, Gemini API, 2026-11-01)\n"},
		{"by an alias", strings.ReplaceAll(chat("a", text, `"max_tokens":50,`), "gemini-3.6-flash", "gpt-4o"), []string{"--alias", "gpt-4o=gemini-3.6-flash"},
			": 1 line of /v1/chat/completions for gpt-4o\ntokens in:  about 100\ntokens out: at most 50\ncost:       0.0600 EUR (gemini-3.6-flash, Gemini API, 2026-11-01)\n"},
		{"without a price",
			strings.ReplaceAll(chat("a", text, `"max_tokens":50,`), "gemini-3.6-flash", "other"),
			nil,
			": 1 line of /v1/chat/completions for other\ntokens in:  about 100\ntokens out: at most 50\ncost:       unknown: other at the Gemini API, standard, has no price\n"},
		{"of vectors", `{"custom_id":"a","method":"POST","url":"/v1/embeddings","body":{"model":"gemini-3.6-flash","input":"` +
			text + text + `"}}`, nil,
			": 1 line of /v1/embeddings for gemini-3.6-flash\ntokens in:  about 192\ntokens out: at most 0\ncost:       0.0192 EUR (gemini-3.6-flash, Gemini API, 2026-11-01)\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			in := write(t, "in.jsonl", tt.in)
			got := gemwire(t.Context(),
				append([]string{"batch", "estimate", in, "--rate-card", card}, tt.args...)...)
			if got.code != 0 || got.stdout != in+tt.want || got.stderr != "" {
				t.Errorf("%v\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAnEstimateIsThereForPrograms(t *testing.T) {
	t.Parallel()
	got := gemwire(t.Context(), "batch", "estimate", example(t), "--output", "json",
		"--limit-requests", "50")
	var rows []struct {
		Lines        int     `json:"lines"`
		InputTokens  int     `json:"input_tokens"`
		OutputTokens int     `json:"output_tokens"`
		InputCost    float64 `json:"input_cost"`
		Seconds      float64 `json:"seconds"`
		Currency     string  `json:"currency"`
	}
	if err := json.Unmarshal([]byte(got.stdout), &rows); err != nil {
		t.Fatal(got, err)
	}
	if r := rows[0]; r.Lines != 100 || r.OutputTokens != 20_000 || r.Seconds != 120 ||
		r.InputTokens < 1000 || r.InputCost <= 0 || r.Currency != "USD" {
		t.Errorf("%+v", r)
	}
}

func TestAnEstimateNamesBadLines(t *testing.T) {
	t.Parallel()
	in := write(t, "in.jsonl", "oops", chat("a", "hi", ""), "{}")
	got := gemwire(t.Context(), "batch", "estimate", in)
	if got.code != 1 || got.stdout != "" || strings.Count(got.stderr, in+": line ") != 2 {
		t.Error(got)
	}
}

func TestWrongUsageIsExplained(t *testing.T) {
	t.Parallel()
	in := write(t, "in.jsonl", chat("a", "hi", ""))
	template := write(t, "t.json", `{"messages":[]}`)
	out := filepath.Join(t.TempDir(), "out.jsonl")
	tests := []struct {
		args []string
		code int
		want string
	}{
		{[]string{"batch"}, 2, "batch needs a command: run, "},
		{[]string{"batch", "run", in}, 2, "--out must be set"},
		{[]string{"batch", "run", "--out", out}, 2, "name the file of requests, or --template and --variables"},
		{[]string{"batch", "run", in, "--out", in}, 2, "the answers would overwrite the requests"},
		{[]string{"batch", "run", in, "--out", out, "--priority", "urgent"}, 2, `"urgent" is not a priority; use high, normal or low`},
		{[]string{"batch", "run", in, "--out", out, "--batch-mode", "slow"}, 2, `"slow" is not a mode; use live or gemini`},
		{[]string{"batch", "run", in, "--out", out, "--batch-mode", "gemini", "--vertex", "p"}, 2, "--batch-mode gemini needs the Gemini API"},
		{[]string{"batch", "run", in, "--out", out, "--replicas", "3"}, 2, "--replicas must be 1 or more"},
		{[]string{"batch", "run", in, "--out", out, "--window", "-1s"}, 2, "--window must be more than 0"},
		{[]string{"batch", "run", in, "--out", out, "--concurrency", "0"}, 2, "--concurrency must be 1 or more"},
		{[]string{"batch", "run", in, "--out", out, "--limit-tokens", "-1"}, 2, "limits must not be negative"},
		{[]string{"batch", "run", in, "--out", out, "--template", template}, 2, "--template and --variables go together"},
		{[]string{"batch", "run", in, "--out", out, "--template", template, "--variables", in}, 2, "remove the file of requests"},
		{[]string{"batch", "run", "--out", out, "--template", template, "--variables", in}, 1, template + `: line: the template: has neither "url"`},
		{[]string{"batch", "run", in, "--out", out, "--nats", "nats://127.0.0.1:1"}, 2, "it is --store now"},
		{[]string{"batch", "run", in, "--out", out, "--upstream", "other"}, 2, "--upstream"},
		{[]string{"batch", "run", in, "--out", out, "--upstream", "gemini", "--store", t.TempDir()}, 1, "no API key"},
		{[]string{"batch", "run", filepath.Join(t.TempDir(), "none"), "--out", out}, 1, "none: no such file"},
		{[]string{"batch", "run", t.TempDir(), "--out", out}, 1, "is not a regular file; a job reads its input twice"},
		{[]string{"batch", "run", in, "--out", filepath.Join(t.TempDir(), "none", "out.jsonl")}, 1, "out.jsonl: no such file"},
		{[]string{"batch", "status", "--output", "xml"}, 2, `unknown form "xml"`},
		{[]string{"batch", "status", "a", "b"}, 2, `"b" is one argument too many; use gemwire batch status`},
		{[]string{"batch", "run", "-", "--out", out, "--store", t.TempDir()}, 1, "-: the input has no requests"},
		{[]string{"batch", "run", in, "--out", "-"}, 2, "--out must name a file"},
		{[]string{"batch", "submit", in, "--upstream", "gemni", "--store", t.TempDir()}, 2, `"gemni" is not an upstream; use embedded, `},
		{[]string{"batch", "submit", in, "--upstream", "openai", "--batch-mode", "gemini", "--store", t.TempDir()}, 2, "--batch-mode gemini needs the Gemini API"},
		{[]string{"worker", "--concurrency", "0"}, 2, "--concurrency must be 1 or more"},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.args[1:], " "), func(t *testing.T) {
			t.Parallel()
			if got := gemwire(t.Context(), tt.args...); got.code != tt.code ||
				!strings.Contains(got.stderr, tt.want) {
				t.Errorf("%v; want %d, %s", got, tt.code, tt.want)
			}
		})
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("there is a file of answers")
	}
}
