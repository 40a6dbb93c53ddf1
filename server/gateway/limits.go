package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/gemwire/gemwire/server/gateway/internal/problem"
	"github.com/gemwire/gemwire/server/quota"
)

// WithQuota counts the limits and budgets of client keys, for example over several replicas. The
// gateway does not close it. By default the gateway counts in memory.
func WithQuota(q *quota.Quota) Option { return func(s *settings) { s.quota = q } }

// limitOf returns a limit of a client key.
func limitOf(client, kind string, limit int, period quota.Period) quota.Rule {
	return quota.Rule{Name: "limit\n" + client + "\n" + kind, Limit: int64(limit), Period: period}
}

// reservedShare is the largest part of a minute's tokens that one request reserves. The tokens of a
// body are unknown before the answer, and a picture has few tokens for its bytes.
const reservedShare = 10

// takeLimits counts a request against the limits of its key.
func (c *call) takeLimits() *problem.Problem {
	if c.key == nil {
		return nil
	}
	limits, demands, tokens := c.key.Limits(), make([]quota.Demand, 0, 3), -1
	if n := limits.RequestsPerMinute; n > 0 {
		demands = append(demands,
			quota.Demand{Rule: limitOf(c.clientName, "requests", n, quota.Minute), Need: 1})
	}
	if n, estimate := limits.TokensPerMinute, c.tokensAtFirst(); n > 0 {
		need := int64(0)
		if estimate > 0 {
			need = int64(max(min(estimate, n/reservedShare), 1))
		}
		tokens = len(demands)
		demands = append(demands,
			quota.Demand{Rule: limitOf(c.clientName, "tokens", n, quota.Minute), Need: need})
	}
	if n := limits.Concurrent; n > 0 {
		demands = append(demands,
			quota.Demand{Rule: limitOf(c.clientName, "at a time", n, quota.Now), Need: 1})
	}
	permit, err := c.quota.Take(c.request.Context(), demands...)
	c.setRateLimits(demands)
	if err != nil {
		return c.overLimit(err)
	}
	c.atEnd = append(c.atEnd, func() {
		if limits.RequestsPerMinute > 0 {
			permit.Settle(0, 1)
		}
		if tokens >= 0 {
			permit.Settle(tokens, c.tokensAtEnd(demands[tokens].Need))
		}
		permit.Release()
	})
	return nil
}

// tokensAtEnd returns the tokens of a request. If the answer ended early without token counts, it
// is the estimate.
func (c *call) tokensAtEnd(estimate int64) int64 {
	if estimate == 0 {
		return 0
	}
	tokens := c.end.Usage.InputTokens + c.end.Usage.OutputTokens + c.end.Usage.ThinkingTokens
	if tokens > 0 || c.end.Status >= http.StatusBadRequest && !c.end.Canceled {
		return int64(tokens)
	}
	return estimate
}

// setRateLimits sets the headers in which OpenAI's clients read their rate limits.
func (c *call) setRateLimits(demands []quota.Demand) {
	limits, header := c.key.Limits(), c.writer.Header()
	units := []string{"Requests", "Tokens"}
	if limits.RequestsPerMinute == 0 {
		units = units[1:]
	}
	for i, d := range demands {
		if d.Rule.Period != quota.Minute {
			break
		}
		standing := c.quota.Standing(d.Rule)
		header.Set("X-Ratelimit-Limit-"+units[i], strconv.FormatInt(d.Rule.Limit, 10))
		header.Set("X-Ratelimit-Remaining-"+units[i], strconv.FormatInt(standing.Remaining, 10))
		header.Set("X-Ratelimit-Reset-"+units[i],
			standing.Reset.Round(time.Millisecond).String())
	}
}

// overLimit returns the problem of a limit that is reached.
func (c *call) overLimit(err error) *problem.Problem {
	limited, isLimited := errors.AsType[*quota.LimitError](err)
	if !isLimited {
		return c.quotaFailed(err)
	}
	p := &problem.Problem{Status: http.StatusTooManyRequests, Type: problem.TypeRateLimit,
		Code: "rate_limit_exceeded", RetryAfter: limited.Wait}
	limits := c.key.Limits()
	switch limited.Rule {
	case limitOf(c.clientName, "at a time", limits.Concurrent, quota.Now):
		p.Message = fmt.Sprintf("the key is over its limit of %d requests at a time", limits.Concurrent)
		return p
	case limitOf(c.clientName, "tokens", limits.TokensPerMinute, quota.Minute):
		p.Message = fmt.Sprintf("the key is over its limit of %d tokens per minute; try again in %v",
			limits.TokensPerMinute, limited.Wait.Round(time.Millisecond))
	default:
		p.Message = fmt.Sprintf("the key is over its limit of %d requests per minute; try again in %v",
			limits.RequestsPerMinute, limited.Wait.Round(time.Millisecond))
	}
	return p
}

// quotaFailed returns the problem of limits that cannot be counted.
func (c *call) quotaFailed(err error) *problem.Problem {
	if errors.Is(err, quota.ErrUnavailable) {
		return &problem.Problem{Status: http.StatusServiceUnavailable, Type: problem.TypeServer,
			Code: "limits_unavailable", RetryAfter: time.Second, Err: err,
			Message: "the store that counts the limits of client keys does not answer " +
				"(limits_without_store: refuse)"}
	}
	return c.failed(err)
}
