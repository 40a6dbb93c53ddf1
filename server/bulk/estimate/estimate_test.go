package estimate_test

import (
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/bulk/estimate"
	"github.com/gemwire/gemwire/server/bulk/line"
)

func TestTheSameTextTakesAsManyTokensInEachForm(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("four", 100)
	for url, body := range map[string]string{
		"/v1/chat/completions": `{"model":"m","max_tokens":7,"messages":[{"role":"user","content":"` +
			text + `"}]}`,
		"/v1/responses": `{"model":"m","max_output_tokens":7,"input":"` + text + `"}`,
		"/v1/messages": `{"model":"m","max_tokens":7,"messages":[{"role":"user","content":"` +
			text + `"}]}`,
		"/v1beta/models/gemini-3.6-flash:generateContent": `{"generationConfig":{"maxOutputTokens":7},"contents":[{"parts":[{"text":"` +
			text + `"}]}]}`,
	} {
		got, err := estimate.Of(&line.Line{URL: url, Body: []byte(body)}, "gemini-3.6-flash")
		if want := (estimate.Tokens{Input: 104, MaxOutput: 7, Answers: 1}); err != nil ||
			got != want {
			t.Errorf("%s: %+v, %v", url, got, err)
		}
	}
}

func TestEachOfSeveralAnswersCounts(t *testing.T) {
	t.Parallel()
	l := &line.Line{URL: "/v1/chat/completions",
		Body: []byte(`{"model":"m","n":3,"max_tokens":7,"messages":[{"role":"user","content":"hi"}]}`)}
	if got, err := estimate.Of(l, "m"); err != nil || got.MaxOutput != 21 || got.Answers != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	// Gemini 3 gives one.
	if got, err := estimate.Of(l, "gemini-3.6-flash"); err != nil || got.MaxOutput != 7 ||
		got.Answers != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestEachTextOfAVectorCounts(t *testing.T) {
	t.Parallel()
	for input, want := range map[string]int{`"four four"`: 3, `["four","fourfour"]`: 3} {
		got, err := estimate.Of(&line.Line{URL: "/v1/embeddings",
			Body: []byte(`{"model":"m","input":` + input + `}`)}, "m")
		if err != nil || got.Input != want || got.MaxOutput != 0 {
			t.Errorf("%s: %+v, %v", input, got, err)
		}
	}
}

func TestALineThatCannotBeAskedIsAnError(t *testing.T) {
	t.Parallel()
	for url, body := range map[string]string{
		"/v1/chat/completions": `{"messages":7}`, "/v1/responses": `[]`, "/v1/messages": `{`,
		"/v1/embeddings": `{`, "/v1/other": `{}`,
		"/v1beta/models/m:generateContent": `7`,
	} {
		if got, err := estimate.Of(&line.Line{URL: url, Body: []byte(body)}, "m"); err == nil {
			t.Errorf("%s: %+v", url, got)
		}
	}
}
