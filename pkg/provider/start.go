package provider

import (
	"context"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// StartRequest starts a call and returns at once. done is called once, with how the call ended, and not before
// StartRequest is about to return; it may be nil. The call ends when ctx does, so that must not be one that
// ends with the caller.
//
// An error wraps a *[normalize.Error] about a request that cannot be sent; then done is not called. The request must
// not be changed before the call has ended.
func (p *Provider) StartRequest(
	ctx context.Context, request *geminiapi.GenerateContentRequest, done func(Completion), opts ...gemini.Option,
) (*Call, error) {
	if err := p.check(request, opts); err != nil {
		return nil, err
	}
	call := p.newCall(ctx, done)
	go call.request(request, opts)
	return call, nil
}

// StartStream starts a stream and returns at once. event is called with the events of the stream, and done
// once, with how it ended; the package comment says in which order, and what an error of event does. Both may be
// nil. For the rest it is like [Provider.StartRequest].
//
// Events share memory with one another; what they hold must not be changed.
func (p *Provider) StartStream(
	ctx context.Context, request *geminiapi.GenerateContentRequest,
	event func(normalize.Event) error, done func(Completion), opts ...gemini.Option,
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
func (c *Call) request(request *geminiapi.GenerateContentRequest, opts []gemini.Option) {
	defer c.left()
	response, err := c.provider.generate(c.ctx, request, c.status.noting(opts))
	c.end(outcome{response: response, err: err})
}

// stream makes a call of StartStream.
func (c *Call) stream(request *geminiapi.GenerateContentRequest, opts []gemini.Option) {
	defer c.left()
	var out outcome
	var whole normalize.Accumulator
	for event := range c.provider.stream(c.ctx, request, &c.status, opts) {
		whole.Add(event)
		if event.Type == normalize.EventDone || event.Type == normalize.EventError {
			out.last = event
			break
		}
		if !c.offer(event) {
			break
		}
	}
	out.response, out.err = whole.Response()
	c.end(out)
}
