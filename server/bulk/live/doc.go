// Package live answers the lines of bulk jobs with model calls, through a gateway within the
// program. So it supports every upstream and every form of the gateway, and answers and refusals
// have the form's own format.
//
//	handler, err := gateway.New(gateway.WithRateCard(ratecard.Google()))
//	limiter := limit.New("my-project", limit.Limits{Requests: 600}, limit.NewMemory())
//	executor := live.New(handler, live.WithLimiter(limiter))
//	err = service.Work(ctx, bulk.Worker{Executors: map[string]bulk.Executor{bulk.ExecutorLive: executor}})
//
// # Results and retries
//
// An answer is a result. So is a permanent refusal of the line by the model's server, which is a
// status of 400 and above. The executor retries these:
//
//   - a rate limit error (429): all lines wait as long as the server says. Without a hint the wait
//     doubles while nothing else is answered. A line fails only after [MaxRateLimitErrors] of them
//     while no other line is answered.
//   - a gateway that has no room itself, for the job's client or for all: only this line waits,
//     without a limit.
//   - a server or a connection that fails (5xx, 408), an answer that breaks off, and a gateway that
//     panics: up to [WithAttempts] times, with a growing pause. Then the last reply is the result.
//   - a budget of the gateway that is used up, of the job's client or of all clients: the job is
//     paused, and tries again every five minutes. No call is made. Other jobs continue.
//   - failures that are not about a line: an exhausted daily quota, a refused key, and an upstream
//     that cannot be reached after the same number of attempts. They pause the whole job, see
//     [bulk.LaterError]. A quota is tried again each hour, and at midnight in California, when
//     Google renews its quotas.
//
// A call is one attempt, whatever the gateway does for other clients
// ([gateway.Request].SingleAttempt), because each attempt counts against the limits before it is
// made. A job without an owner has no client limits ([gateway.Request].Client).
package live
