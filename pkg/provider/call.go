package provider

import (
	"context"
	"errors"

	"github.com/gemwire/gemwire/pkg/normalize"
)

// Call is a call in the background. It is safe for concurrent use. A nil Call and a zero Call have
// ended.
//
// Events and the end take the same path: the reading side offers them, and the delivering side
// calls the callbacks. One goroutine does both. With polling, events wait in a bounded channel.
type Call struct {
	provider *Provider
	ctx      context.Context
	stop     context.CancelCauseFunc
	isStream bool
	onEvent  func(*Call, normalize.Event) error
	onDone   func(*Call, Completion)

	waiting chan normalize.Event // of a call that is polled, closed when outcome is set; else nil
	outcome outcome
	status  replyStatus
	ended   bool  // outcome is set
	err     error // what went wrong and does not show in the completion
	done    chan struct{}
}

// outcome is the result of the call.
type outcome struct {
	last     normalize.Event // of a stream, zero if it was stopped
	response *normalize.Response
	err      error
}

func (p *Provider) newCall(ctx context.Context, done func(*Call, Completion)) *Call {
	ctx, stop := context.WithCancelCause(ctx)
	c := &Call{provider: p, ctx: ctx, stop: stop, onDone: done, done: make(chan struct{})}
	if p.options.polled {
		c.waiting = make(chan normalize.Event, p.options.buffer)
	}
	p.add(c)
	return c
}

// Cancel ends the call. After that the call delivers only its end, with [CategoryCancelled]. Cancel
// neither interrupts a running callback nor waits for it. It may be called within callbacks and
// more than once. After the end of the call it does nothing.
func (c *Call) Cancel() {
	if c != nil && c.stop != nil {
		c.stop(errCancelled)
	}
}

// Done returns a channel that is closed after the last callback has returned.
func (c *Call) Done() <-chan struct{} {
	if c == nil || c.done == nil {
		ended := make(chan struct{})
		close(ended)
		return ended
	}
	return c.done
}

// Err returns failures that happened too late to change the end of the call: a *[CallbackError] or
// *[PanicError] of a callback, and the *[AbortedError] of a call that was cancelled before. Several
// are joined. Err returns nil before Done is closed.
func (c *Call) Err() error {
	if c == nil {
		return nil
	}
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

// offer passes an event on for delivery. It returns false if no more are wanted.
func (c *Call) offer(event normalize.Event) bool {
	if c.waiting == nil {
		return c.deliver(event)
	}
	select {
	case c.waiting <- event:
		c.provider.notify()
		return true
	case <-c.ctx.Done():
		return false
	}
}

// end passes the outcome on for delivery.
func (c *Call) end(o outcome) {
	c.outcome, c.ended = o, true
	if c.waiting == nil {
		c.finish()
		return
	}
	close(c.waiting)
	c.provider.notify()
}

// deliver calls the event callback. If the call was stopped, it returns false and calls nothing.
func (c *Call) deliver(event normalize.Event) bool {
	if c.ctx.Err() != nil {
		return false
	}
	var err error = &CallbackError{Err: errExited} // unless the callback returns or panics
	defer func() {
		if err != nil {
			c.stop(err)
		}
	}()
	err = c.callEvent(event)
	return err == nil
}

// callEvent returns a *[CallbackError] if the callback returns an error or panics.
func (c *Call) callEvent(event normalize.Event) error {
	if c.onEvent == nil {
		return nil
	}
	if err := callRecovered(func() error { return c.onEvent(c, event) }); err != nil {
		return &CallbackError{Err: err}
	}
	return nil
}

// finish delivers the end: the last event of a stream, and the completion.
func (c *Call) finish() {
	defer c.release()
	o := &c.outcome
	var failure *normalize.Error
	if o.err != nil || c.ctx.Err() != nil {
		failure = c.failure()
		o.last = errorEvent(o, failure)
		o.response = nil
	}
	completion := completionOf(c.status.code(), o.response, failure)
	// also when the event callback ends the goroutine
	defer func() { c.err = errors.Join(c.err, c.callDone(completion)) }()
	aborted, _ := errors.AsType[*AbortedError](o.err)
	if aborted != nil && failure.Err != aborted {
		c.err = aborted
	}
	if c.isStream {
		c.deliverLast(o.last)
	}
}

// deliverLast calls the event callback, whose errors no longer change the end.
func (c *Call) deliverLast(event normalize.Event) {
	var err error = &CallbackError{Err: errExited} // unless the callback returns or panics
	defer func() { c.err = errors.Join(c.err, err) }()
	err = c.callEvent(event)
}

// failure describes why the call failed. Reading the text of an error may call a method of the
// program.
func (c *Call) failure() *normalize.Error {
	var failure *normalize.Error
	if err := callRecovered(func() error { failure = failureOf(c.ctx, c.outcome.err); return nil }); err != nil {
		return described(&AbortedError{Err: err})
	}
	return failure
}

// callDone returns a *[PanicError] if the completion callback panics.
func (c *Call) callDone(completion Completion) error {
	return callRecovered(func() error {
		if c.onDone != nil {
			c.onDone(c, completion)
		}
		return nil
	})
}

// release releases the resources of the call.
func (c *Call) release() {
	c.stop(nil) // releases what the context holds
	c.provider.remove(c)
	close(c.done)
}

// exited delivers the end of a call whose goroutine was ended by [runtime.Goexit], as the method
// FailNow of a test does. A callback, which has stopped the call by then, or a function of the
// client called it.
func (c *Call) exited() {
	if c.ended {
		return
	}
	var out outcome
	if _, isCallback := errors.AsType[*CallbackError](context.Cause(c.ctx)); !isCallback {
		out.err = &AbortedError{Err: errExited}
	}
	c.end(out)
}

// errorEvent returns the last event of a stream that failed, or was stopped.
func errorEvent(o *outcome, failure *normalize.Error) normalize.Event {
	event := o.last
	if event.Type != normalize.EventError {
		event = normalize.Event{Type: normalize.EventError}
	}
	event.Error = failure
	if event.Usage == nil && o.response != nil {
		event.Usage = &o.response.Usage
	}
	return event
}
