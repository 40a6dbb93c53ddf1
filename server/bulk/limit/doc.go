// Package limit limits a project's model calls per minute: requests, input tokens and output
// tokens, shared by all workers of the project.
//
//	limiter := limit.New("my-project", limit.Limits{Requests: 600, TokensIn: 1_000_000}, limit.NewMemory())
//	permit, err := limiter.Acquire(ctx, limit.Use{Requests: 1, TokensIn: 800})
//	if err != nil { ... }
//	// the call
//	permit.Settle(ctx, limit.Use{Requests: 1, TokensIn: 763})
//
// # Guarantees
//
// No minute exceeds the limits, whenever it begins: the limiter counts the use of any 60 seconds,
// and also spreads the calls evenly over them. With constant work an hour uses at least 99 % of its
// limits, with one worker or many.
//
// A register for each project, in a [Ledger] that the workers share, holds the use of the last
// minute, and when the next call may begin (the generic cell rate algorithm, with its theoretical
// arrival time). A worker takes the slots of all its waiting calls in one step, by compare-and-set,
// at most one second ahead. Each call begins when its slot is due. A worker that dies wastes the
// slots of one second.
//
// A call that is larger than a limit counts as the whole limit: it waits for a minute of its own.
//
// # Estimates
//
// The tokens of a call are unknown before it is made. So a caller estimates them, and corrects the
// estimate afterwards. An excess is free again at once. A shortfall counts from the correction on.
// So minutes hold if estimates are not too low, and hours hold in any case.
//
// # Clocks
//
// A call may begin up to [Tolerance] after its slot, because timers are late. After that the worker
// returns the slot. The difference between the clocks of the workers' machines is part of the
// tolerance. If the clocks differ by d seconds more, a minute may have the calls of d additional
// seconds. Rates over longer times hold. NTP keeps clocks within the tolerance.
package limit
