package gateway

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/errortext"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/gateway/internal/turn"
	"github.com/gemwire/gemwire/server/gateway/internal/upstream"
	"github.com/gemwire/gemwire/server/ratecard"
)

// addRetryHint changes the request of an attempt after an unusable answer.
func addRetryHint(request *geminiapi.GenerateContentRequest, last *upstream.UnusableError) {
	if last == nil {
		return
	}
	turn.AddHint(request, last.IsCall)
	if last.IsCall && last.Repeats > 0 {
		turn.RequireCall(request)
	}
}

// unusable returns an error for an unusable answer. It is an [upstream.UnusableError]
// while the model may be called again, and then the problem of an empty answer. The forms decide
// about a malformed call that remains.
func (a *answering) unusable(t *upstream.Try, answer *geminiapi.GenerateContentResponse) error {
	if !a.isUnusable(t, answer) {
		return nil
	}
	p, isCall := problem.Unusable(answer)
	a.by.note(answer)
	if t.MayRepeat() {
		a.keepEarlier(&a.by, a.tier, answer.UsageMetadata)
	} else {
		a.usage = answer.UsageMetadata
	}
	return t.Again(p, isCall)
}

// isUnusable reports whether [answering.unusable] returns an error for an answer.
func (a *answering) isUnusable(t *upstream.Try, answer *geminiapi.GenerateContentResponse) bool {
	p, _ := problem.Unusable(answer)
	isEmpty := p != nil && p.Code == problem.CodeEmptyAnswer
	return p != nil && a.maxRepeats() > 0 && (!isEmpty || !a.mayBeEmpty) &&
		(t.MayRepeat() || isEmpty)
}

// mayAnswerEmpty reports whether an empty answer can be the right one: the model continues its own
// text, or stops at a text of the client.
func mayAnswerEmpty(request *geminiapi.GenerateContentRequest) bool {
	if config := request.GenerationConfig; config != nil && len(config.StopSequences) > 0 {
		return true
	}
	last := len(request.Contents) - 1
	return last >= 0 && request.Contents[last].Role != nil &&
		*request.Contents[last].Role == "model"
}

// earlier is the usage of an answer of the model that is not the answer to the client: one that was
// unusable, or a summary of the conversation.
type earlier struct {
	by    answeredBy
	tier  *geminiapi.ServiceTier
	usage *geminiapi.UsageMetadata
}

// keepEarlier keeps the usage of an answer that is not the answer to the client, if it has one. The
// call is idle until its next attempt.
func (c *call) keepEarlier(by *answeredBy, tier *geminiapi.ServiceTier,
	usage *geminiapi.UsageMetadata) {
	if usage != nil {
		c.earlier = append(c.earlier, earlier{*by, tier, usage})
		c.isIdle = true
	}
}

// settleEarlier counts earlier answers in the budgets, so that the budgets apply again to the next
// answer.
func (a *answering) settleEarlier() {
	a.noteCost(&a.by, a.tier, normalize.NewUsage(nil))
	a.addEarlier()
	a.settle()
}

// addEarlier adds the usage and the cost of earlier answers.
func (c *call) addEarlier() {
	e := &c.end
	for i := range c.earlier {
		w := &c.earlier[i]
		usage := normalize.NewUsage(w.usage)
		details := e.Usage.Wire
		isFirst := e.Usage.TotalTokens == 0
		e.Usage = e.Usage.Plus(usage)
		e.Usage.Wire = details
		cost, err := c.price(&w.by, w.tier, usage, c.start)
		c.keepCost(cost)
		switch {
		case err != nil && isFirst:
			e.Unpriced = errortext.WithoutPackage(err.Error())
		case err != nil: // the same model answered, so the answer has no price either
		case isFirst:
			e.Cost, e.Unpriced = cost, ""
		default:
			e.Cost = sumOf(e.Cost, cost)
		}
	}
}

// sumOf returns the sum of two costs. It is the first cost if that is unknown, or if the currencies
// differ.
func sumOf(cost, more *ratecard.Cost) *ratecard.Cost {
	if cost == nil || more == nil || cost.Currency != more.Currency {
		return cost
	}
	sum := *cost
	sum.Amount += more.Amount
	sum.Lines = append(sum.Lines[:len(sum.Lines):len(sum.Lines)], more.Lines...)
	return &sum
}
