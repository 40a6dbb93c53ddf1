package fakegemini_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/fakegemini"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/google/go-cmp/cmp"
)

const twoCandidates = `
fixtures:
- reply:
  - text: ["one ", "and "]
  - {text: ["two"], candidate: 1}
  - {text: "only"}
  - {call: {name: f, args: {a: 1}}, candidate: 1}
`

// candidatesOf returns each candidate's text and finish reason.
func candidatesOf(r *geminiapi.GenerateContentResponse) []string {
	var out []string
	for _, candidate := range r.Candidates {
		var words []string
		for _, part := range candidate.Content.Parts {
			if part.FunctionCall != nil {
				words = append(words, "calls "+*part.FunctionCall.Name)
				if part.ThoughtSignature != nil {
					words = append(words, "signed")
				}
			} else {
				words = append(words, jsonx.Deref(part.Text))
			}
		}
		out = append(out,
			strings.TrimSpace(strings.Join(words, " "))+": "+
				string(jsonx.Deref(candidate.FinishReason)))
	}
	return out
}

// afterArgon is a time with a model that is not known to refuse several candidates and signs calls.
func afterArgon() time.Time { return time.Date(2026, time.November, 23, 0, 0, 0, 0, time.UTC) }

func TestAScriptHasSeveralCandidates(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "script.yaml")
	if err := os.WriteFile(path, []byte(twoCandidates), 0o600); err != nil {
		t.Fatal(err)
	}
	inGo := geminitest.WithScript(geminitest.On().Reply(
		geminitest.Text("one ", "and "), geminitest.OfCandidate(1, geminitest.Text("two")),
		geminitest.Text("only"),
		geminitest.OfCandidate(1, geminitest.Call("f", `{"a":1}`))))
	request := &geminiapi.GenerateContentRequest{
		Contents:         []geminiapi.Content{gemini.UserText("x")},
		GenerationConfig: &geminiapi.GenerationConfig{CandidateCount: new(2)},
		Tools:            []geminiapi.Tool{{FunctionDeclarations: []geminiapi.FunctionDeclaration{{Name: new("f")}}}},
	}
	want := []string{"one and only: STOP", "two calls f signed: STOP"}
	for name, opt := range map[string]geminitest.Option{"a file": geminitest.WithScriptFile(path),
		"Go": inGo} {
		client, err := geminitest.NewServer(t, opt,
			geminitest.WithClock(afterArgon)).NewClient(gemini.WithModel("gemini-4-argon"))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := client.GenerateContent(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, joined(candidatesOf(whole))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		var chunks []*geminiapi.GenerateContentResponse
		for chunk, err := range client.StreamGenerateContent(t.Context(), request) {
			if err != nil {
				t.Fatal(err)
			}
			chunks = append(chunks, chunk)
		}
		merged, _ := normalize.MergeChunks(chunks...)
		if diff := cmp.Diff(want, joined(candidatesOf(merged))); diff != "" || len(chunks) != 5 {
			t.Errorf("%s, %d chunks: %s", name, len(chunks), diff)
		}
		if jsonx.Deref(merged.UsageMetadata).TotalTokenCount == nil ||
			jsonx.Deref(whole.UsageMetadata).TotalTokenCount == nil {
			t.Errorf("%s: an answer has no counts", name)
		}
	}
}

// joined has no double spaces where pieces were joined.
func joined(texts []string) []string {
	for i := range texts {
		texts[i] = strings.Join(strings.Fields(texts[i]), " ")
	}
	return texts
}

func TestACandidateHasAnIndexThatARequestCanAskFor(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]geminitest.Block{
		"negative": geminitest.OfCandidate(-1, geminitest.Text("x")),
		"too many": geminitest.OfCandidate(8, geminitest.Text("x")),
		"a pause":  geminitest.OfCandidate(1, geminitest.Pause(1)),
		"a chunk":  geminitest.OfCandidate(1, geminitest.Chunk(`{}`)),
	} {
		if _, err := fakegemini.Start(geminitest.WithScript(geminitest.On().Reply(b))); err == nil ||
			!strings.Contains(err.Error(), "candidate") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
