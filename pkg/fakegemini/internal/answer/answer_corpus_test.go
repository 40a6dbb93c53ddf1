package answer_test

import (
	"bytes"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/fakegemini/internal/answer"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/google/go-cmp/cmp"
)

// targets are a model of each generation, at both services.
var targets = []struct {
	model   string
	backend models.Backends
}{
	{"gemini-2.0-flash", models.GeminiAPI},
	{"gemini-2.5-flash", models.GeminiAPI},
	{"gemini-2.5-pro", models.VertexAI},
	{"gemini-3.6-flash", models.GeminiAPI},
	{"gemini-3.6-flash", models.VertexAI},
}

// For any request, the answer has the same content whole and in chunks, keeps the invariants, adds
// up, and converts to every form without a loss.
func TestAnswersToRecordedRequests(t *testing.T) {
	t.Parallel()
	count := 0
	for i, p := range corpustest.Payloads(t, corpustest.Request) {
		request, err := gemini.DecodeRequest(p.Read(t))
		if err != nil || len(request.Contents) == 0 {
			continue
		}
		for j, target := range targets {
			if testing.Short() && (i+j)%7 != 0 {
				continue
			}
			q := answer.Question{Request: request, Model: target.model, Backend: target.backend}
			t.Run(target.model+" "+p.Name, func(t *testing.T) { checkAnswer(t, q) })
			count++
		}
	}
	if count < corpustest.AtLeast(1000) {
		t.Errorf("only %d answers", count)
	}
}

func checkAnswer(t *testing.T, q answer.Question) {
	t.Helper()
	whole, again := answer.To(q), answer.To(q)
	if diff := cmp.Diff(whole, again); diff != "" {
		t.Errorf("the same request has another answer: %s", diff)
	}
	chunks := answer.Chunks(q)
	checkSums(t, whole)
	for _, chunk := range chunks {
		if q.Backend == models.GeminiAPI {
			checkSums(t, chunk)
		}
	}
	joined, _ := normalize.MergeChunks(chunks...)
	if diff := cmp.Diff(said(t, whole), said(t, joined)); diff != "" {
		t.Errorf("the stream says something else (-whole +stream): %s", diff)
	}
	checkForms(t, whole, chunks)
}

// checkSums checks the counts against Google's accounting.
func checkSums(t *testing.T, r *geminiapi.GenerateContentResponse) {
	t.Helper()
	u := r.UsageMetadata
	sum := 0
	for _, count := range []*int{u.PromptTokenCount, u.CandidatesTokenCount, u.ThoughtsTokenCount,
		u.ToolUsePromptTokenCount} {
		if count != nil {
			sum += *count
			if *count == 0 {
				t.Error("a count of 0 is written")
			}
		}
	}
	if sum != *u.TotalTokenCount {
		t.Errorf("the counts are %d together, the total is %d", sum, *u.TotalTokenCount)
	}
	details := 0
	for _, detail := range u.PromptTokensDetails {
		details += *detail.TokenCount
	}
	if details != *u.PromptTokenCount {
		t.Errorf("the details of the prompt are %d together, the count is %d", details,
			*u.PromptTokenCount)
	}
}

// statement is the content of an answer, without its division into parts.
type statement struct {
	ID, Model  string
	Blocked    string
	Texts      []string
	Thoughts   []string
	Calls      []string
	Signatures []string
	Media      []string
	Finish     []geminiapi.FinishReason
	Total      int
	Rest       []geminiapi.Candidate
}

func said(t *testing.T, r *geminiapi.GenerateContentResponse) statement {
	t.Helper()
	s := statement{ID: *r.ResponseID, Model: *r.ModelVersion,
		Total: *r.UsageMetadata.TotalTokenCount}
	if r.PromptFeedback != nil {
		s.Blocked = string(*r.PromptFeedback.BlockReason)
	}
	for _, c := range r.Candidates {
		s.Finish = append(s.Finish, *c.FinishReason)
		text, thoughts := "", ""
		if c.Content != nil {
			for i := range c.Content.Parts {
				s.addPart(t, &c.Content.Parts[i], &text, &thoughts)
			}
		}
		s.Texts, s.Thoughts = append(s.Texts, text), append(s.Thoughts, thoughts)
		c.Content, c.FinishReason = nil, nil
		s.Rest = append(s.Rest, c)
	}
	return s
}

func (s *statement) addPart(t *testing.T, p *geminiapi.Part, text, thoughts *string) {
	t.Helper()
	if p.ThoughtSignature != nil {
		s.Signatures = append(s.Signatures, *p.ThoughtSignature)
	}
	switch {
	case p.Text != nil && p.Thought != nil:
		*thoughts += *p.Text
	case p.Text != nil:
		*text += *p.Text
	case p.FunctionCall != nil:
		args := p.FunctionCall.Args.Clone()
		if err := args.Canonicalize(); err != nil {
			t.Error(err)
		}
		id := ""
		if p.FunctionCall.ID != nil {
			id = *p.FunctionCall.ID
		}
		s.Calls = append(s.Calls, id+" "+*p.FunctionCall.Name+" "+string(args))
	case p.InlineData != nil:
		s.Media = append(s.Media, *p.InlineData.MIMEType+" "+*p.InlineData.Data)
	case p.ExecutableCode != nil:
		s.Media = append(s.Media, *p.ExecutableCode.Code)
	case p.CodeExecutionResult != nil:
		s.Media = append(s.Media, *p.CodeExecutionResult.Output)
	default:
		t.Errorf("a part holds nothing: %+v", p)
	}
}

// checkForms converts an answer to every form, whole and as a stream, without losses.
func checkForms(t *testing.T, whole *geminiapi.GenerateContentResponse,
	chunks []*geminiapi.GenerateContentResponse) {
	t.Helper()
	if whole.PromptFeedback == nil {
		normal, err := normalize.FromResponse(whole)
		if err != nil {
			t.Fatal(err)
		}
		if err := normalize.Validate(normal); err != nil {
			t.Error(err)
		}
	}
	_, report, err := chat.FromGemini(whole)
	checkReport(t, "chat_completions", report, err)
	stream := func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for _, chunk := range chunks {
			if !yield(chunk, nil) {
				return
			}
		}
	}
	var out bytes.Buffer
	report, err = chat.WriteStream(&out, stream, chat.WithUsage())
	checkReport(t, "chat_completions, streamed", report, err)
	if len(whole.Candidates) > 1 {
		return // The AI SDK has one.
	}
	report, err = aisdk.WriteStream(&out, stream)
	checkReport(t, "the AI SDK", report, err)
}

func checkReport(t *testing.T, form string, report report.Report, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", form, err)
	}
	if err := report.Strict(); err != nil {
		t.Errorf("%s: %v", form, err)
	}
}
