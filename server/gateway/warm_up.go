package gateway

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/server/gateway/internal/eventwriter"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
)

// warmUp answers a request that prepares a conversation without an answer, as codex sends it when
// it connects. The request is checked and converted, but no model is called. The response has no
// output and no tokens, and can be continued.
func (c *call) warmUp(f *transform.Form) *problem.Problem {
	t, _, p := c.readTurn(f, f.Decode)
	if p != nil {
		return p
	}
	c.end.Stream = true
	if p := c.askFor(t.Model()); p != nil {
		return p
	}
	models, p := c.route(t.Model())
	if p != nil {
		return p
	}
	a := &answering{call: c, turn: t}
	_, entries, err := t.ToGemini(c.targetOf(models[0]))
	a.report = entries
	if err != nil {
		return c.failed(err)
	}
	s := &streaming{answering: a, events: t.Stream()}
	s.out = eventwriter.Start(s.writer, s.settings())
	defer s.stop()
	s.observeLosses()
	err = s.push(emptyAnswer())
	if err == nil {
		err = s.finish()
	}
	if err != nil {
		return s.fail(err)
	}
	c.end.Status = 200
	return nil
}

// emptyAnswer returns the answer of a model that has said nothing and costs nothing.
func emptyAnswer() *geminiapi.GenerateContentResponse {
	return &geminiapi.GenerateContentResponse{
		Candidates: []geminiapi.Candidate{{FinishReason: new(geminiapi.FinishReasonStop)}},
		UsageMetadata: &geminiapi.UsageMetadata{PromptTokenCount: new(0),
			CandidatesTokenCount: new(0), TotalTokenCount: new(0)},
	}
}
