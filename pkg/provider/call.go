package provider

import (
	"context"
	"errors"

	"github.com/gemwire/gemwire/pkg/normalize"
)

// Call is a call in the background. It is safe for use by several goroutines. A nil one and a zero
// one have ended.
//
// Its events and its end take one way: what reads the answer offers them, and what delivers them
// calls the callbacks. Both are the same goroutine, or with polling there is a bounded channel
// between them.
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

// outcome is what the answer came to.
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

// Cancel ends the call: no event follows but the end, which has [CategoryCancelled]. A callback
// that is being called is not interrupted. Cancel does not wait, may be called within callbacks and
// more than once, and does nothing when the call has ended.
func (c *Call) Cancel() {
	if c != nil && c.stop != nil {
		c.stop(errCancelled)
	}
}

// Done returns a channel that is closed when the last callback has returned.
func (c *Call) Done() <-chan struct{} {
	if c == nil || c.done == nil {
		ended := make(chan struct{})
		close(ended)
		return ended
	}
	return c.done
}

// Err returns what went wrong when the call ended, so that it could not change its end any more:
// what callbacks did, as a *[CallbackError] or a *[PanicError], and the *[AbortedError] of a call
// that was cancelled before; joined if there are several. It is nil before Done is closed.
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

// offer hands an event over to be delivered. It returns false when no more are wanted.
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

// end hands the outcome over to be delivered.
func (c *Call) end(o outcome) {
	c.outcome, c.ended = o, true
	if c.waiting == nil {
		c.finish()
		return
	}
	close(c.waiting)
	c.provider.notify()
}

// deliver calls the event callback. It returns false, and calls nothing, when the call was stopped.
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

// deliverLast calls the event callback, whose mistakes change the end no more.
func (c *Call) deliverLast(event normalize.Event) {
	var err error = &CallbackError{Err: errExited} // unless the callback returns or panics
	defer func() { c.err = errors.Join(c.err, err) }()
	err = c.callEvent(event)
}

// failure describes why the call failed. To have the text of an error, a method of the program's
// may be called.
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

// release lets go of what belongs to the call.
func (c *Call) release() {
	c.stop(nil) // releases what the context holds
	c.provider.remove(c)
	close(c.done)
}

// exited hands over the end of a call whose goroutine was ended by [runtime.Goexit], as the method
// FailNow of a test does: by a callback, which has stopped the call then, or by what the client
// calls.
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
