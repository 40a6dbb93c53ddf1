package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/money"
	"github.com/gemwire/gemwire/server/quota"
)

// budgetSettings limit what clients spend.
type budgetSettings struct {
	quota           *quota.Quota
	budgets         []quota.Budget // of all keys together
	ofAllKeys       []limit        // of budgets
	permitsUnpriced bool
	usage           UsageReader // nil without
}

// WithBudgets limits what all clients together spend. The budgets of single keys are in their file.
// A request over a budget is refused with 429 and the code insufficient_quota.
func WithBudgets(budgets ...quota.Budget) Option {
	return func(s *settings) { s.budgets = budgets }
}

// WithUnpriced permits requests without a price although a budget of money applies to them. They
// cost the budget nothing. By default the gateway refuses them. Without a budget of money it
// permits them always.
func WithUnpriced() Option { return func(s *settings) { s.permitsUnpriced = true } }

// checkBudgets returns an error for a budget in a currency that the rate card does not have.
func (s *setup) checkBudgets() error {
	check := func(what string, b quota.Budget) error {
		if b.Currency == "" || slices.Contains(s.card.Currencies(), b.Currency) {
			return nil
		}
		return fmt.Errorf("gateway: the budget of %s is in %s, but the rate card has prices in %q",
			what, b.Currency, s.card.Currencies())
	}
	for _, b := range s.budgets {
		if err := check("all keys", b); err != nil {
			return err
		}
	}
	if s.keys == nil {
		return nil
	}
	for _, key := range s.keys.All() {
		if err := check("the key "+key.Name(), key.Budget()); err != nil {
			return err
		}
	}
	return nil
}

// limit is a budget that applies to a call.
type limit struct {
	rule     quota.Rule
	currency string // "" for tokens
	text     string // for people
	owner    string // a key's name, or "" for all keys
}

// limitsOf returns the limits of budgets.
func limitsOf(owner string, budgets ...quota.Budget) (out []limit) {
	for _, b := range budgets {
		if rule, ok := b.Money(owner); ok {
			out = append(out, limit{rule, b.Currency, b.MoneyText(), owner})
		}
		if rule, ok := b.TokenRule(owner); ok {
			out = append(out, limit{rule, "", b.TokenText(), owner})
		}
	}
	return out
}

// budgetLimits returns the limits of the budgets that apply to the call.
func (c *call) budgetLimits() []limit {
	if c.key == nil || c.key.Budget().IsZero() {
		return c.ofAllKeys
	}
	return append(limitsOf(c.clientName, c.key.Budget()), c.ofAllKeys...)
}

// spending is what a call has reserved, or why it may not.
type spending struct {
	isReserved bool
	refusal    *problem.Problem
	limits     []limit
	estimate   estimate
}

// reserve reserves what a call may cost, once. It refuses a call over a budget, and a fallback
// without a price.
func (c *call) reserve(e estimate) *problem.Problem {
	switch s := &c.spending; {
	case c.convertsOnly():
		return nil
	case !s.isReserved:
		s.isReserved = true
		s.refusal = c.reserveOnce(e)
	case s.refusal == nil && len(s.limits) > 0 && e.model != s.estimate.model:
		return c.reserveFallback(e)
	}
	return c.spending.refusal
}

// reserveFallback replaces the estimate of a call by the estimate for another model. What is
// reserved stays.
func (c *call) reserveFallback(e estimate) *problem.Problem {
	e.bytesIn = c.end.BytesIn
	e.most = e.output(c)
	for _, l := range c.spending.limits {
		if _, err := c.needOf(l.currency, e); err != nil && !c.permitsUnpriced {
			return unpriced(e.model, l, err)
		}
	}
	c.spending.estimate = e
	return nil
}

func (c *call) reserveOnce(e estimate) *problem.Problem {
	limits := c.budgetLimits()
	if len(limits) == 0 {
		return nil
	}
	e.bytesIn = c.end.BytesIn
	e.most = e.output(c)
	demands := make([]quota.Demand, len(limits))
	for i, l := range limits {
		need, err := c.needOf(l.currency, e)
		if err != nil && !c.permitsUnpriced {
			return unpriced(e.model, l, err)
		}
		demands[i] = quota.Demand{Rule: l.rule, Need: max(need, 1)}
	}
	c.spending.limits, c.spending.estimate = limits, e
	permit, err := c.quota.Take(c.request.Context(), demands...)
	if limited, ok := errors.AsType[*quota.LimitError](err); ok {
		return c.overBudget(limits, limited)
	}
	if err != nil {
		return c.quotaFailed(err)
	}
	c.warnOfBudgets()
	c.atEnd = append(c.atEnd, func() {
		for i, l := range limits {
			permit.Settle(i, c.spent(l.currency))
		}
		permit.Release()
	})
	return nil
}

// checkSpent refuses the rest of a call if what it has cost so far uses up a budget. What the call
// has reserved stays reserved, so requests in flight do not stop it.
func (c *call) checkSpent() *problem.Problem {
	for _, l := range c.spending.limits {
		standing := c.quota.Standing(l.rule)
		spent := standing.Spent + c.spent(l.currency)
		if spent >= l.rule.Limit {
			return c.overBudget(c.spending.limits,
				&quota.LimitError{Rule: l.rule, Spent: spent, Resets: standing.Resets})
		}
	}
	return nil
}

// needOf returns the units of a budget that a call may use.
func (c *call) needOf(currency string, e estimate) (int64, error) {
	calls := int64(max(e.calls, 1))
	if currency == "" {
		return calls * int64(e.input()+e.most), nil
	}
	amount, err := c.estimatedCost(e, e.most, currency)
	return calls * int64(amount), err
}

// spent returns the units of a budget that the call has used.
func (c *call) spent(currency string) int64 {
	u := &c.end.Usage
	isUnknown := u.TotalTokens == 0 && c.end.Canceled && c.end.AskedModel != ""
	e := c.spending.estimate
	switch {
	case currency == "" && isUnknown:
		return int64(e.input())
	case currency == "":
		return int64(u.InputTokens + u.OutputTokens + u.ThinkingTokens)
	case isUnknown: // the client left before the upstream reported tokens
		amount, _ := c.estimatedCost(e, 0, currency)
		return int64(amount)
	case c.end.Cost != nil && c.end.Cost.Currency == currency:
		return int64(money.Of(c.end.Cost.Amount))
	default:
		return 0
	}
}

// overBudget returns the problem of a budget that is reached.
func (c *call) overBudget(limits []limit, err *quota.LimitError) *problem.Problem {
	at := slices.IndexFunc(limits, func(l limit) bool { return l.rule == err.Rule })
	l := limits[at]
	if err.IsInFlight() {
		return &problem.Problem{Status: http.StatusTooManyRequests, Type: problem.TypeRateLimit,
			Code: "rate_limit_exceeded", RetryAfter: err.Wait,
			Message: "requests in flight may use up the rest of " + l.whose() + ", " + l.text +
				"; try again in a moment"}
	}
	message := l.whose() + ", " + l.text + ", is used up"
	if err.Resets.IsZero() {
		message += "; it does not reset"
	} else {
		message += "; it resets at " + err.Resets.Format(time.RFC3339)
		c.writer.Header().Set(headerBudgetReset, err.Resets.Format(time.RFC3339))
	}
	c.noticed.warnText(c.logger, "a budget is used up", l.whose()+", "+l.text, err.Resets)
	return &problem.Problem{Status: http.StatusTooManyRequests, Type: problem.TypeQuota,
		Code: problem.TypeQuota, Message: message, IsFinal: true, IsBudget: true,
		Resets: err.Resets}
}

// whose names the budget.
func (l *limit) whose() string {
	if l.owner == "" {
		return "the budget of all keys"
	}
	return "the budget of the key " + l.owner
}

// unpriced refuses a request whose cost cannot be counted.
func unpriced(model string, l limit, err error) *problem.Problem {
	return &problem.Problem{Status: http.StatusForbidden, Type: problem.TypeInvalidRequest,
		Code: "unpriced",
		Message: l.whose() + ", " + l.text + ", does not permit a request whose cost is unknown: " +
			withoutPackage(model, err) + " (unpriced: refuse)"}
}

// Headers about budgets.
const (
	headerBudgetWarning = "X-Gemwire-Budget-Warning"
	headerBudgetReset   = "X-Gemwire-Budget-Reset"
)

// warnShare is the percentage of a budget from which clients and the log are warned.
const warnShare = 80

// warnOfBudgets sets a header and logs once if a budget is nearly used up.
func (c *call) warnOfBudgets() {
	for _, l := range c.spending.limits {
		standing := c.quota.Standing(l.rule)
		share := int64(100)
		if l.rule.Limit > 0 {
			share = int64(float64(standing.Spent) / float64(l.rule.Limit) * 100)
		}
		if share < warnShare {
			continue
		}
		text := fmt.Sprintf("%d %% of %s, %s, is used", share, l.whose(), l.text)
		if !standing.Resets.IsZero() {
			text += "; it resets at " + standing.Resets.Format(time.RFC3339)
		}
		c.writer.Header().Set(headerBudgetWarning, text)
		c.noticed.warnText(c.logger, "a budget is nearly used up", l.whose()+", "+l.text,
			standing.Resets)
	}
}
