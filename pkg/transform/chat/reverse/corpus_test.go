package reverse_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/transform/chat/reverse"
	"github.com/go-json-experiment/json/jsontext"
)

func convert(document []byte, opts ...reverse.Option) ([]byte, report.Report, error) {
	in, _, err := openai.DecodeForeignResponse(document)
	if err != nil {
		return nil, nil, err
	}
	out, report, err := reverse.ToGemini(in, opts...)
	if err != nil {
		return nil, report, err
	}
	data, err := gemini.EncodeResponse(out)
	return data, report, err
}

func TestEveryRecordedCompletionIsConverted(t *testing.T) {
	t.Parallel()
	converted := 0
	for _, p := range corpustest.ClientPayloads(t, "chat_completions", corpustest.Response) {
		in, _, err := openai.DecodeForeignResponse(p.Read(t))
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		out, report, err := reverse.ToGemini(in)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		converted++
		checkAnswer(t, p.Name, out)
		checkPointers(t, p.Name, p.Read(t), report)
	}
	if converted < corpustest.AtLeast(730) {
		t.Errorf("only %d completions", converted)
	}
}

// checkAnswer checks what must hold for every whole answer.
func checkAnswer(t *testing.T, name string, out *geminiapi.GenerateContentResponse) {
	t.Helper()
	if err := gemini.ValidateResponse(out); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	checkCounts(t, name, out)
}

// checkChunk checks what must hold for every chunk of a stream.
func checkChunk(t *testing.T, name string, chunk *geminiapi.GenerateContentResponse) {
	t.Helper()
	if err := gemini.ValidateChunk(chunk); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	checkCounts(t, name, chunk)
}

// checkCounts checks the counts and the parts of an answer or a chunk.
func checkCounts(t *testing.T, name string, out *geminiapi.GenerateContentResponse) {
	t.Helper()
	if u := out.UsageMetadata; u != nil && u.TotalTokenCount != nil && u.PromptTokenCount != nil {
		sum := *u.PromptTokenCount + value(u.CandidatesTokenCount) + value(u.ThoughtsTokenCount) +
			value(u.ToolUsePromptTokenCount)
		if sum != *u.TotalTokenCount {
			t.Errorf("%s: %d tokens in all, the sum is %d", name, *u.TotalTokenCount, sum)
		}
	}
	for i := range out.Candidates {
		content := out.Candidates[i].Content
		if content == nil {
			continue
		}
		for j := range content.Parts {
			if p := &content.Parts[j]; p.IsEmpty() ||
				p.Text != nil && *p.Text == "" && p.ThoughtSignature == nil {
				t.Errorf("%s: the part %d of candidate %d is empty", name, j, i)
			}
		}
	}
}

func value(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// checkPointers checks that a report points to existing values.
func checkPointers(t *testing.T, name string, document []byte, entries report.Report) {
	t.Helper()
	tree := openaitest.Tree(t, document)
	for _, e := range entries {
		if e.Kind != report.Added && !openaitest.Exists(tree, e.Pointer) || e.Detail == "" {
			t.Errorf("%s: %v", name, e)
		}
	}
}

func TestNothingOfARecordedCompletionIsLostSilently(t *testing.T) {
	t.Parallel()
	changed := 0
	for _, p := range corpustest.ClientPayloads(t, "chat_completions", corpustest.Response) {
		changed += checkLeaves(t, p.Name, p.Read(t), leaftest.Enough(40))
	}
	if t.Logf("%d leaves changed", changed); changed < corpustest.AtLeast(9_000) {
		t.Errorf("only %d leaves were changed", changed)
	}
}

// checkLeaves changes values of a completion one after the other. The answer or a report must show
// the change, or the changed completion is refused.
func checkLeaves(t *testing.T, name string, document []byte, most int) int {
	t.Helper()
	before, report, err := convert(document)
	if err != nil {
		return 0
	}
	leaves, err := leaftest.All(document)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	leaves = leaftest.Sample(leaves, most)
	for _, l := range leaves {
		after, reportAfter, err := convert(l.Change(document))
		if err == nil && bytes.Equal(before, after) && !report.Covers(l.Pointer) &&
			!reportAfter.Covers(l.Pointer) {
			t.Errorf("%s: %s is lost silently", name, l.Pointer)
		}
	}
	return len(leaves)
}

// TestRV20 checks that all recorded answers of Gemini are restored from chat completions.
func TestRecordedAnswersComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	openaitest.ForEveryRecordedResponse(t,
		func(t *testing.T, in *geminiapi.GenerateContentResponse, _ []byte) {
			checkComesBack(t, in)
		})
}

// The answers of package openai's golden files are restored, with and without Gemini's extensions.
func TestAnswersComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	for _, input := range inputsOf(t, "../testdata/*.gemini.json") {
		t.Run(filepath.Base(input), func(t *testing.T) {
			t.Parallel()
			in, err := gemini.DecodeResponse(read(t, input))
			if err != nil {
				t.Fatal(err)
			}
			checkComesBack(t, in)
		})
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// checkComesBack converts an answer of Gemini to chat completions and back.
func checkComesBack(t *testing.T, in *geminiapi.GenerateContentResponse) {
	t.Helper()
	sent, reportSent, err := chat.FromGemini(in)
	if err != nil {
		t.Fatal(err)
	}
	data, err := openai.EncodeResponse(sent)
	if err != nil {
		return // NaN
	}
	received, err := openai.DecodeResponse(data)
	if err != nil {
		t.Fatal(err)
	}
	out, entries, err := reverse.ToGemini(received)
	if err != nil {
		t.Fatal(err)
	}
	if lost := entries.Of(report.Lost); lost != nil {
		t.Error(lost)
	}
	for i := range out.Candidates { // package openai wants every choice to have ended
		if reportSent.Of(report.Added).Covers(fmt.Sprintf("/candidates/%d/finishReason", i)) {
			out.Candidates[i].FinishReason = nil
		}
	}
	if reportSent.Of(report.Added).Covers("/responseId") {
		out.ResponseID = nil
	}
	if reportSent.Of(report.Added).Covers("/modelVersion") {
		out.ModelVersion = nil
	}
	if want, got := comparable(t, in), comparable(t, out); !bytes.Equal(want, got) {
		t.Error(firstDifference(want, got))
	}
}

// comparable returns an answer without empty values: an index of 0, a content without parts,
// arguments without members.
func comparable(t *testing.T, r *geminiapi.GenerateContentResponse) []byte {
	t.Helper()
	data, err := gemini.EncodeResponse(r)
	if err != nil {
		t.Fatal(err)
	}
	out, err := gemini.DecodeResponse(data)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Candidates) == 0 {
		out.Candidates = nil
	}
	for i := range out.Candidates {
		c := &out.Candidates[i]
		if c.Index == nil {
			c.Index = new(i)
		}
		if len(c.SafetyRatings) == 0 {
			c.SafetyRatings = nil
		}
		if c.Content == nil {
			continue
		}
		if c.Content.Role == nil {
			c.Content.Role = new("model")
		}
		var parts []geminiapi.Part
		for _, p := range c.Content.Parts {
			if p.FunctionCall != nil && p.FunctionCall.Args == nil {
				p.FunctionCall.Args = jsontext.Value("{}")
			}
			if p.Thought != nil && !*p.Thought {
				p.Thought = nil
			}
			if saysNothing := p.Text != nil && *p.Text == "" &&
				p.ThoughtSignature == nil; !p.IsEmpty() && !saysNothing {
				parts = append(parts, p)
			}
		}
		if c.Content.Parts = parts; parts == nil && c.Content.Unknown == nil {
			c.Content = nil
		}
	}
	data, err = gemini.EncodeResponse(out)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// firstDifference returns the text around the first byte that differs.
func firstDifference(want, got []byte) string {
	at := 0
	for at < min(len(want), len(got)) && want[at] == got[at] {
		at++
	}
	around := func(data []byte) string {
		return strings.ToValidUTF8(string(data[max(0, at-60):min(len(data), at+80)]), "?")
	}
	return fmt.Sprintf("byte %d: want ...%s..., got ...%s...", at, around(want), around(got))
}

var _ = openaiapi.RoleAssistant
