package provider

import (
	"context"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// StartRequest starts a call and returns at once. done is called once, with a description of how
// the call ended; it may be nil. StartRequest itself never calls it. done gets the call that
// StartRequest returns; the package comment describes the order of the two. The call ends when ctx
// ends, so ctx must outlive the caller.
//
// An error means that the request cannot be sent. It wraps a *[normalize.Error]; the call is nil
// and done is not called. The request is borrowed: do not change it, or anything it points to,
// before the call has ended. StartRequest neither copies nor encodes the request, so it returns as
// fast for 50 MB as for a word. The call's goroutine encodes it, once. A value in it that is not
// JSON is therefore a failure of the call, with [normalize.CategoryInvalidArg].
func (p *Provider) StartRequest(
	ctx context.Context, request *geminiapi.GenerateContentRequest, done func(*Call, Completion),
	opts ...gemini.CallOption,
) (*Call, error) {
	if err := p.check(request, opts); err != nil {
		return nil, err
	}
	call := p.newCall(ctx, done)
	go call.request(request, opts)
	return call, nil
}

// StartStream starts a stream and returns at once. It calls event for each event of the stream, and
// done once, with a description of how the stream ended. The package comment describes the order
// and the effect of an error of event. Both may be nil. In all other respects StartStream is like
// [Provider.StartRequest].
//
// Events share memory with one another; do not change what they hold.
func (p *Provider) StartStream(
	ctx context.Context, request *geminiapi.GenerateContentRequest,
	event func(*Call, normalize.Event) error, done func(*Call, Completion),
	opts ...gemini.CallOption,
) (*Call, error) {
	if err := p.check(request, opts); err != nil {
		return nil, err
	}
	call := p.newCall(ctx, done)
	call.isStream, call.onEvent = true, event
	go call.stream(request, opts)
	return call, nil
}

// request runs a call of StartRequest.
func (c *Call) request(request *geminiapi.GenerateContentRequest, opts []gemini.CallOption) {
	defer c.exited()
	var out outcome
	err := callRecovered(func() error {
		out.response, out.err = c.provider.generate(c.ctx, request, c.status.noting(opts))
		return nil
	})
	c.end(out.abortedBy(err))
}

// stream runs a call of StartStream.
func (c *Call) stream(request *geminiapi.GenerateContentRequest, opts []gemini.CallOption) {
	defer c.exited()
	var out outcome
	var whole normalize.Accumulator
	err := callRecovered(func() error {
		out.last = c.read(&whole, request, opts)
		return nil
	})
	out.response, out.err = whole.Response()
	c.end(out.abortedBy(err))
}

// read reads a stream and offers its events. It returns the last event, or a zero event if the
// stream was stopped before.
func (c *Call) read(whole *normalize.Accumulator, request *geminiapi.GenerateContentRequest,
	opts []gemini.CallOption) normalize.Event {
	for event := range c.provider.stream(c.ctx, request, &c.status, opts) {
		whole.Add(event)
		if event.Type == normalize.EventDone || event.Type == normalize.EventError {
			return event
		}
		if !c.offer(event) {
			break
		}
	}
	return normalize.Event{}
}

// abortedBy returns the outcome of a call that ended with a panic in something the client was
// given. It is for a nil err only.
func (o outcome) abortedBy(err error) outcome {
	if err != nil {
		o.err = &AbortedError{Err: err}
	}
	return o
}
