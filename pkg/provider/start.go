package provider

import (
	"context"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// StartRequest starts a call and returns at once. done is called once, with how the call ended; it
// may be nil. It is not called from within StartRequest, and it is given the call that StartRequest
// returns: the package comment says what is certain of the order of the two. The call ends when ctx
// does, so that must not be one that ends with the caller.
//
// An error wraps a *[normalize.Error] about a request that cannot be sent; then done is not called,
// and the call is nil. The request is borrowed: neither it nor what it points to may be changed
// before the call has ended. StartRequest does not copy or encode it, so that it returns as fast
// for 50 MB as for a word; the call's goroutine encodes it, once. A value in it that is not JSON is
// therefore the failure of the call, with [normalize.CategoryInvalidArg].
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

// StartStream starts a stream and returns at once. event is called with the events of the stream,
// and done once, with how it ended; the package comment says in which order, and what an error of
// event does. Both may be nil. For the rest it is like [Provider.StartRequest].
//
// Events share memory with one another; what they hold must not be changed.
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

// request makes a call of StartRequest.
func (c *Call) request(request *geminiapi.GenerateContentRequest, opts []gemini.CallOption) {
	defer c.exited()
	var out outcome
	err := callRecovered(func() error {
		out.response, out.err = c.provider.generate(c.ctx, request, c.status.noting(opts))
		return nil
	})
	c.end(out.abortedBy(err))
}

// stream makes a call of StartStream.
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

// read reads a stream, offers its events, and returns the last one, a zero one when it was stopped
// before.
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

// abortedBy returns the outcome of a call that what the program gave the client has ended by a
// panic, unless err is nil.
func (o outcome) abortedBy(err error) outcome {
	if err != nil {
		o.err = &AbortedError{Err: err}
	}
	return o
}
