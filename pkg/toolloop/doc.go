// Package toolloop lets a model call Go functions. It declares the functions, runs the model's
// calls, sends the results back, and asks again until the model answers without a call.
//
//	type place struct {
//		City string `json:"city" jsonschema_description:"name of a city"`
//	}
//	weather := toolloop.Func("get_weather", "Tells the weather of a city now.",
//		func(ctx context.Context, p place) (string, error) { return lookUp(ctx, p.City) })
//
//	searching := toolloop.Tool{Declaration: websearch.Declaration(), Handle: search.Handle}
//	loop, err := toolloop.New(client, []toolloop.Tool{weather, searching})
//	result, err := loop.Run(ctx, request)
//	fmt.Println(result.Text())
//
// # Steps
//
// A step is one answer of the model and the results of its calls. The calls of one answer run
// concurrently, up to the limit of [WithParallelCalls]. Their results are sent in the order of the
// calls. The model's turn is sent back exactly as it arrived: all parts in order, including thought
// signatures and unknown members. For a stream, it is the joined chunks.
//
// If a tool returns an error, panics, takes longer than [WithToolTimeout] or is called with invalid
// arguments, its result is {"error": "..."}. The model reads it and can react. A call of an unknown
// function has such a result, too. None of these ends the loop. The text of an error that a tool
// returns is sent to the model, so it must not contain a secret.
//
// # The end
//
// The loop ends with an answer that calls nothing. It also ends, with an error and the result so
// far, if
//
//   - the model's answer is unusable ([FinishError], [ErrIncompleteCall]) or refused
//     (*[normalize.BlockedError]),
//   - the limit of [WithMaxSteps] is reached ([LimitError]),
//   - the context or [WithTimeout] ends the run,
//   - a request fails, or
//   - the function of [WithStep] returns an error.
//
// The contents of the result are always a conversation that can be continued: they leave out a turn
// whose calls were not answered.
//
// A calling mode of ANY applies to the first step only. Later steps use AUTO, because the loop
// would never end otherwise.
//
// # Streams
//
// [Loop.Stream] does the same with streamed answers. It yields the events of each answer as they
// arrive, then each call with its result, in the order of the calls, and finally the result.
//
// # Tools that do not return
//
// A run waits for its tools, but at most 50 ms longer than its limits. Tools that watch their
// context have these 50 ms to return:
//
//   - At the time limit of a tool ([WithToolTimeout]) the model gets the result that there is no
//     result, and the run continues.
//   - At the time limit of the run ([WithTimeout]), at the deadline of its context and when the
//     context is cancelled, the run returns an [InterruptedError], which names the tools that still
//     run.
//   - If the caller leaves the loop over a stream, the contexts of the tools end, and the run waits
//     for the tools within these limits.
//
// A tool that has not returned by then is abandoned, as http.TimeoutHandler does: a goroutine
// cannot end another one. Its result is dropped, and its panic is recovered. Without any limit a
// run takes as long as its tools.
//
// A Loop is safe for concurrent use and keeps no state of a run. The only goroutines that
// outlive a run belong to tools that had not returned at a limit.
package toolloop
