package live

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/gemwire/gemwire/server/gateway"
)

// Gateway answers requests. A [*gateway.Handler] is one.
type Gateway interface {
	// Answer answers a request. The answer is never nil, and the error is a *[gateway.Error].
	Answer(ctx context.Context, request *gateway.Request) (*gateway.Answer, error)
}

// call sends a line to the gateway once.
func (r *run) call(l *line.Line) *reply {
	answer, err := r.gateway.Answer(r.calling,
		&gateway.Request{Path: l.URL, Body: l.Body, Client: r.item.Job.Owner, SingleAttempt: true,
			Job: r.item.Job.ID, Line: l.Number})
	out := &reply{status: http.StatusOK, requestID: answer.RequestID, body: answer.Body,
		attempts: answer.Attempts, usage: usageOf(answer)}
	if failed, ok := errors.AsType[*gateway.Error](err); ok {
		out.status, out.body, out.unreached = failed.Status, failed.Body, failed.Unreached
		out.code, out.message, out.wait = failed.Code, failed.Message, failed.RetryAfter
		out.isBudget, out.resets = failed.IsBudget, failed.Resets
	}
	return out
}

// reply is the gateway's answer or error.
type reply struct {
	status    int
	requestID string
	body      []byte
	attempts  int
	unreached bool   // by the last attempt
	code      string // of the error
	message   string
	isBudget  bool      // of the job's client, or of all clients, is used up
	resets    time.Time // when that budget resets, or zero
	usage     line.Usage
	wait      time.Duration
}

// usageOf returns the token counts of an answer and their cost.
func usageOf(answer *gateway.Answer) line.Usage {
	out := line.UsageOf(answer.Usage)
	switch {
	case answer.Cost != nil:
		out.Cost, out.Currency = answer.Cost.Amount, answer.Cost.Currency
	case out != line.Usage{}:
		out.Unpriced = 1
	}
	return out
}

// used returns how much of the limits the call has used. The input of a failed call is unknown, so
// its estimate counts.
func (a *reply) used(estimate limit.Use) limit.Use {
	out := limit.Use{Requests: int64(a.attempts), TokensIn: a.usage.InputTokens,
		TokensOut: a.usage.OutputTokens}
	if a.attempts > 0 && a.verdict() == failed {
		out.TokensIn = max(out.TokensIn, estimate.TokensIn)
	}
	return out
}
