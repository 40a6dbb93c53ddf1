package provider_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/provider"
	"github.com/google/go-cmp/cmp"
)

var request = &geminiapi.GenerateContentRequest{Model: new("gemini-2.5-flash")}

// bothWays runs a test twice: with callbacks on the call's goroutine, and with callbacks in Poll.
// finish waits until a call has ended.
func bothWays(t *testing.T,
	test func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call))) {
	t.Helper()
	t.Run("on a goroutine of its own", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			test(t, nil, func(_ *provider.Provider, call *provider.Call) { <-call.Done() })
		})
	})
	t.Run("in Poll", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			test(t, []provider.Option{provider.WithPolling()}, poll)
		})
	})
}

// poll polls until a call has ended.
func poll(p *provider.Provider, call *provider.Call) {
	for {
		select {
		case <-p.Ready():
			p.Poll()
		case <-call.Done():
			return
		}
	}
}

func wantLines(t *testing.T, got *calls, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got.all()); diff != "" {
		t.Error(diff)
	}
}

func TestARequestEndsInOneCompletion(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		var got calls
		answer := chunk(`{"candidates":[{"content":{"parts":[{"text":"Hello"}]},"finishReason":"STOP"}]}`)
		p := provider.New(scripted{answer: func(context.Context) (*geminiapi.GenerateContentResponse,
			error) {
			return answer, nil
		}},
			opts...)
		call, err := p.StartRequest(t.Context(), request, got.done)
		if err != nil {
			t.Fatal(err)
		}
		finish(p, call)
		wantLines(t, &got, `success 200 "Hello" stop retry -1`)
		if p.Running() != 0 || call.Err() != nil {
			t.Error(p.Running(), call.Err())
		}
	})
}

func TestAStreamHasAStartItsDeltasAnEndAndThenTheCompletion(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		var got calls
		p := provider.New(scripted{stream: stream(textChunk("Hel"), textChunk("lo"), lastChunk)},
			opts...)
		call, err := p.StartStream(t.Context(), request, got.event, got.done)
		if err != nil {
			t.Fatal(err)
		}
		finish(p, call)
		wantLines(t, &got,
			"start gemini-2.5-flash", "text_delta Hel", "text_delta lo", "usage", "finish",
			"done stop 10/5/0/15",
			`success 200 "Hello" stop retry -1`)
	})
}

func TestStartingReturnsBeforeAnAnswerComes(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		var got calls
		answered := make(chan struct{})
		p := provider.New(scripted{answer: func(context.Context) (*geminiapi.GenerateContentResponse,
			error) {
			<-answered
			return chunk(`{}`), nil
		}}, opts...)
		call, err := p.StartRequest(t.Context(), request, got.done)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if lines := got.all(); len(lines) != 0 || p.Running() != 1 {
			t.Errorf("%v, %d calls", lines, p.Running())
		}
		close(answered)
		finish(p, call)
		wantLines(t, &got, `success 200 "" unknown retry -1`)
	})
}

func TestARequestThatCannotBeSentCallsNothing(t *testing.T) {
	t.Parallel()
	noModel := errors.New("Model is required") //nolint // the words of the origin
	p := provider.New(scripted{refuse: func(*geminiapi.GenerateContentRequest) error { return noModel }})
	event := func(*provider.Call, normalize.Event) error { t.Error("an event"); return nil }
	done := func(*provider.Call, provider.Completion) { t.Error("a completion") }
	_, unary := p.StartRequest(t.Context(), request, done)
	_, streamed := p.StartStream(t.Context(), request, event, done)
	_, generated := p.Generate(t.Context(), request)
	for _, err := range []error{unary, streamed, generated} {
		failure, ok := errors.AsType[*normalize.Error](err)
		if !ok || failure.Category != normalize.CategoryInvalidArg ||
			failure.Message != "Model is required" || !errors.Is(err, noModel) {
			t.Errorf("%+v", err)
		}
	}
	var lines []string
	for e := range p.Stream(t.Context(), request) {
		lines = append(lines, lineOf(e))
	}
	if diff := cmp.Diff([]string{"error invalid_arg Model is required"}, lines); diff != "" {
		t.Error(diff)
	}
	if p.Running() != 0 {
		t.Error("a call runs")
	}
}

func TestCallbacksMayBeAbsent(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		p := provider.New(scripted{stream: stream(textChunk("Hello"), lastChunk)}, opts...)
		call, err := p.StartStream(t.Context(), request, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		finish(p, call)
		if call.Err() != nil {
			t.Error(call.Err())
		}
	})
}

const cancelled = "failure 0 cancelled cancelled retry -1"

func TestCancelEndsAStreamWithACategoryOfItsOwn(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		var got calls
		more := make(chan struct{}, 1)
		more <- struct{}{}
		p := provider.New(scripted{stream: endless(more)}, opts...)
		call, err := p.StartStream(t.Context(), request, got.event, got.done)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		p.Poll()
		call.Cancel()
		call.Cancel()
		finish(p, call)
		call.Cancel()
		p.Cancel()
		wantLines(t, &got, "start gemini-2.5-flash", "text_delta more", "error cancelled cancelled",
			cancelled)
	})
}

func TestCancelDropsWhatWaitsForPoll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got calls
		p := provider.New(scripted{stream: stream(textChunk("Hello"), lastChunk)},
			provider.WithPolling())
		call, err := p.StartStream(t.Context(), request, got.event, got.done)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // all has come, the end too
		p.Cancel()
		poll(p, call)
		wantLines(t, &got, "error cancelled cancelled", cancelled)
	})
}

func TestCancelInACallbackEndsTheCall(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		var got calls
		p := provider.New(scripted{stream: stream(textChunk("one"), textChunk("two"), lastChunk)},
			opts...)
		call, err := p.StartStream(t.Context(), request,
			func(_ *provider.Call, e normalize.Event) error {
				if e.Type == normalize.EventTextDelta {
					p.Cancel()
				}
				return got.event(nil, e)
			}, got.done)
		if err != nil {
			t.Fatal(err)
		}
		finish(p, call)
		wantLines(t, &got, "start gemini-2.5-flash", "text_delta one", "error cancelled cancelled",
			cancelled)
	})
}

func TestCancelEndsARequest(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		var got calls
		p := provider.New(scripted{answer: func(ctx context.Context) (*geminiapi.GenerateContentResponse,
			error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}, opts...)
		call, err := p.StartRequest(t.Context(), request, got.done)
		if err != nil {
			t.Fatal(err)
		}
		call.Cancel()
		finish(p, call)
		wantLines(t, &got, cancelled)
	})
}

func TestTheContextEndsACall(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		var got calls
		p := provider.New(scripted{stream: endless(nil)}, opts...)
		ctx, cancel := context.WithCancel(t.Context())
		first, err := p.StartStream(ctx, request, got.event, got.done)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		finish(p, first)
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		second, err := p.StartStream(ctx, request, got.event, got.done)
		if err != nil {
			t.Fatal(err)
		}
		finish(p, second)
		wantLines(t, &got,
			"error cancelled cancelled", cancelled,
			"error timeout reading: context deadline exceeded",
			"failure 0 timeout reading: context deadline exceeded retry -1")
	})
}

func TestACallbackThatFailsEndsTheStream(t *testing.T) {
	t.Parallel()
	full := errors.New("the disk is full")
	var none []int
	tests := map[string]struct {
		fail func() error
		want string
	}{
		"returns an error": {func() error { return full }, "callback event callback: the disk is full"},
		"panics":           {func() error { _ = none[7]; return nil }, "callback event callback: panic: runtime error: index out of range [7] with length 0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bothWays(t, func(t *testing.T, opts []provider.Option,
				finish func(*provider.Provider, *provider.Call)) {
				var got calls
				var end provider.Completion
				p := provider.New(scripted{stream: stream(textChunk("one"), textChunk("two"),
					lastChunk)}, opts...)
				call, err := p.StartStream(t.Context(), request,
					func(_ *provider.Call, e normalize.Event) error {
						got.event(nil, e)
						if e.Type == normalize.EventTextDelta {
							return test.fail()
						}
						return nil
					}, func(_ *provider.Call, c provider.Completion) { got.done(nil, c); end = c })
				if err != nil {
					t.Fatal(err)
				}
				finish(p, call)
				wantLines(t, &got, "start gemini-2.5-flash", "text_delta one", "error "+test.want,
					"failure 0 "+test.want+" retry -1")
				if _, ok := errors.AsType[*provider.CallbackError](end.Err); !ok ||
					call.Err() != nil {
					t.Errorf("%v, %v", end.Err, call.Err())
				}
			})
		})
	}
}

func TestAFaultOfTheLastCallbackIsInErr(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		var got calls
		full := errors.New("the disk is full")
		// so that no callback runs before the call was asked for its error
		asked := make(chan struct{})
		p := provider.New(scripted{stream: stream(lastChunk)}, opts...)
		call, err := p.StartStream(t.Context(), request,
			func(_ *provider.Call, e normalize.Event) error {
				<-asked
				got.event(nil, e)
				if e.Type == normalize.EventDone {
					return full
				}
				return nil
			}, func(_ *provider.Call, c provider.Completion) {
				got.done(nil, c)
				panic("the completion")
			})
		if err != nil {
			t.Fatal(err)
		}
		if call.Err() != nil {
			t.Error("an error before the end")
		}
		close(asked)
		finish(p, call)
		wantLines(t, &got, "start ", "usage", "finish", "done stop 10/5/0/15",
			`success 200 "" stop retry -1`)
		fault, panicked := errors.AsType[*provider.PanicError](call.Err())
		if !errors.Is(call.Err(), full) || !panicked || fault.Value != "the completion" ||
			strings.Contains(fault.Error(), "completion") {
			t.Errorf("%v", call.Err())
		}
	})
}

func TestACallbackThatEndsItsGoroutineEndsTheCall(t *testing.T) {
	t.Parallel()
	const failed = "failure 0 callback event callback: the goroutine was ended retry -1"
	tests := map[string]struct {
		at   normalize.EventType
		want []string // after the event
	}{
		"at a delta": {normalize.EventTextDelta, []string{"error callback event callback: the goroutine was ended", failed}},
		"at the end": {normalize.EventDone, []string{`success 200 "onetwo" stop retry -1`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bothWays(t, func(t *testing.T, opts []provider.Option,
				_ func(*provider.Provider, *provider.Call)) {
				var got calls
				p := provider.New(scripted{stream: stream(textChunk("one"), textChunk("two"),
					lastChunk)}, opts...)
				call, err := p.StartStream(t.Context(), request,
					func(_ *provider.Call, e normalize.Event) error {
						got.event(nil, e)
						if e.Type == test.at {
							runtime.Goexit()
						}
						return nil
					}, got.done)
				if err != nil {
					t.Fatal(err)
				}
				for p.Running() > 0 { // each Poll on a goroutine that may end
					go p.Poll()
					synctest.Wait()
				}
				<-call.Done()
				lines := got.all()
				if diff := cmp.Diff(test.want, lines[len(lines)-len(test.want):]); diff != "" {
					t.Errorf("%s: %q", diff, lines)
				}
				if isAtEnd := test.at == normalize.EventDone; isAtEnd != (call.Err() != nil) {
					t.Errorf("%v", call.Err())
				}
			})
		})
	}
}

func TestASlowConsumerHoldsTheStreamBack(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		opts []provider.Option
		// chunks read while the program takes no event, including the chunk in its hands
		most int32
	}{
		"on a goroutine of its own": {nil, 1},
		"in Poll":                   {[]provider.Option{provider.WithPolling(), provider.WithBuffer(4)}, 5},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var read atomic.Int32
				p := provider.New(scripted{stream: func(_ context.Context,
					yield func(*geminiapi.GenerateContentResponse, error) bool) {
					for read.Add(1); yield(textChunk("more"), nil); read.Add(1) {
					}
				}}, test.opts...)
				blocked := make(chan struct{})
				call, err := p.StartStream(t.Context(), request,
					func(*provider.Call, normalize.Event) error {
						<-blocked
						return nil
					}, nil)
				if err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if n := read.Load(); n > test.most || n == 0 {
					t.Errorf("%d chunks were read", n)
				}
				call.Cancel()
				close(blocked)
				poll(p, call)
			})
		})
	}
}

func TestSeveralStreamsAtOnceDoNotMix(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		p := provider.New(scripted{stream: stream(textChunk("a"), textChunk("b"), textChunk("c"),
			lastChunk)}, opts...)
		got := make([]calls, 20)
		var running []*provider.Call
		for i := range got {
			call, err := p.StartStream(t.Context(), request, got[i].event, got[i].done)
			if err != nil {
				t.Fatal(err)
			}
			running = append(running, call)
		}
		for i, call := range running {
			finish(p, call)
			wantLines(t, &got[i], "start gemini-2.5-flash", "text_delta a", "text_delta b",
				"text_delta c",
				"usage", "finish", "done stop 10/5/0/15", `success 200 "abc" stop retry -1`)
		}
		if p.Running() != 0 {
			t.Error("a call runs")
		}
	})
}

func TestLeavingALoopOverAStreamEndsIt(t *testing.T) {
	t.Parallel()
	left := false
	p := provider.New(scripted{stream: func(_ context.Context,
		yield func(*geminiapi.GenerateContentResponse, error) bool) {
		left = !yield(textChunk("one"), nil)
	}})
	for range p.Stream(t.Context(), request) {
		break
	}
	if !left {
		t.Error("the client did not get it")
	}
}

func TestGenerateReturnsTheNormalisedAnswer(t *testing.T) {
	t.Parallel()
	p := provider.New(scripted{answer: func(context.Context) (*geminiapi.GenerateContentResponse,
		error) {
		return chunk(`{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}]}`),
			nil
	}}, provider.WithToolCallIDs(func(_ string, candidate, part int) string {
		return fmt.Sprintf(
			"call-%d-%d", candidate, part)
	}))
	out, err := p.Generate(t.Context(), request)
	if err != nil || out.FinishReason() != normalize.FinishToolUse ||
		out.Blocks()[0].ToolCall.ID != "call-0-0" {
		t.Errorf("%+v, %v", out, err)
	}
}
