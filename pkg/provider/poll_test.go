package provider_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/provider"
)

func TestCallbacksAreCalledInPollOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got calls
		more := make(chan struct{})
		p := provider.New(scripted{stream: endless(more)}, provider.WithPolling())
		if p.Poll() != 0 {
			t.Error("something was delivered before there was a call")
		}
		call, err := p.StartStream(t.Context(), request, got.event, got.done)
		if err != nil {
			t.Fatal(err)
		}
		more <- struct{}{}
		more <- struct{}{}
		synctest.Wait()
		wantLines(t, &got, []string{}...)
		if len(p.Ready()) != 1 {
			t.Error("nothing is ready")
		}
		<-p.Ready()
		if n := p.Poll(); n != 3 {
			t.Errorf("%d events", n)
		}
		if p.Poll() != 0 || len(p.Ready()) != 0 {
			t.Error("there is more")
		}
		wantLines(t, &got, "start gemini-2.5-flash", "text_delta more", "text_delta more")
		call.Cancel()
		synctest.Wait()
		<-p.Ready()
		if n := p.Poll(); n != 1 {
			t.Errorf("%d ends", n)
		}
	})
}

func TestADeadlineBeforePollIsATimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got calls
		p := provider.New(scripted{stream: stream(textChunk("a"), lastChunk)},
			provider.WithPolling())
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("it is late"))
		defer cancel()
		call, err := p.StartStream(ctx, request, got.event, got.done)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		poll(p, call)
		wantLines(t, &got, "error timeout context deadline exceeded",
			"failure 0 timeout context deadline exceeded retry -1")
	})
}

func TestPollWithinACallbackDoesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inner := -1
		p := provider.New(scripted{stream: stream(textChunk("a"), lastChunk)},
			provider.WithPolling())
		call, err := p.StartStream(t.Context(), request,
			func(_ *provider.Call, e normalize.Event) error {
				if e.Type == normalize.EventStart {
					inner = p.Poll()
				}
				return nil
			}, nil)
		if err != nil {
			t.Fatal(err)
		}
		<-p.Ready()
		if p.Poll(); inner != 0 || len(p.Ready()) != 1 {
			t.Errorf("%d, and %d more", inner, len(p.Ready()))
		}
		poll(p, call)
	})
}

func TestSeveralGoroutinesMayPoll(t *testing.T) {
	t.Parallel()
	p := provider.New(scripted{stream: stream(textChunk("a"), textChunk("b"), textChunk("c"),
		lastChunk)}, provider.WithPolling(), provider.WithBuffer(1))
	var pollers sync.WaitGroup
	ended := make(chan struct{})
	for range 4 {
		pollers.Go(func() {
			for {
				select {
				case <-p.Ready():
					p.Poll()
				case <-ended:
					return
				}
			}
		})
	}
	for range 50 {
		var got calls
		call, err := p.StartStream(t.Context(), request, got.event, got.done)
		if err != nil {
			t.Fatal(err)
		}
		<-call.Done()
		if lines := got.all(); len(lines) != 8 {
			t.Errorf("%q", lines)
		}
	}
	close(ended)
	pollers.Wait()
}

func TestACallMayBeStartedWithinACallback(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got calls
		p := provider.New(scripted{stream: stream(lastChunk)}, provider.WithPolling())
		second := make(chan *provider.Call, 1)
		_, err := p.StartStream(t.Context(), request, nil,
			func(_ *provider.Call, end provider.Completion) {
				got.done(nil, end)
				call, err := p.StartStream(t.Context(), request, nil, got.done)
				if err != nil {
					t.Error(err)
				}
				second <- call
			})
		if err != nil {
			t.Fatal(err)
		}
		for p.Running() > 0 {
			<-p.Ready()
			p.Poll()
		}
		<-(<-second).Done()
		wantLines(t, &got, `success 200 "" stop retry -1`, `success 200 "" stop retry -1`)
	})
}

func TestWithoutPollingPollDeliversNothing(t *testing.T) {
	t.Parallel()
	var got calls
	p := provider.New(scripted{stream: stream(lastChunk)})
	call, err := p.StartStream(t.Context(), request, nil, got.done)
	if err != nil {
		t.Fatal(err)
	}
	p.Poll()
	<-call.Done()
	wantLines(t, &got, `success 200 "" stop retry -1`)
}

func TestADescriptorNeedsPolling(t *testing.T) {
	t.Parallel()
	for _, p := range []*provider.Provider{nil, provider.New(scripted{})} {
		if fd, err := p.ReadyFD(); fd != -1 || !errors.Is(err, provider.ErrNotPolled) {
			t.Error(fd, err)
		}
	}
}
