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
	permit     *quota.Permit
	// counted are the units of each limit that are counted as used already. They are nil before the
	// first reservation.
	counted []int64
}

// reserve reserves what a call may cost, once. It refuses a call over a budget, and a fallback
// without a price. After [call.settle] it reserves again, for the next answer of the model.
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
	isAgain := c.spending.counted != nil
	limited, isLimited := errors.AsType[*quota.LimitError](err)
	switch {
	case isAgain && isLimited && limited.IsInFlight(): // the call was admitted before the others
		if limited = c.usedUp(limits); limited == nil {
			return nil
		}
		return c.overBudget(limits, limited)
	case isLimited:
		return c.overBudget(limits, limited)
	case err != nil:
		return c.quotaFailed(err)
	}
	c.spending.permit = permit
	if isAgain {
		return nil
	}
	c.warnOfBudgets()
	c.spending.counted = make([]int64, len(limits))
	c.atEnd = append(c.atEnd, c.settle)
	return nil
}

// usedUp returns the error of the first limit that is used up, or nil.
func (c *call) usedUp(limits []limit) *quota.LimitError {
	for _, l := range limits {
		if at := c.quota.Standing(l.rule); at.Spent >= l.rule.Limit {
			return &quota.LimitError{Rule: l.rule, Spent: at.Spent, Resets: at.Resets}
		}
	}
	return nil
}

// settle counts what the call has used since the last settle, and gives the rest of what it has
// reserved back.
func (c *call) settle() {
	s := &c.spending
	for i, l := range s.limits {
		used := c.spent(l.currency)
		if s.permit != nil {
			s.permit.Settle(i, used-s.counted[i])
		} else if used != s.counted[i] {
			c.quota.Count(l.rule, used-s.counted[i])
		}
		s.counted[i] = used
	}
	s.permit.Release()
	s.permit, s.isReserved = nil, false
}

// needOf returns the units of a budget that a call may use.
func (c *call) needOf(currency string, e estimate) (int64, error) {
	if currency == "" {
		return int64(e.input() + e.most), nil
	}
	amount, err := c.estimatedCost(e, e.most, currency)
	return int64(amount), err
}

// spent returns the units of a limit that the call has used. It includes the input of an answer
// whose tokens are unknown because the client left before the upstream reported them.
func (c *call) spent(currency string) (units int64) {
	isUnknown := !c.hasTokens && !c.isIdle && c.end.Canceled && c.end.AskedModel != ""
	if currency == "" {
		u := &c.end.Usage
		units = int64(u.InputTokens + u.OutputTokens + u.ThinkingTokens)
		if isUnknown {
			units += int64(c.spending.estimate.input())
		}
		return units
	}
	var amount float64
	for _, cost := range c.costs {
		if cost.Currency == currency {
			amount += cost.Amount
		}
	}
	units = int64(money.Of(amount))
	if isUnknown {
		input, _ := c.estimatedCost(c.spending.estimate, 0, currency)
		units += int64(input)
	}
	return units
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
		c.setHeader(headerBudgetReset, err.Resets.Format(time.RFC3339))
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

// setHeader sets a header of an answer that may begin at any time. It does nothing after that.
func (c *call) setHeader(name, value string) {
	if c.streamed != nil {
		c.streamed.SetHeader(name, value)
		return
	}
	c.writer.Header().Set(name, value)
}

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
		c.setHeader(headerBudgetWarning, text)
		c.noticed.warnText(c.logger, "a budget is nearly used up", l.whose()+", "+l.text,
			standing.Resets)
	}
}
