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

// Client sends requests. A *[gemini.Client] is one.
type Client interface {
	gemini.Generator
	// CheckRequest returns why a request cannot be sent, such as one without a model. It sends
	// nothing.
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

// New returns a provider that calls by a client. Without one, each call fails with [ErrNotMade].
func New(client Client, opts ...Option) *Provider {
	p := &Provider{client: client, options: options{buffer: defaultBuffer},
		ready: make(chan struct{}, 1)}
	option.Apply(&p.options, opts)
	return p
}

// Generate returns the normalised answer to a request. The error is or wraps a *[normalize.Error]
// that wraps what the client returned, or a *[normalize.BlockedError] or *[normalize.PartError]
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

// generate reads an answer whose members are not all of the type that they should be by
// [normalize.Parse], which forgives that.
func (p *Provider) generate(
	ctx context.Context, request *geminiapi.GenerateContentRequest, opts []gemini.CallOption,
) (*normalize.Response, error) {
	var raw gemini.RawResponse
	answer, err := p.client.GenerateContent(ctx, request,
		slices.Insert(slices.Clone(opts), 0, gemini.WithRawResponse(&raw))...)
	_, isMalformed := errors.AsType[*wire.MalformedError](err)
	// The body is that of the last reply alone.
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
// [normalize.EventDone] and [normalize.EventError], which is the only event if the request cannot
// be sent or is refused. EventDone has the finish reason of the first candidate besides the usage.
// Nothing is sent before the loop begins, and leaving the loop ends the call. The request must not
// be changed before that.
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

// stream notes the status of the reply, and completes the last event by the finish reason.
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

// ErrNotMade is the error of a [Provider] that [New] has not made, and of one without a client.
var ErrNotMade = errors.New("provider: the provider was not made by New with a client")

// check returns why a request cannot be sent.
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

// Running returns how many calls were started and have not had their completion.
func (p *Provider) Running() int {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.running)
}

// Cancel cancels all calls that run. Without any it does nothing.
func (p *Provider) Cancel() {
	for _, call := range p.calls() {
		call.Cancel()
	}
}

// calls returns the calls that run now.
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
