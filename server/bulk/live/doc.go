// Package live answers the lines of bulk jobs by calls of a model, through a gateway within the
// program: so every upstream and every form that the gateway has will do, and answers and refusals
// are in the words of the form.
//
//	handler, err := gateway.New(gateway.WithRateCard(ratecard.Google()))
//	limiter := limit.New("my-project", limit.Limits{Requests: 600}, limit.NewMemory())
//	executor := live.New(handler, live.WithLimiter(limiter))
//	err = service.Work(ctx, bulk.Worker{Executors: map[string]bulk.Executor{bulk.ExecutorLive: executor}})
//
// # What is a result
//
// An answer is, and so is what the model's server refuses for what the line asks: a status of 400
// and above that another try does not change. The following is tried again:
//
//   - too many requests (429): all lines wait as long as the server says. Where it does not say,
//     the time doubles as long as nothing else is answered. A line is given up only behind
//     [MostRefusals] of them while no other line is answered.
//   - a gateway that has no room itself, for the client whose job it is or for all: only this line
//     waits, as long as it takes.
//   - a server or a connection that fails (5xx, 408), an answer that breaks off, and a gateway that
//     panics: up to [WithAttempts] times, with a growing pause. Then what came last is the result.
//   - a quota of the day that is used up, a key that is refused, and an upstream to which there is
//     no connection behind as many attempts, which no line can help: the whole job rests, see
//     [bulk.LaterError]. A quota is looked at again each hour, and at midnight in California, when
//     Google's are new.
//
// A call is one attempt, whatever the gateway does for others ([gateway.Request].SingleAttempt):
// each counts against the limits before it is made. A job without an owner has no limits of a
// client ([gateway.Request].Client).
package live
