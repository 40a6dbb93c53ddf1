package provider_test

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"github.com/gemwire/gemwire/internal/test/exportedtest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/provider"
	"github.com/google/go-cmp/cmp"
)

// zeroProviders are providers that New has not made, or has made without a client.
var zeroProviders = []*provider.Provider{nil, {}, provider.New(nil), provider.New(nil, nil, nil)}

// zeroCalls has a call of each exported function with zero values and nil. It must not panic, and
// must fail before it sends anything.
func zeroCalls(t *testing.T) map[string]func() {
	fails := func(err error) {
		failure, ok := errors.AsType[*normalize.Error](err)
		if !ok || failure.Category != normalize.CategoryInvalidArg ||
			!errors.Is(err, provider.ErrNotMade) {
			t.Errorf("%v", err)
		}
	}
	each := func(call func(*provider.Provider)) func() {
		return func() {
			for _, p := range zeroProviders {
				call(p)
			}
		}
	}
	none := func(n int) {
		if n != 0 {
			t.Errorf("%d of no kind", n)
		}
	}
	newWith := func(opt provider.Option) func() {
		return func() { _, err := provider.New(nil, opt).Generate(t.Context(), nil); fails(err) }
	}
	noCall := func(do func(*provider.Call)) func() { return func() { do(nil); do(&provider.Call{}) } }
	return map[string]func(){
		"New":              func() { _, err := provider.New(nil, nil).Generate(t.Context(), nil); fails(err) },
		"WithBuffer":       newWith(provider.WithBuffer(0)),
		"WithPolling":      newWith(provider.WithPolling()),
		"WithToolCallIDs":  newWith(provider.WithToolCallIDs(nil)),
		"Provider.Cancel":  each((*provider.Provider).Cancel),
		"Provider.Poll":    each(func(p *provider.Provider) { none(p.Poll()) }),
		"Provider.Running": each(func(p *provider.Provider) { none(p.Running()) }),
		"Provider.Ready":   each(func(p *provider.Provider) { none(len(p.Ready())) }),
		"Provider.ReadyFD": each(func(p *provider.Provider) {
			if _, err := p.ReadyFD(); !errors.Is(err, provider.ErrNotPolled) {
				t.Error(err)
			}
		}),
		"Provider.Generate": each(func(p *provider.Provider) { _, err := p.Generate(t.Context(), nil, nil); fails(err) }),
		"Provider.Stream": each(func(p *provider.Provider) {
			for event := range p.Stream(t.Context(), nil, nil) {
				fails(event.Error)
			}
		}),
		"Provider.StartRequest": each(func(p *provider.Provider) { _, err := p.StartRequest(t.Context(), nil, nil, nil); fails(err) }),
		"Provider.StartStream":  each(func(p *provider.Provider) { _, err := p.StartStream(t.Context(), nil, nil, nil, nil); fails(err) }),
		"Call.Cancel":           noCall((*provider.Call).Cancel),
		"Call.Done":             noCall(func(c *provider.Call) { <-c.Done() }),
		"Call.Err": noCall(func(c *provider.Call) {
			if err := c.Err(); err != nil {
				t.Error(err)
			}
		}),
		"CallbackError.Error":  func() { _ = new(provider.CallbackError).Error() },
		"CallbackError.Unwrap": func() { _ = new(provider.CallbackError).Unwrap() },
		"PanicError.Error":     func() { _ = new(provider.PanicError).Error() },
		"PanicError.Unwrap":    func() { _ = new(provider.PanicError).Unwrap() },
		"AbortedError.Error":   func() { _ = new(provider.AbortedError).Error() },
		"AbortedError.Unwrap":  func() { _ = new(provider.AbortedError).Unwrap() },
	}
}

func TestEachExportedFunctionTakesZeroValues(t *testing.T) {
	t.Parallel()
	calls := zeroCalls(t)
	if diff := cmp.Diff(exportedtest.Functions(t), slices.Sorted(maps.Keys(calls))); diff != "" {
		t.Error(diff)
	}
	for _, call := range calls {
		call()
	}
}
