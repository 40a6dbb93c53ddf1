package live

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"
	_ "time/tzdata"

	"github.com/gemwire/gemwire/server/bulk"
	"github.com/gemwire/gemwire/server/bulk/budget"
	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// ask calls a line until it has a result. Its error is the reason why the result is missing.
func (r *run) ask(l *line.Line) (line.Result, error) {
	out := line.Result{Number: l.Number, CustomID: l.CustomID}
	var limited rateLimits
	for failures, holds, mismatches := 0, 0, 0; ; {
		estimate := r.estimate.of(l)
		permit, err := r.permit(estimate)
		if err != nil {
			return out, r.notBegun(err)
		}
		began := time.Now()
		reply := r.call(l)
		r.settle(reply.usage)
		permit.Settle(r.calling, reply.used(estimate))
		out.Attempts += reply.attempts
		out.Usage.Add(reply.usage)
		switch verdict := reply.verdict(); {
		case r.calling.Err() != nil && verdict != answered:
			return out, context.Cause(r.calling)
		case verdict == overBudget:
			return out, pauseForBudget(reply)
		case verdict == usedUp:
			return out, r.exhaust(reply)
		case verdict == rateLimited && reply.attempts == 0:
			holds++
			if err := r.hold(reply, holds); err != nil {
				return out, err
			}
		case verdict >= rateLimited && reply.wait > longestHold:
			return out, r.rest(time.Now().Add(reply.wait),
				"the server asked to wait: "+reply.message)
		case verdict == keyRefused:
			return out, later(time.Now().Add(keyRest),
				"the key of the gateway is refused: "+reply.message)
		case verdict == rateLimited && !limited.areTooMany(r.pressure.answered()):
			if err := r.backOff(reply, began); err != nil {
				return out, err
			}
		case verdict == failed && failures < r.attempts-1:
			failures++
			if err := r.pause(reply, failures); err != nil {
				return out, err
			}
		case verdict == failed && reply.unreached:
			return out, later(time.Now().Add(awayRest), reply.message)
		default:
			out.Response = &line.Response{Status: reply.status, RequestID: reply.requestID,
				Body: reply.body}
			if verdict != answered {
				return out, nil
			}
			r.pressure.eased()
			r.estimate.learn(l, reply.usage)
			mismatches++
			if !r.asksAgain(l, &out, mismatches) {
				return out, nil
			}
		}
	}
}

// asksAgain reports whether a line is called again because its answer does not fit its schema.
// After the last such answer the line has failed.
func (r *run) asksAgain(l *line.Line, out *line.Result, answers int) bool {
	retries, isChecked := r.item.Job.SchemaRetries()
	if !isChecked {
		return false
	}
	why := r.answers.Check(l, out.Response.Body)
	if why == nil {
		return false
	}
	if answers <= retries {
		return true
	}
	out.Mismatched(why)
	return false
}

// permit waits until a call fits into the budget and the limits.
func (r *run) permit(estimate limit.Use) (limit.Permit, error) {
	if r.budget != nil {
		if err := r.budget.Acquire(r.begin); err != nil {
			return limit.Permit{}, err
		}
	}
	permit, err := r.limiter.Acquire(r.begin, estimate)
	if err != nil {
		r.settle(line.Usage{})
	}
	return permit, err
}

// settle counts the cost of a call.
func (r *run) settle(used line.Usage) {
	if r.budget != nil {
		r.budget.Settle(used)
	}
}

// notBegun converts the reason why a call did not begin.
func (r *run) notBegun(err error) error {
	if r.begin.Err() != nil {
		return context.Cause(r.begin)
	}
	if quota, ok := errors.AsType[*limit.QuotaError](err); ok {
		return later(quota.Until, "all calls of the project are paused, because the daily quota is used up")
	}
	if errors.Is(err, budget.ErrReached) || errors.Is(err, budget.ErrUnpriced) {
		return &bulk.LaterError{After: budgetRest, Reason: err.Error()}
	}
	return err
}

const (
	// budgetRest is how long a range waits whose calls do not fit into the budget. The worker stops
	// meanwhile.
	budgetRest = time.Second
	// budgetPause is the longest pause of a job whose client's budget is used up.
	budgetPause = 5 * time.Minute
	// keyRest is the pause of a job whose key is refused. A person has to fix that.
	keyRest = 5 * time.Minute
	// awayRest is the pause of a job whose upstream cannot be reached. It may return at any moment.
	awayRest = 30 * time.Second
	// quotaRest is the longest pause of a job whose daily quota is used up: reports of an exhausted
	// day were wrong (github.com/diegosouzapw/OmniRoute/issues/9504).
	quotaRest = time.Hour

	// longestHold is the longest wait of a line at a worker. A line that must wait longer is given
	// back.
	longestHold = time.Minute

	usedUpReason = "the daily quota is used up"
)

// pauseForBudget returns the error that pauses a job whose client has used its budget up. Other
// jobs of the project continue. The job tries again soon, because a budget may be raised at any
// time; that costs nothing.
func pauseForBudget(reply *reply) error {
	until := time.Now().Add(budgetPause)
	if !reply.resets.IsZero() && reply.resets.Before(until) {
		until = reply.resets
	}
	return later(until, ReasonBudget+reply.message)
}

// ReasonBudget is what the reason of a job begins with that is paused because a budget of the
// gateway is used up.
const ReasonBudget = "no more lines are answered: "

// exhaust pauses the project until its daily quota is worth another call.
func (r *run) exhaust(reply *reply) error {
	now := time.Now()
	until := now.Add(quotaRest)
	if renewal := nextRenewal(now); renewal.Before(until) {
		until = renewal
	}
	return r.rest(until, usedUpReason+": "+reply.message)
}

// rest pauses all jobs of the project until a time.
func (r *run) rest(until time.Time, reason string) error {
	if err := r.limiter.Exhaust(context.WithoutCancel(r.calling), until); err != nil {
		return err
	}
	return later(until, reason)
}

// nextRenewal returns when Google renews its daily quotas: at midnight in California, according to
// Google's page on rate limits.
func nextRenewal(now time.Time) time.Time {
	local := now.In(california())
	return time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, local.Location()).UTC()
}

// california is California's time zone. The package includes time zone data, because some machines
// have none.
var california = sync.OnceValue(func() *time.Location {
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		panic(err)
	}
	return zone
})

// backOff delays all calls of the project by the server's or an own delay, and the line with them.
// With several accounts, or for a rare error, it delays only the line. The gateway pauses the
// account that was refused.
func (r *run) backOff(reply *reply, began time.Time) error {
	if r.accounts > 1 {
		return r.sleep(firstHold)
	}
	until, isNew := r.pressure.rateLimited(began, time.Now(), reply.wait)
	if isNew {
		// this worker waits even if the ledger fails
		_ = r.limiter.BackOff(context.WithoutCancel(r.calling), until)
		return nil
	}
	return r.sleep(time.Until(until))
}

// hold delays a line if the gateway itself has no room, for the job's client or for all. No call
// was made. The delay grows, because many lines may be waiting. Other jobs of the project continue.
func (r *run) hold(reply *reply, holds int) error {
	if reply.wait > longestHold {
		return later(time.Now().Add(reply.wait), reply.message)
	}
	wait := max(reply.wait, min(firstHold<<min(holds-1, 10), longestPause))
	return r.sleep(wait + rand.N(wait/4+1))
}

// firstHold is the shortest wait for room in the gateway.
const firstHold = 50 * time.Millisecond

// pause waits between two attempts of a line.
func (r *run) pause(reply *reply, failures int) error {
	wait := min(firstPause<<(failures-1), longestPause)
	wait = wait/2 + rand.N(wait/2)
	if reply.wait > 0 {
		wait = reply.wait
		_ = r.limiter.BackOff(context.WithoutCancel(r.calling), time.Now().Add(wait))
	}
	return r.sleep(wait)
}

// sleep waits for a time, unless no more work should begin.
func (r *run) sleep(wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-r.begin.Done():
		return context.Cause(r.begin)
	}
}

// Pauses between attempts of one line.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 30 * time.Second
)
