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
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/ratecard"
)

// convertLine converts a line to Gemini's requests. If the gateway refuses the line, it returns the
// line's result.
func (r *run) convertLine(ctx context.Context, l *line.Line) (*gateway.Converted, *line.Result,
	error) {
	converted, err := r.gateway.Convert(ctx, requestOf(l))
	if err == nil {
		return converted, nil, nil
	}
	refused, err := refusalOf(ctx, err)
	if err != nil {
		return nil, nil, err
	}
	return converted, resultOf(l, refused.Status, converted.RequestID, refused.Body), nil
}

// requestOf returns the gateway's request for a line. It is the program's own request, because the
// limits of the job's owner are for calls of Gemini.
func requestOf(l *line.Line) *gateway.Request { return &gateway.Request{Path: l.URL, Body: l.Body} }

// refusalOf returns the gateway's error if it is about the line. Otherwise it returns the error
// that postpones the range.
func refusalOf(ctx context.Context, err error) (*gateway.Error, error) {
	refused, ok := errors.AsType[*gateway.Error](err)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !ok:
		return nil, err
	case refused.Status == http.StatusTooManyRequests,
		refused.Status == http.StatusServiceUnavailable:
		return nil, &bulk.LaterError{After: max(refused.RetryAfter, failureRest),
			Reason: "the gateway cannot convert the lines now: " + refused.Message}
	default:
		return refused, nil
	}
}

func resultOf(l *line.Line, status int, requestID string, body []byte) *line.Result {
	return &line.Result{Number: l.Number, CustomID: l.CustomID,
		Response: &line.Response{Status: status, RequestID: requestID, Body: body}}
}

// convert writes the result of a line from the answers of a batch. It reports true for a line that
// must be called live, because an answer is missing or not usable.
func (r *run) convert(ctx context.Context, l *line.Line, found answers) (isLeft bool, err error) {
	converted, refused, err := r.convertLine(ctx, l)
	if err != nil {
		return false, err
	}
	if refused != nil {
		r.discard(found, "")
		return false, r.item.Write(ctx, *refused)
	}
	replies, areUsable := repliesTo(l, converted, found)
	if !areUsable {
		r.discard(found, converted.Model)
		return true, nil
	}
	result, err := r.result(ctx, l, replies)
	if err != nil {
		return false, err
	}
	if result == nil {
		r.discard(found, converted.Model)
		return true, nil
	}
	model := r.price(result, converted, replies)
	r.spend(result.Usage)
	if r.asksAgain(l, result) {
		r.discarded.Add(result.Usage)
		r.count(model, result.Usage)
		return true, nil
	}
	if err := r.item.Write(ctx, *result); err != nil {
		return false, err
	}
	r.count(model, result.Usage)
	return false, nil
}

// asksAgain reports whether a line is called live because its answer does not fit its schema. If
// that is not allowed, the line has failed.
func (r *run) asksAgain(l *line.Line, result *line.Result) bool {
	retries, isChecked := r.item.Job.SchemaRetries()
	if !isChecked || result.Failed() {
		return false
	}
	why := r.answers.Check(l, result.Response.Body)
	if why == nil {
		return false
	}
	if retries > 0 && !r.noFallback {
		return true
	}
	result.Mismatched(why)
	return false
}

// repliesTo returns the replies to the requests of a line, up to the first failure. It reports
// false if a reply is missing or not usable.
func repliesTo(l *line.Line, converted *gateway.Converted, found answers) ([]gateway.Reply, bool) {
	var out []gateway.Reply
	for number := range converted.Requests {
		one := found[keyOf(l, number)]
		switch {
		case one == nil || !one.isUsable():
			return nil, false
		case one.response == nil:
			return append(out, gateway.Reply{Status: one.status, Body: bodyOf(one.failure)}), true
		}
		out = append(out, gateway.Reply{Body: one.response})
	}
	return out, len(out) > 0
}

// result returns the result of a line, or nil if the replies are no answer to it, or their error is
// not about the line.
func (r *run) result(ctx context.Context, l *line.Line, replies []gateway.Reply) (*line.Result,
	error) {
	answer, err := r.gateway.ConvertReplies(ctx, requestOf(l), replies)
	status, body := http.StatusOK, answer.Body
	if failed, ok := errors.AsType[*gateway.Error](err); ok {
		status, body = failed.Status, failed.Body
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case status >= http.StatusInternalServerError, status == http.StatusTooManyRequests,
			failed.Code == gateway.CodeKeyRefused, failed.Code == gateway.CodeQuota:
			return nil, nil
		}
	}
	out := resultOf(l, status, answer.RequestID, body)
	out.Attempts, out.Usage = 1, line.UsageOf(answer.Usage)
	return out, nil
}

// discard counts the usage of a line's answers that its result does not include. The model is the
// requested one.
func (r *run) discard(found answers, model string) {
	for _, one := range found {
		for _, response := range append(one.others, one.response) {
			answer, err := gemini.DecodeResponse(response)
			if err != nil || answer.UsageMetadata == nil {
				continue
			}
			counts := batchUsage(answer.UsageMetadata)
			usage := line.UsageOf(counts)
			r.setCost(&usage, answeringModel(answer, model), counts)
			r.discarded.Add(usage)
			r.spend(usage)
			r.count(answeringModel(answer, model), usage)
		}
	}
}

// price sets the cost of a result at batch prices. It returns the model that answered.
func (r *run) price(result *line.Result, converted *gateway.Converted,
	replies []gateway.Reply) string {
	if result.Usage == (line.Usage{}) {
		return converted.Model
	}
	result.Usage.Unpriced = 1
	usage, model, isKnown := usageOf(result, converted, replies)
	if !isKnown {
		return converted.Model
	}
	r.setCost(&result.Usage, model, usage)
	return model
}

// setCost sets the cost of tokens in a batch, or marks it as unknown.
func (r *run) setCost(result *line.Usage, model string, usage normalize.Usage) {
	result.Unpriced = 1
	if r.card == nil {
		return
	}
	cost, err := r.card.Cost(ratecard.Call{Model: model, Surface: ratecard.GeminiAPI,
		Tier: ratecard.Batch, Usage: usage})
	if err == nil {
		result.Cost, result.Currency, result.Unpriced = cost.Amount, cost.Currency, 0
	}
}

// answeringModel returns the model that the answer names, or else the requested model.
func answeringModel(answer *geminiapi.GenerateContentResponse, requested string) string {
	return cmp.Or(jsonx.Deref(answer.ModelVersion), requested)
}

// usageOf returns the token counts of a result by price class, and their model.
func usageOf(result *line.Result, converted *gateway.Converted,
	replies []gateway.Reply) (usage normalize.Usage, model string, isKnown bool) {
	if converted.Embeds { // all tokens are text tokens
		tokens := int(result.Usage.InputTokens)
		return normalize.Usage{InputTokens: tokens, TotalTokens: tokens}, converted.Model, true
	}
	answer, err := gemini.DecodeResponse(replies[0].Body)
	if err != nil || answer.UsageMetadata == nil {
		return normalize.Usage{}, "", false
	}
	return batchUsage(answer.UsageMetadata), answeringModel(answer, converted.Model), true
}

// batchUsage normalises the counts of an answer in a batch.
func batchUsage(reported *geminiapi.UsageMetadata) normalize.Usage {
	used := *reported
	used.ServiceTier = nil // the tier of calls, if it is reported
	return normalize.NewUsage(&used)
}
