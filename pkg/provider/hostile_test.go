package provider_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/provider"
)

func TestEachCallbackIsGivenItsCall(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		p := provider.New(scripted{
			stream: stream(textChunk("a"), lastChunk),
			answer: func(context.Context) (*geminiapi.GenerateContentResponse,
				error) {
				return lastChunk, nil
			},
		}, opts...)
		var given []*provider.Call
		event := func(call *provider.Call,
			_ normalize.Event) error {
			given = append(given, call)
			return nil
		}
		done := func(call *provider.Call, _ provider.Completion) { given = append(given, call) }
		streamed, err := p.StartStream(t.Context(), request, event, done)
		if err != nil {
			t.Fatal(err)
		}
		finish(p, streamed)
		requested, err := p.StartRequest(t.Context(), request, done)
		if err != nil {
			t.Fatal(err)
		}
		finish(p, requested)
		for i, call := range given {
			if isLast := i == len(given)-1; call != streamed && !isLast ||
				call != requested && isLast {
				t.Errorf("callback %d is given another call", i)
			}
		}
		if len(given) != 7 {
			t.Errorf("%d callbacks", len(given))
		}
	})
}

// The first callback may run before the caller has the call. So it cancels the call that it
// receives as an argument.
func TestTheFirstCallbackMayCancelItsCall(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		var got calls
		p := provider.New(scripted{stream: stream(textChunk("a"), lastChunk)}, opts...)
		call, err := p.StartStream(t.Context(), request,
			func(call *provider.Call, e normalize.Event) error {
				call.Cancel()
				return got.event(call, e)
			}, got.done)
		if err != nil {
			t.Fatal(err)
		}
		finish(p, call)
		wantLines(t, &got, "start gemini-2.5-flash", "error cancelled cancelled", cancelled)
	})
}

// If StartStream called a callback itself, the callback would wait for the lock forever.
func TestALockAroundTheStartComesBeforeTheCallbacks(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		lock := make(chan struct{}, 1) // by which time passes in a bubble, unlike by a sync.Mutex
		var kept *provider.Call
		isKept := func(call *provider.Call) {
			lock <- struct{}{}
			defer func() { <-lock }()
			if kept != call {
				t.Error("a callback came before the caller had the call")
			}
		}
		p := provider.New(scripted{stream: stream(textChunk("a"), lastChunk)}, opts...)
		lock <- struct{}{}
		call, err := p.StartStream(t.Context(), request,
			func(call *provider.Call, _ normalize.Event) error { isKept(call); return nil },
			func(call *provider.Call, _ provider.Completion) { isKept(call) })
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // all has come
		kept = call
		<-lock
		finish(p, call)
	})
}

func TestWithPollingThereIsNoCallbackBeforePoll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got calls
		p := provider.New(scripted{stream: stream(lastChunk)}, provider.WithPolling())
		call, err := p.StartStream(t.Context(), request, got.event, got.done)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		wantLines(t, &got, []string{}...)
		poll(p, call)
	})
}

func TestAnErrorOfTheEventCallbackAtEachEvent(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	all := []string{"start gemini-2.5-flash", "text_delta a", "text_delta b", "usage", "finish",
		"done stop 10/5/0/15", `success 200 "ab" stop retry -1`}
	const failed = "callback event callback: the disk is full"
	for at, name := range map[int]string{0: "the start", 1: "the first delta", 2: "the last delta",
		3: "the usage", 4: "the finish", 5: "done"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bothWays(t, func(t *testing.T, opts []provider.Option,
				finish func(*provider.Provider, *provider.Call)) {
				var got calls
				seen := 0
				p := provider.New(scripted{stream: stream(textChunk("a"), textChunk("b"),
					lastChunk)}, opts...)
				call, err := p.StartStream(t.Context(), request,
					func(call *provider.Call, e normalize.Event) error {
						got.event(call, e)
						if seen++; seen == at+1 {
							return full
						}
						return nil
					}, got.done)
				if err != nil {
					t.Fatal(err)
				}
				finish(p, call)
				if at == 5 { // the end is the end
					wantLines(t, &got, all...)
				} else {
					wantLines(t, &got,
						append(all[:at+1:at+1], "error "+failed,
							"failure 0 "+failed+" retry -1")...)
				}
				if (call.Err() != nil) != (at == 5) {
					t.Errorf("%v", call.Err())
				}
			})
		})
	}
}

func TestAnErrorAtTheErrorEventChangesNothing(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		var got calls
		p := provider.New(scripted{stream: endless(nil)}, opts...)
		call, err := p.StartStream(t.Context(), request,
			func(call *provider.Call, e normalize.Event) error {
				got.event(call, e)
				return errors.New("no")
			}, got.done)
		if err != nil {
			t.Fatal(err)
		}
		call.Cancel()
		finish(p, call)
		wantLines(t, &got, "error cancelled cancelled", cancelled)
		if _, ok := errors.AsType[*provider.CallbackError](call.Err()); !ok {
			t.Errorf("%v", call.Err())
		}
	})
}

func TestCancelAtTheEndChangesNothing(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		var got calls
		p := provider.New(scripted{stream: stream(lastChunk)}, opts...)
		call, err := p.StartStream(t.Context(), request,
			func(call *provider.Call, e normalize.Event) error {
				if e.Type == normalize.EventDone {
					call.Cancel()
				}
				return got.event(call, e)
			}, func(call *provider.Call, c provider.Completion) {
				call.Cancel()
				got.done(call, c)
			})
		if err != nil {
			t.Fatal(err)
		}
		finish(p, call)
		call.Cancel()
		wantLines(t, &got, "start ", "usage", "finish", "done stop 10/5/0/15",
			`success 200 "" stop retry -1`)
	})
}

func TestPollAfterTheEndDeliversNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got calls
		p := provider.New(scripted{stream: stream(lastChunk)}, provider.WithPolling())
		call, err := p.StartStream(t.Context(), request, got.event, got.done)
		if err != nil {
			t.Fatal(err)
		}
		poll(p, call)
		before := got.all()
		for range 3 {
			if n := p.Poll(); n != 0 {
				t.Errorf("%d more", n)
			}
		}
		call.Cancel()
		p.Poll()
		wantLines(t, &got, before...)
	})
}

func TestASlowConsumerGetsTenThousandChunksInTheirOrder(t *testing.T) {
	t.Parallel()
	const count = 10_000
	var chunks []*geminiapi.GenerateContentResponse
	for i := range count {
		chunks = append(chunks, textChunk(fmt.Sprintf("%d ", i)))
	}
	chunks = append(chunks, lastChunk)
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		p := provider.New(scripted{stream: stream(chunks...)}, opts...)
		next, begin := 0, time.Now()
		var end provider.Completion
		call, err := p.StartStream(t.Context(), request,
			func(_ *provider.Call, e normalize.Event) error {
				if e.Type != normalize.EventTextDelta {
					return nil
				}
				time.Sleep(time.Millisecond)
				if e.Text != fmt.Sprintf("%d ", next) {
					return fmt.Errorf("%q after %d", e.Text, next)
				}
				next++
				return nil
			}, func(_ *provider.Call, c provider.Completion) { end = c })
		if err != nil {
			t.Fatal(err)
		}
		finish(p, call)
		if !end.Success || next != count || time.Since(begin) < count*time.Millisecond {
			t.Errorf("%d deltas, %s", next, end.Message)
		}
	})
}

func TestACallbackThatBlocksHoldsUpNoOtherCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := provider.New(scripted{stream: stream(textChunk("a"), lastChunk)})
		blocked := make(chan struct{})
		stuck, err := p.StartStream(t.Context(), request,
			func(*provider.Call, normalize.Event) error { <-blocked; return nil }, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got calls
		call, err := p.StartStream(t.Context(), request, got.event, got.done)
		if err != nil {
			t.Fatal(err)
		}
		<-call.Done()
		stuck.Cancel() // does not wait
		if p.Running() != 1 || len(got.all()) != 6 {
			t.Errorf("%d calls, %q", p.Running(), got.all())
		}
		close(blocked)
		<-stuck.Done()
	})
}

func TestCancellingManyCallsFromManyGoroutinesEndsEachOnce(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		p := provider.New(scripted{stream: endless(nil)}, opts...)
		var ends atomic.Int32
		var running []*provider.Call
		for range 50 {
			call, err := p.StartStream(t.Context(), request, nil,
				func(*provider.Call, provider.Completion) { ends.Add(1) })
			if err != nil {
				t.Fatal(err)
			}
			running = append(running, call)
		}
		var cancels sync.WaitGroup
		for range 4 {
			cancels.Go(func() {
				p.Cancel()
				for _, call := range running {
					call.Cancel()
				}
			})
		}
		cancels.Wait()
		for _, call := range running {
			finish(p, call)
		}
		if ends.Load() != 50 || p.Running() != 0 {
			t.Errorf("%d ends, %d calls run", ends.Load(), p.Running())
		}
	})
}

func TestNilOptionsDoNothing(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		p := overHTTP(t, gemini.DoerFunc(callServer),
			append(opts, nil, provider.WithToolCallIDs(nil), provider.WithBuffer(-1), nil)...)
		var got calls
		call, err := p.StartStream(t.Context(), request, got.event, got.done, nil)
		if err != nil {
			t.Fatal(err)
		}
		finish(p, call)
		if lines := got.all(); lines[1] != "tool_call_start f, id of 22" {
			t.Errorf("%q", lines)
		}
		if _, err := p.Generate(t.Context(), request, nil); err != nil {
			t.Error(err)
		}
		for event := range p.Stream(t.Context(), request, nil) {
			if event.Type == normalize.EventError {
				t.Error(event.Error)
			}
		}
	})
}

func TestANilRequestIsAnErrorBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	p := overHTTP(t, gemini.DoerFunc(callServer))
	_, generated := p.Generate(t.Context(), nil)
	requested, requestErr := p.StartRequest(t.Context(), nil, nil)
	streamed, streamErr := p.StartStream(t.Context(), nil, nil, nil)
	for _, err := range []error{generated, requestErr, streamErr} {
		if !errors.Is(err, gemini.ErrModelRequired) {
			t.Error(err)
		}
	}
	if requested != nil || streamed != nil || p.Running() != 0 {
		t.Error("a call runs")
	}
}
