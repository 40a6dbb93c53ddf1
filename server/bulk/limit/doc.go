// Package limit holds calls of a model to what a project may ask in a minute: requests, tokens in
// and tokens out, shared between all workers of the project.
//
//	limiter := limit.New("my-project", limit.Limits{Requests: 600, TokensIn: 1_000_000}, limit.NewMemory())
//	permit, err := limiter.Acquire(ctx, limit.Use{Requests: 1, TokensIn: 800})
//	if err != nil { ... }
//	// the call
//	permit.Settle(ctx, limit.Use{Requests: 1, TokensIn: 763})
//
// # What holds
//
// No minute has more than the limits, whenever it begins: what any 60 seconds hold is counted,
// beside the pace that spreads calls over them. Where there is always work, an hour has at least 99
// % of its limits, by one worker or many.
//
// A register for each project, in a [Ledger] that the workers share, says what the last minute has
// used, and when the next call may begin (the generic cell rate algorithm, with its theoretical
// arrival time). A worker takes the slots of all calls that wait there in one step, by
// compare-and-set, no further than a second ahead, and each call begins when its slot is due. A
// worker that dies wastes the slots of one second.
//
// A call that is larger than a limit is counted as all of it: it waits for a minute of its own.
//
// # Estimates
//
// Nobody knows the tokens of a call before it is made, so that a caller estimates, and corrects the
// estimate by what was used. What an estimate had too much is free again at once. What it had too
// little counts from when it is known: minutes hold as far as estimates are not too low, hours in
// any case.
//
// # Clocks
//
// A call may begin [Tolerance] behind its slot, since timers are late; later than that the slot
// goes back. The clocks of the workers' machines may differ as much, in sum with that. Where they
// differ by more, by d seconds, a minute may have what d seconds may have on top; rates over longer
// times hold. NTP keeps clocks closer than that.
package limit
