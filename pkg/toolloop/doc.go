// Package toolloop gives a model functions of Go to call: it declares them, runs what the model
// calls, sends the results back, and asks again, until the model answers without a call.
//
//	type place struct {
//		City string `json:"city" jsonschema_description:"name of a city"`
//	}
//	weather := toolloop.Func("get_weather", "Tells the weather of a city now.",
//		func(ctx context.Context, p place) (string, error) { return lookUp(ctx, p.City) })
//
//	loop, err := toolloop.New(client, []toolloop.Tool{weather, {Declaration: websearch.Declaration(), Handle: search.Handle}})
//	result, err := loop.Run(ctx, request)
//	fmt.Println(result.Text())
//
// # Steps
//
// A step is one answer of the model, and the results of what it calls. The calls of one answer run
// at the same time, as many as [WithParallelCalls] allows, and their results go back in the order
// of the calls. The model's turn goes back exactly as it came: all parts in their order, thought
// signatures and members that no description knows included; of a stream it is what its chunks make
// together.
//
// A tool that returns an error, panics, takes longer than [WithToolTimeout] or is called with
// arguments that do not fit has the result {"error": "..."}, which the model reads and can act on.
// So has the call of a function that does not exist. None of these ends the loop. The text of an
// error that a tool returns goes to the model, and must not hold a secret.
//
// # The end
//
// The loop ends with an answer that calls nothing. It also ends, with an error beside the result so
// far, when the model's answer is unusable ([FinishError], [ErrIncompleteCall]) or refused
// (*[normalize.BlockedError]), after as many steps as [WithMaxSteps] allows ([LimitError]), with
// the context or [WithTimeout], when a request fails, and when the function of [WithStep] returns
// an error. The contents of the result are always a conversation that can be continued: a turn
// whose calls were not answered is not among them.
//
// A calling mode of ANY holds for the first step and is AUTO from then on, as the loop would have
// no end else.
//
// # Streams
//
// [Loop.Stream] does the same with streamed answers: it yields the events of each answer as they
// arrive, then each call with its result, in the order of the calls, and at last the result.
//
// # Tools that do not return
//
// A run waits for the tools that it calls, and never more than 50 ms longer than it may, which
// tools that heed their context have to return in:
//
//   - at the time of a tool ([WithToolTimeout]) the model is told that there was no result, and the
//     run goes on;
//   - at the time of the run ([WithTimeout]), at the deadline of its context and when that is
//     cancelled, the run returns with an [InterruptedError], which names the tools that still run;
//   - when the loop over a stream is left, the tools are told by their context and waited for,
//     within these limits.
//
// A tool that has not returned by then is left to itself, as by http.TimeoutHandler: nobody can end
// a goroutine of another. Its result is dropped, and its panic recovered. Without any limit a run
// takes as long as its tools.
//
// A Loop is safe for use by several goroutines; it keeps nothing of a run. No goroutine outlives a
// run but those of tools that had not returned at a limit.
package toolloop
