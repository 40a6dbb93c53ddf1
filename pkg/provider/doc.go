// Package provider calls Gemini, blocking or in the background, and returns whole or streamed
// answers as the types of package normalize. It is meant for agents, which have one provider for
// each vendor.
//
//	p := provider.New(client)
//	response, err := p.Generate(ctx, request)
//	for event := range p.Stream(ctx, request) { ... }
//
// # In the background
//
// [Provider.StartRequest] and [Provider.StartStream] return at once, with a [Call], or with an
// error if the request cannot be sent. In case of an error no callback is called.
//
// StartRequest and StartStream never call a callback themselves. With [WithPolling], only
// [Provider.Poll] calls callbacks, so none runs before the two return. Without it, a new goroutine
// calls the callbacks. Go does not order that goroutine and the statement after the call: a
// callback may run before the program has stored the [Call] in a variable. Therefore each callback
// gets the Call as an argument. A program that has to set something else first can hold a lock
// around both, and lock it in the callback, too.
//
// A request ends in exactly one [Completion]. A stream calls its event callback with
//
//	EventStart    once and first, unless the stream failed before it began
//	deltas        and the other events of package normalize, any number of them
//	EventDone     exactly one of these two. EventDone has the usage, and the finish reason of the first
//	EventError    candidate; EventError says what happened, and the usage so far
//
// and then its completion callback, once and last. The completion reports the same as the last
// event. This holds for every kind of end:
//
//   - An answer with an error status gives EventError without EventStart. Its body is read as an
//     error and never as a stream.
//   - [Call.Cancel], or the end of the call's context, ends the call with [CategoryCancelled]. A
//     deadline ends it with [normalize.CategoryTimeout]. Events that are not delivered by then are
//     dropped, and only the end follows.
//   - An event callback that returns an error, or panics, ends the call with [CategoryCallback]. It
//     is called once more, with EventError.
//   - A panic in something the client was given (middleware, an observer, a token source), or in
//     the function of [WithToolCallIDs], also ends the call with [CategoryCallback], as an
//     [AbortedError]. No panic ends the program.
//   - A failure of a callback at the end no longer changes the end. [Call.Err] returns it.
//
// # How long a failure takes
//
// A client retries after temporary failures, such as a 429, and the callback gets only the last
// failure. With the defaults of package gemini there are three attempts. The delays between them
// are at most 1 and 2 seconds, or what the server asks for, up to a minute each. A program that
// retries by itself, or shows a 429 at once, gives gemini.WithMaxAttempts(1) to the client or to
// the call.
//
// # Who calls the callbacks
//
// By default each call has a goroutine, which reads the answer and calls the callbacks of that
// call, one after the other. A slow callback slows down only its own stream. Callbacks of different
// calls run concurrently.
//
// With [WithPolling], only [Provider.Poll] calls callbacks. This is for programs with their own
// event loop:
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
// On Unix, loops around epoll, kqueue or select wait for the descriptor of [Provider.ReadyFD]
// instead of Ready.
//
// The goroutine of a call then reads at most [WithBuffer] events ahead, and waits for Poll before
// it reads more.
//
// # Concurrency
//
// A Provider is safe for concurrent use. Its only state is the running calls. A call's goroutine
// ends with the call. With polling it ends once all its events are read, so a program that stops
// polling has to cancel its calls.
package provider
