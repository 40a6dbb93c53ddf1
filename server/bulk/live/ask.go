package live

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/line"
)

// ask calls for a line until there is a result. Its error is why there is none.
func (r *run) ask(l *line.Line) (line.Result, error) {
	out := line.Result{Number: l.Number, CustomID: l.CustomID}
	var denied refusals
	for failures, holds := 0, 0; ; {
		estimate := r.estimate.of(l)
		permit, err := r.limiter.Acquire(r.begin, estimate)
		if err != nil {
			return out, r.notBegun(err)
		}
		began := time.Now()
		reply := r.call(l)
		permit.Settle(r.calling, reply.used(estimate))
		out.Attempts += reply.attempts
		out.Usage.Add(reply.usage)
		switch verdict := reply.verdict(); {
		case r.calling.Err() != nil && verdict != answered:
			return out, context.Cause(r.calling)
		case verdict == usedUp:
			return out, r.exhaust(reply)
		case verdict == tooMany && reply.attempts == 0:
			holds++
			if err := r.hold(reply, holds); err != nil {
				return out, err
			}
		case verdict >= tooMany && reply.wait > longestHold:
			return out, r.rest(time.Now().Add(reply.wait),
				"the server asks to wait: "+reply.message)
		case verdict == keyRefused:
			return out, later(time.Now().Add(keyRest),
				"the key of the gateway is refused: "+reply.message)
		case verdict == tooMany && !denied.areTooMany(r.pressure.answered()):
			r.backOff(reply, began)
		case verdict == failed && failures < r.attempts-1:
			failures++
			if err := r.pause(reply, failures); err != nil {
				return out, err
			}
		case verdict == failed && reply.unreached:
			return out, later(time.Now().Add(awayRest),
				"the upstream cannot be reached: "+reply.message)
		default:
			if verdict == answered {
				r.pressure.eased()
				r.estimate.learn(l, reply.usage)
			}
			out.Response = &line.Response{Status: reply.status, RequestID: reply.requestID,
				Body: reply.body}
			return out, nil
		}
	}
}

// notBegun words why a call did not begin.
func (r *run) notBegun(err error) error {
	if r.begin.Err() != nil {
		return context.Cause(r.begin)
	}
	if quota, ok := errors.AsType[*limit.QuotaError](err); ok {
		return later(quota.Until, "all calls of the project rest, as another was told")
	}
	return err
}

const (
	// keyRest is how long a job rests whose key is refused. Somebody has to do something about it.
	keyRest = 5 * time.Minute
	// awayRest is how long one rests whose upstream cannot be reached: it may come back any moment.
	awayRest = 30 * time.Second
	// quotaRest is how long one rests at most whose quota of the day is used up: reports of a
	// used-up day were wrong (github.com/diegosouzapw/OmniRoute/issues/9504).
	quotaRest = time.Hour

	// longestHold is how long lines wait in the hands of a worker. For longer they go back.
	longestHold = time.Minute

	usedUpReason = "the quota of the day is used up"
)

// exhaust has the project rest until its quota of the day is worth another call.
func (r *run) exhaust(reply *reply) error {
	now := time.Now()
	until := now.Add(quotaRest)
	if renewal := nextRenewal(now); renewal.Before(until) {
		until = renewal
	}
	return r.rest(until, usedUpReason+": "+reply.message)
}

// rest has all jobs of the project rest until a time.
func (r *run) rest(until time.Time, reason string) error {
	if err := r.limiter.Exhaust(context.WithoutCancel(r.calling), until); err != nil {
		return err
	}
	return later(until, reason)
}

// nextRenewal returns when Google's quotas of the day are new: at midnight in California, by
// Google's page of rate limits.
func nextRenewal(now time.Time) time.Time {
	local := now.In(california())
	return time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, local.Location()).UTC()
}

// california is its time zone, or winter's there where a machine has no time zones. The command
// brings its own.
var california = sync.OnceValue(func() *time.Location {
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		return time.FixedZone("PST", -8*60*60)
	}
	return zone
})

// backOff has all calls of the project wait, as long as the server says or as seems right. The line
// waits with them.
func (r *run) backOff(reply *reply, began time.Time) {
	until, isNew := r.pressure.refused(began, time.Now(), reply.wait)
	if isNew {
		// this worker waits in any case
		_ = r.limiter.BackOff(context.WithoutCancel(r.calling), until)
	}
}

// hold has a line wait for room in the gateway itself, which has called nobody: for the client
// whose job it is, or for all. It asks again less and less often, as many lines may stand in the
// queue. Other jobs of the project go on.
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

// sleep waits for a time, unless nothing is to begin any more.
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

// The pauses between attempts of one line.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 30 * time.Second
)
