package gateway

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/gemini/models"
	"github.com/gemwire/gemwire/pkg/interactionsbridge"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/internal/recording"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/gemwire/gemwire/server/internal/modelname"
)

// bridge returns a transport that sends requests to generate content to the Interactions API, if
// their models are called by it.
func (s *setup) bridge(below gemini.Doer) gemini.Doer {
	if s.upstream.API == APIGenerateContent {
		return below
	}
	return interactionsbridge.NewDoer(recording.Below(below),
		interactionsbridge.ForModels(s.isBridged))
}

// isBridged reports whether a model is called by the Interactions API.
func (s *settings) isBridged(model string) bool {
	if s.upstream.Service == OpenAI {
		return false
	}
	switch s.upstream.API {
	case APIGenerateContent:
		return false
	case APIInteractions:
		return true
	default:
		return interactionsbridge.OnlyInteractions(model)
	}
}

// watchedBridge returns the context of a request whose models may include a model of the
// Interactions API.
func (c *call) watchedBridge(ctx context.Context, models []string) context.Context {
	if !slices.ContainsFunc(models, c.isBridged) {
		return ctx
	}
	ctx = recording.WithUpstream(ctx, &c.recorders)
	return interactionsbridge.WithWatch(ctx, &interactionsbridge.Watch{
		Strict:  c.wanted.IsStrict,
		Request: func(entries report.Report) { c.onward = onward{request: entries} },
		Answer:  func(entries report.Report) { c.onward.answer = entries },
	})
}

// beginAttempt prepares the call for an attempt. Gemini's form is the intermediate form if another
// API answers for the model. A fallback may have another API than the model before it.
func (c *call) beginAttempt(t *upstream.Try) {
	c.onward, c.isIdle = onward{}, false
	c.recorders.IsBetween = c.upstream.Service == OpenAI || c.isBridged(t.Model)
}

// lostOnward returns the number of losses of a request after Gemini's form.
func (c *call) lostOnward() string {
	return strconv.Itoa(len(c.onward.request.Of(report.Lost)))
}

// agentTime is the default time limit of an agent, which is also the limit of its silence. Deep
// research takes up to an hour, and shows nothing until its report if thoughts are not shown.
const agentTime = 65 * time.Minute

// bridgedNames returns the models and agents that exist only in the Interactions API. Google's list
// of models does not name agents.
func (c *call) bridgedNames() []string {
	if c.upstream.Service == OpenAI || c.upstream.API == APIGenerateContent {
		return nil
	}
	var out []string
	when := c.modelTime()
	for _, model := range models.All(c.modelService(), when) {
		if model.Calls == models.CallInteractions && modelname.IsOffered(&model, when) {
			out = append(out, model.Asked)
		}
	}
	return out
}
