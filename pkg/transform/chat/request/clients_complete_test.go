package request_test

import (
	"bytes"
	"testing"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat/request"
)

// Our own requests have each member in a few forms. Requests of clients have the forms of real
// programs.
func TestNothingOfAClientsRequestIsLostSilently(t *testing.T) {
	t.Parallel()
	most, changed := leaftest.Enough(40), 0
	for _, p := range corpustest.ClientPayloads(t, "chat_completions", corpustest.Request) {
		document := p.Read(t)
		before, report, err := geminiRequest(document, request.WithoutValidation())
		if err != nil {
			continue // the error reports the missing value
		}
		leaves, err := leaftest.All(document)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		for _, l := range leaftest.Sample(leaves, most) {
			changed++
			after, reportAfter, err := geminiRequest(l.Change(document),
				request.WithoutValidation())
			if err == nil && bytes.Equal(before, after) && !loses(report, l.Pointer) &&
				!loses(reportAfter, l.Pointer) {
				t.Errorf("%s: %s is lost silently", p.Name, l.Pointer)
			}
		}
	}
	if t.Logf("%d leaves changed", changed); changed < corpustest.AtLeast(9_000) {
		t.Errorf("only %d leaves were changed", changed)
	}
}

// loses reports whether an entry says that a value, or a value around it, is lost or approximated.
func loses(entries report.Report, pointer string) bool {
	return entries.Of(report.Lost).Covers(pointer) ||
		entries.Of(report.Approximated).Covers(pointer)
}

// A conversation may come from another model. Gemini must accept everything that it said.
func TestAnswersOfOtherServersContinueWithGemini(t *testing.T) {
	t.Parallel()
	requests := map[string]corpustest.Payload{}
	for _, p := range corpustest.ClientPayloads(t, "chat_completions", corpustest.Request) {
		requests[p.Name] = p
	}
	converted := 0
	for _, p := range corpustest.ClientPayloads(t, "chat_completions", corpustest.Response) {
		answer, err := openai.DecodeResponse(p.Read(t))
		asked, known := requests[p.Pair]
		if err != nil || !known || len(answer.Choices) == 0 {
			continue
		}
		in, err := openai.DecodeRequest(asked.Read(t))
		if err != nil {
			t.Fatalf("%s: %v", asked.Name, err)
		}
		turn := openai.AssistantTurn(&answer.Choices[0].Message)
		in.Messages = append(in.Messages, turn)
		for _, call := range turn.ToolCalls {
			in.Messages = append(in.Messages, openai.ToolMessage(call.ID, "done"))
		}
		if turn.FunctionCall != nil {
			result := openai.ToolMessage("", "done")
			result.Role, result.ToolCallID, result.Name = openaiapi.RoleFunction, nil,
				&turn.FunctionCall.Name
			in.Messages = append(in.Messages, result)
		}
		in.Messages = append(in.Messages, openai.UserText("Go on."))
		for _, model := range []string{flash25, pro3, flash36} {
			if _, _, err := request.ToGemini(in, request.ForModel(model)); err != nil {
				t.Errorf("%s: %s: %v", p.Name, model, err)
			}
			converted++
		}
	}
	if converted < corpustest.AtLeast(1000) {
		t.Errorf("only %d conversations", converted)
	}
}
