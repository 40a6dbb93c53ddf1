package geminibatch

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/bulk/live"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/ratecard"
)

// converter converts lines to Gemini's requests, and Gemini's answers to results, with the gateway.
// A passage takes the place of Gemini.
type converter struct {
	live *live.Executor
}

func newConverter(handler *gateway.Handler) *converter {
	return &converter{live: live.New(diverted{handler}, live.WithAttempts(1))}
}

// diverted is a gateway whose upstream is the passage in the context.
type diverted struct{ handler *gateway.Handler }

// Answer implements [live.Gateway]. It makes the program's own request, because the limits of the
// owner are for calls of Gemini.
func (d diverted) Answer(ctx context.Context, in *gateway.Request) (*gateway.Answer, error) {
	p, _ := ctx.Value(passageKey{}).(*passage)
	in.Client, in.Upstream = "", p
	return d.handler.Answer(ctx, in)
}

// pass sends a line through the gateway, and returns the gateway's answer.
func (c *converter) pass(ctx context.Context, job *bulk.Job, l *line.Line,
	p *passage) (*line.Result, error) {
	var out *line.Result
	item := bulk.NewItem(job, 0, []line.Line{*l}, nil,
		func(_ context.Context, result line.Result) error {
			out = &result
			return nil
		})
	err := c.live.Run(context.WithValue(ctx, passageKey{}, p), item)
	return out, err
}

// request returns the Gemini requests of a line, or the result of a line that the gateway itself
// refuses.
func (c *converter) request(ctx context.Context, job *bulk.Job, l *line.Line) (*passage,
	*line.Result, error) {
	p := &passage{}
	result, err := c.pass(ctx, job, l, p)
	if err != nil || p.isAsked {
		return p, nil, err
	}
	return p, result, nil
}

// convert writes the result of a line from the answers of a batch. It reports true for a line that
// must be called live, because an answer is missing or not usable.
func (r *run) convert(ctx context.Context, l *line.Line, found answers) (isLeft bool, err error) {
	p := &passage{answerTo: func(number int) *answer { return found[keyOf(l, number)] }}
	result, err := r.converter.pass(ctx, r.item.Job, l, p)
	switch {
	case errors.As(err, new(*bulk.LaterError)): // the error concerns the project
		r.discard(found, p)
		return true, nil
	case err != nil:
		return false, err
	case p.isLeft || result.Response == nil ||
		result.Response.Status >= http.StatusInternalServerError:
		r.discard(found, p)
		return true, nil
	}
	r.price(result, p)
	return false, r.item.Write(ctx, *result)
}

// discard counts the usage of a line's answers that its result does not include.
func (r *run) discard(found answers, p *passage) {
	for _, one := range found {
		for _, response := range append(one.others, one.response) {
			answer, err := gemini.DecodeResponse(response)
			if err != nil || answer.UsageMetadata == nil {
				continue
			}
			usage := batchUsage(answer.UsageMetadata)
			told := line.Usage{
				InputTokens: int64(usage.InputTokens), CachedTokens: int64(usage.CachedTokens),
				OutputTokens:   int64(usage.OutputTokens + usage.ThinkingTokens),
				ThinkingTokens: int64(usage.ThinkingTokens),
			}
			r.setCost(&told, answeringModel(answer, p), usage)
			r.discarded.Add(told)
		}
	}
}

// price sets the cost of a result at batch prices.
func (r *run) price(result *line.Result, p *passage) {
	result.Usage.Cost, result.Usage.Currency, result.Usage.Unpriced = 0, "", 0
	if result.Usage == (line.Usage{}) {
		return
	}
	result.Usage.Unpriced = 1
	if usage, model, isKnown := usageOf(result, p); isKnown {
		r.setCost(&result.Usage, model, usage)
	}
}

// setCost sets the cost of tokens in a batch, or marks it as unknown.
func (r *run) setCost(told *line.Usage, model string, usage normalize.Usage) {
	told.Unpriced = 1
	if r.card == nil {
		return
	}
	cost, err := r.card.Cost(ratecard.Call{Model: model, Surface: ratecard.GeminiAPI,
		Tier: ratecard.Batch, Usage: usage})
	if err == nil {
		told.Cost, told.Currency, told.Unpriced = cost.Amount, cost.Currency, 0
	}
}

// answeringModel returns the model that the answer names, or else the requested model.
func answeringModel(answer *geminiapi.GenerateContentResponse, p *passage) string {
	return cmp.Or(jsonx.Deref(answer.ModelVersion), p.model)
}

// usageOf returns the token counts of a result by price class, and their model.
func usageOf(result *line.Result, p *passage) (usage normalize.Usage, model string, isKnown bool) {
	if p.embeds { // all tokens are text tokens
		tokens := int(result.Usage.InputTokens)
		return normalize.Usage{InputTokens: tokens, TotalTokens: tokens}, p.model, true
	}
	answer, err := gemini.DecodeResponse(p.answerTo(0).response)
	if err != nil || answer.UsageMetadata == nil {
		return normalize.Usage{}, "", false
	}
	return batchUsage(answer.UsageMetadata), answeringModel(answer, p), true
}

// batchUsage normalises the counts of an answer in a batch.
func batchUsage(told *geminiapi.UsageMetadata) normalize.Usage {
	used := *told
	used.ServiceTier = nil // the tier of calls, if it is reported
	return normalize.NewUsage(&used)
}
