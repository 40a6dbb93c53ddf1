package gateway

import (
	"fmt"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/gemwire/gemwire/server/internal/tokenestimate"
)

// CountMode selects how the gateway counts prompt tokens for clients that ask for the count.
type CountMode string

// The count modes.
const (
	// CountByGemini asks Gemini. That takes one call and costs no tokens. It is the default.
	CountByGemini CountMode = "gemini"
	// CountByEstimate estimates without a call: four characters per token, and Google's documented
	// counts for media. Agents that count before every request need not wait then.
	CountByEstimate CountMode = "estimate"
)

func (m CountMode) check() error {
	if m != CountByGemini && m != CountByEstimate {
		return fmt.Errorf("gateway: unknown token count mode %q; use gemini or estimate", m)
	}
	return nil
}

// WithTokenCount sets how the gateway counts prompt tokens for /v1/messages/count_tokens and
// /v1/responses/input_tokens. The default is [CountByGemini].
func WithTokenCount(mode CountMode) Option { return func(s *settings) { s.countMode = mode } }

// countTokens returns the number of prompt tokens of a request.
func (c *call) countTokens(t *turn.Turn) (int, *problem.Problem) {
	if p := c.askFor(t.Model()); p != nil {
		return 0, p
	}
	models, p := c.route(t.Model())
	if p != nil {
		return 0, p
	}
	if c.convertsOnly() { // there are no requests that generate or embed
		return 0, c.conversion.check(0)
	}
	tokens, err := 0, error(nil)
	if c.countMode == CountByEstimate {
		tokens, err = c.estimateTokens(t, models[0])
	} else {
		tokens, err = c.askForTokens(t, models)
	}
	if err != nil {
		return 0, c.failed(err)
	}
	return tokens, nil
}

// estimateTokens estimates the number of tokens for a model.
func (c *call) estimateTokens(t *turn.Turn, model string) (int, error) {
	request, report, err := t.ToGemini(c.targetOf(model))
	if err != nil {
		return 0, err
	}
	c.observeCount(model, report)
	c.end.UsageEstimated = true
	return tokenestimate.Of(request), nil
}

// askForTokens lets Gemini count the tokens.
func (c *call) askForTokens(t *turn.Turn, models []string) (tokens int, err error) {
	own, p := c.ownAccount()
	if p != nil {
		return 0, p
	}
	ctx, cancel := c.limited(models)
	defer cancel()
	call := &upstream.Call{Models: models, Method: "countTokens", Attempts: c.maxAttempts(),
		Only: own, OnAttempt: c.onAttempt(), RequestID: c.id}
	call.Try = func(try *upstream.Try) error {
		request, report, err := t.ToGemini(c.targetOf(try.Model))
		if err != nil {
			return err
		}
		c.observeCount(try.Model, report)
		request.Model, request.GenerationConfig = &try.Model, nil // which is no part of the prompt
		opts, ended := c.recorders.Captured(false, c.limits(try.Model).options(false))
		count, err := try.Account.Client.CountTokens(ctx,
			&geminiapi.CountTokensRequest{Model: &try.Model, GenerateContentRequest: request},
			opts...)
		ended(err)
		if err == nil {
			tokens = jsonx.Deref(count.TotalTokens)
		}
		return err
	}
	err = c.pool.Run(ctx, call)
	return tokens, err
}

// observeCount records which model counts, and the losses of the request.
func (c *call) observeCount(model string, entries report.Report) {
	c.noteModels(&answeredBy{tried: model})
	c.end.Service = c.service()
	c.end.Lost = len(entries.Of(report.Lost))
	c.showModel(model)
}
