package provider

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/wire"
)

// Client sends requests. A *[gemini.Client] implements it.
type Client interface {
	gemini.Generator
	// CheckRequest returns the reason why a request cannot be sent, for example that it has no
	// model. It sends nothing.
	CheckRequest(*geminiapi.GenerateContentRequest, ...gemini.CallOption) error
}

// Provider makes calls. Make one with [New].
type Provider struct {
	client  Client
	options options

	mu      sync.Mutex
	running []*Call // in the order in which they were started
	polling sync.Mutex
	refused atomic.Bool // a Poll since the one that runs has begun
	ready   chan struct{}
	// descriptor is nil until [Provider.ReadyFD] is called.
	descriptor atomic.Pointer[descriptor]
}

// New returns a provider that sends requests with a client. Without a client, each call fails with
// [ErrNotMade].
func New(client Client, opts ...Option) *Provider {
	p := &Provider{client: client, options: options{buffer: defaultBuffer},
		ready: make(chan struct{}, 1)}
	option.Apply(&p.options, opts)
	return p
}

// Generate returns the normalised answer to a request. The error is or wraps a *[normalize.Error],
// which wraps the client's error, or it is a *[normalize.BlockedError] or *[normalize.PartError]
// about the answer. The request must not be changed before Generate returns.
func (p *Provider) Generate(
	ctx context.Context, request *geminiapi.GenerateContentRequest, opts ...gemini.CallOption,
) (*normalize.Response, error) {
	if err := p.check(request, opts); err != nil {
		return nil, err
	}
	response, err := p.generate(ctx, request, opts)
	if err != nil {
		return nil, failureOf(ctx, err)
	}
	return response, nil
}

// generate reads answers with [normalize.Parse], which accepts members of invalid types.
func (p *Provider) generate(
	ctx context.Context, request *geminiapi.GenerateContentRequest, opts []gemini.CallOption,
) (*normalize.Response, error) {
	var raw gemini.RawResponse
	answer, err := p.client.GenerateContent(ctx, request,
		slices.Insert(slices.Clone(opts), 0, gemini.WithRawResponse(&raw))...)
	_, isMalformed := errors.AsType[*wire.MalformedError](err)
	// The body belongs to the last reply only.
	_, isRest := errors.AsType[*gemini.ContinuationError](err)
	switch {
	case len(raw.Body) > 0 && isMalformed && !isRest:
		return normalize.Parse(raw.Body, p.options.normalizing...)
	case err != nil:
		return nil, err
	default:
		return normalize.FromResponse(answer, p.options.normalizing...)
	}
}

// Stream returns the events of a stream: [normalize.EventStart], the deltas, and exactly one of
// [normalize.EventDone] and [normalize.EventError]. EventError is the only event if the request
// cannot be sent or is rejected. EventDone has the usage and the finish reason of the first
// candidate. The request is sent when the loop begins, and must not be changed before the loop
// ends. Leaving the loop ends the call.
func (p *Provider) Stream(
	ctx context.Context, request *geminiapi.GenerateContentRequest, opts ...gemini.CallOption,
) iter.Seq[normalize.Event] {
	return func(yield func(normalize.Event) bool) {
		if err := p.check(request, opts); err != nil {
			yield(normalize.Event{Type: normalize.EventError, Error: normalize.FromError(err)})
			return
		}
		var status replyStatus
		for event := range p.stream(ctx, request, &status, opts) {
			if event.Type == normalize.EventError {
				event.Error = failureOf(ctx, event.Error)
			}
			if !yield(event) {
				return
			}
		}
	}
}

// stream records the status of the reply, and adds the finish reason to the last event.
func (p *Provider) stream(
	ctx context.Context, request *geminiapi.GenerateContentRequest, status *replyStatus,
	opts []gemini.CallOption,
) iter.Seq[normalize.Event] {
	chunks := status.describe(p.client.StreamGenerateContent(ctx, request, status.noting(opts)...))
	return func(yield func(normalize.Event) bool) {
		reason := normalize.FinishUnknown
		finished := false
		for event := range normalize.Events(chunks, p.options.normalizing...) {
			switch {
			case event.Type == normalize.EventFinish && !finished: // of the first candidate
				reason, finished = event.FinishReason, true
			case event.Type == normalize.EventDone:
				event.FinishReason = reason
			}
			if !yield(event) {
				return
			}
		}
	}
}

// ErrNotMade is returned by a [Provider] that [New] did not make, or that has no client.
var ErrNotMade = errors.New("provider: the provider was not made by New with a client")

// check returns the reason why a request cannot be sent.
func (p *Provider) check(request *geminiapi.GenerateContentRequest,
	opts []gemini.CallOption) error {
	if p == nil || p.client == nil {
		return unsendable(ErrNotMade)
	}
	if err := p.client.CheckRequest(request, opts...); err != nil {
		return &requestError{unsendable(err)}
	}
	return nil
}

// Running returns the number of started calls that have no completion yet.
func (p *Provider) Running() int {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.running)
}

// Cancel cancels all running calls.
func (p *Provider) Cancel() {
	for _, call := range p.calls() {
		call.Cancel()
	}
}

// calls returns the running calls.
func (p *Provider) calls() []*Call {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.running)
}

func (p *Provider) add(call *Call) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = append(p.running, call)
}

func (p *Provider) remove(call *Call) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = slices.DeleteFunc(p.running, func(c *Call) bool { return c == call })
}
