// Package provider makes calls of Gemini whose answers are in normalised form (package normalize):
// whole or streamed, waited for or in the background. It is what an agent has one of for each
// vendor.
//
//	p := provider.New(client)
//	response, err := p.Generate(ctx, request)
//	for event := range p.Stream(ctx, request) { ... }
//
// # In the background
//
// [Provider.StartRequest] and [Provider.StartStream] return at once, with a [Call] or with the
// error of a request that cannot be sent. Such an error is all there is: no callback is called.
//
// No callback is called from within StartRequest and StartStream. With [WithPolling], which calls
// them in [Provider.Poll] only, none is called before they return to a program that then polls.
// Without it they are called by a goroutine which the two begin as the last thing that they do, and
// Go has no order between that goroutine and the statement behind the call: a callback may run
// before a variable has the [Call]. Therefore each callback is given the Call, and needs no
// variable. A program that has something else to set first holds a lock around both, which the
// callback takes too.
//
// A request ends in exactly one [Completion]. A stream calls its event callback with
//
//	EventStart    once and before all else, unless the stream failed before it began
//	deltas        and the other events of package normalize, any number of them
//	EventDone     exactly one of these two. EventDone has the usage, and the finish reason of the first
//	EventError    candidate; EventError says what happened, and the usage so far
//
// and then its completion callback, last and once. The completion says the same as the last event.
// That holds however the call ends:
//
//   - an answer with a status of failure is EventError without EventStart: its body is read as an
//     error and never as a stream;
//   - [Call.Cancel], and the end of the context that the call was started with, end it with
//     [CategoryCancelled]; a deadline ends it with [normalize.CategoryTimeout]. Events that were
//     not delivered by then are dropped, and only the end follows;
//   - an event callback that returns an error, or panics, ends it with [CategoryCallback]. It is
//     called once more, with EventError;
//   - a panic in what the client was given (middleware, an observer, a token source) or in the
//     function of [WithToolCallIDs] ends it with [CategoryCallback] too, as an [AbortedError]: no
//     panic ends the program;
//   - what a callback does wrong at the end changes the end no more. [Call.Err] has it.
//
// # How long a failure takes
//
// A client calls again after failures that may pass, such as a 429, and the callback hears of the
// last one. With the defaults of package gemini that is three attempts. The waits between them are
// at most 1 and 2 seconds, or what the server asks for, up to a minute each. A program that retries
// by itself, or shows a 429 at once, gives gemini.WithMaxAttempts(1) to the client or to the call.
//
// # Who calls the callbacks
//
// By default each call has a goroutine, which reads and calls the callbacks of that call, one after
// the other: a callback that takes long slows down the reading of its own stream and no other.
// Callbacks of different calls run at the same time.
//
// With [WithPolling] callbacks are called in [Provider.Poll] and nowhere else, for programs that
// have an event loop of their own:
//
//	p := provider.New(client, provider.WithPolling())
//	call, err := p.StartStream(ctx, request, onEvent, onDone)
//	for p.Running() > 0 {
//		select {
//		case <-p.Ready():
//			p.Poll()
//		case key := <-keyboard:
//			...
//		}
//	}
//
// Loops around epoll, kqueue or select wait for the descriptor of [Provider.ReadyFD] in place of
// Ready, on Unix.
//
// The goroutine of a call then reads ahead by [WithBuffer] events at most, and waits for Poll
// before it reads on.
//
// # Concurrency
//
// A Provider is safe for use by several goroutines, and holds nothing but the calls that run. A
// call's goroutine ends with the call. With polling it ends when it has read everything, so that a
// program which polls no more has to cancel.
package provider
