package provider

import (
	"context"
	"errors"

	"github.com/gemwire/gemwire/internal/recovered"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// Call is a call in the background. It is safe for use by several goroutines.
//
// Its events and its end take one way: what reads the answer offers them, and what delivers them calls the
// callbacks. Both are the same goroutine, or with polling there is a bounded channel between them.
type Call struct {
	provider *Provider
	ctx      context.Context
	stop     context.CancelCauseFunc
	isStream bool
	onEvent  func(normalize.Event) error
	onDone   func(Completion)

	waiting chan normalize.Event // of a call that is polled, closed when outcome is set; else nil
	outcome outcome
	status  replyStatus
	ended   bool  // outcome is set
	err     error // of callbacks at the end
	done    chan struct{}
}

// outcome is what the answer came to.
type outcome struct {
	last     normalize.Event // of a stream, zero if it was stopped
	response *normalize.Response
	err      error
}

func (p *Provider) newCall(ctx context.Context, done func(Completion)) *Call {
	ctx, stop := context.WithCancelCause(ctx)
	c := &Call{provider: p, ctx: ctx, stop: stop, onDone: done, done: make(chan struct{})}
	if p.options.polled {
		c.waiting = make(chan normalize.Event, p.options.buffer)
	}
	p.add(c)
	return c
}

// Cancel ends the call: no event follows but the end, which has [CategoryCancelled]. A callback that is being
// called is not interrupted. Cancel does not wait, may be called within callbacks and more than once, and does
// nothing when the call has ended.
func (c *Call) Cancel() { c.stop(errCancelled) }

// Done returns a channel that is closed when the last callback has returned.
func (c *Call) Done() <-chan struct{} { return c.done }

// Err returns what callbacks did wrong when the call ended, so that it could not change its end any more: a
// *[CallbackError] or a *[PanicError], or both, joined. It is nil before Done is closed.
func (c *Call) Err() error {
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
	if err := recovered.Call(func() error { return c.onEvent(event) }); err != nil {
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
		failure = failureOf(c.ctx, o.err)
		o.last = errorEvent(o, failure)
		o.response = nil
	}
	completion := completionOf(c.status.code(), o.response, failure)
	defer func() { c.err = errors.Join(c.err, c.callDone(completion)) }() // also when the event callback ends the goroutine
	if c.isStream {
		c.err = &CallbackError{Err: errExited}
		c.err = c.callEvent(o.last)
	}
}

// callDone returns a *[PanicError] if the completion callback panics.
func (c *Call) callDone(completion Completion) error {
	return recovered.Call(func() error {
		if c.onDone != nil {
			c.onDone(completion)
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

// left hands over the end of a call whose goroutine was ended by [runtime.Goexit], as the method FailNow of a test does:
// by a callback, or by what the client calls.
func (c *Call) left() {
	if !c.ended {
		c.stop(&CallbackError{Err: errExited})
		c.end(outcome{})
	}
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
