package toolloop_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/toolloop"
	"github.com/google/go-cmp/cmp"
)

// stubborn returns a tool that ignores its context until end is closed, and then calls do.
func stubborn(end <-chan struct{}, do func() (string, error)) toolloop.Tool {
	return weather(func(context.Context, place) (string, error) {
		<-end
		return do()
	})
}

// lastMoment is the time after a limit in which the loop still waits for a tool that is about to
// return.
const lastMoment = 50 * time.Millisecond

func lateResult() (string, error) { return "too late", nil }

func TestTheRunContinuesWhenAToolDoesNotHeedItsTime(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]func() (string, error){
		"and returns late":            lateResult,
		"and panics late":             func() (string, error) { panic("late") },
		"and ends its goroutine late": func() (string, error) { runtime.Goexit(); return "", nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				end := make(chan struct{})
				begin := time.Now()
				m := answering(call, answer)
				result, err := newLoop(t, m, []toolloop.Tool{stubborn(end, late)},
					toolloop.WithToolTimeout(5*time.Second)).Run(t.Context(), question())
				if err != nil || result.Text() != "It is sunny." ||
					time.Since(begin) != 5*time.Second+lastMoment {
					t.Fatalf("%v after %v", err, time.Since(begin))
				}
				of := result.Steps[0].Calls[0]
				close(end)
				synctest.Wait() // the tool is at its end
				if got := string(of.Response.Response); got != `{"error":"no result within 5s"}` ||
					of.Duration != 5*time.Second+lastMoment {
					t.Errorf("%s after %v", got, of.Duration)
				}
				late, ok := errors.AsType[*toolloop.ToolTimeoutError](of.Err)
				if !ok || !late.Running || !errors.Is(late, context.DeadlineExceeded) {
					t.Errorf("%#v", of.Err)
				}
			})
		})
	}
}

func TestAToolThatHeedsItsTimeIsNotSaidToRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked := errors.New("I was asked to stop")
		tool := weather(func(ctx context.Context, _ place) (string, error) {
			<-ctx.Done()
			time.Sleep(lastMoment / 2) // to close a connection, for example
			return "", asked
		})
		result, err := newLoop(t, answering(call, answer), []toolloop.Tool{tool},
			toolloop.WithToolTimeout(time.Second)).Run(t.Context(), question())
		if err != nil {
			t.Fatal(err)
		}
		late, ok := errors.AsType[*toolloop.ToolTimeoutError](result.Steps[0].Calls[0].Err)
		if !ok || late.Running || !errors.Is(late, asked) {
			t.Errorf("%#v", late)
		}
	})
}

func TestAToolThatDoesNotReturnMakesRoomForTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		defer close(end)
		m := answering(calls("a", "b", "c"), answer)
		begin := time.Now()
		result, err := newLoop(t, m, []toolloop.Tool{stubborn(end, lateResult)},
			toolloop.WithToolTimeout(time.Second), toolloop.WithParallelCalls(1)).Run(t.Context(),
			question())
		if err != nil || time.Since(begin) != 3*(time.Second+lastMoment) ||
			len(result.Contents[2].Parts) != 3 {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
}

// interruption is a way in which a run of endless tools ends after a second.
type interruption struct {
	opts   []toolloop.Option
	ctx    func(context.Context) (context.Context, context.CancelFunc)
	reason error
}

var interruptions = map[string]interruption{
	"by its own limit": {[]toolloop.Option{toolloop.WithTimeout(time.Second)}, context.WithCancel, context.DeadlineExceeded},
	"by a deadline": {nil, func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, time.Second)
	}, context.DeadlineExceeded},
	"by its caller": {nil, func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(time.Second, cancel)
		return ctx, cancel
	}, context.Canceled},
	"by its caller, before the time of the tool": {[]toolloop.Option{toolloop.WithToolTimeout(time.Minute)},
		func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Second, cancel)
			return ctx, cancel
		}, context.Canceled},
}

func TestAnInterruptedRunReturnsAndNamesTheToolsThatStillRun(t *testing.T) {
	t.Parallel()
	quick := toolloop.Func("quick", "",
		func(context.Context, struct{}) (string, error) { return "done", nil })
	heeding := toolloop.Func("heeding", "",
		func(ctx context.Context, _ struct{}) (string, error) {
			<-ctx.Done()
			return "",
				ctx.Err()
		})
	turn := `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"quick"}},{"functionCall":{"name":"get_weather","args":{"city":"a"}}},
		{"functionCall":{"name":"heeding"}},{"functionCall":{"name":"get_weather","args":{"city":"b"}}}]},"finishReason":"STOP"}]}`
	for name, test := range interruptions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := test.ctx(t.Context())
				defer cancel()
				end := make(chan struct{})
				begin := time.Now()
				result, err := newLoop(t, answering(turn, answer),
					[]toolloop.Tool{quick, heeding, stubborn(end, lateResult)},
					test.opts...).Run(ctx, question())
				interrupted, ok := errors.AsType[*toolloop.InterruptedError](err)
				if !ok || !errors.Is(err, test.reason) ||
					time.Since(begin) != time.Second+lastMoment {
					t.Fatalf("%v after %v", err, time.Since(begin))
				}
				if diff := cmp.Diff([]string{"get_weather"}, interrupted.Running); diff != "" ||
					interrupted.Step != 1 {
					t.Error(diff)
				}
				if want := "toolloop: step 1: " + test.reason.Error() +
					`; still running: "get_weather"`; err.Error() != want {
					t.Errorf("%s, want %s", err, want)
				}
				close(end)
				synctest.Wait()
				of := result.Steps[0].Calls
				if string(of[0].Response.Response) != `{"output":"done"}` ||
					of[1].Response != nil || !errors.Is(of[1].Err, test.reason) ||
					len(result.Contents) != 1 {
					t.Errorf("%+v", of)
				}
			})
		})
	}
}

func TestAnInterruptedRunNamesToolsOfEarlierStepsToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		defer close(end)
		other := toolloop.Func("other", "",
			func(context.Context, struct{}) (string, error) { <-end; return "", nil })
		second := strings.Replace(call, "get_weather", "other", 1)
		_, err := newLoop(t, answering(call, second),
			[]toolloop.Tool{stubborn(end, lateResult), other},
			toolloop.WithToolTimeout(time.Second),
			toolloop.WithTimeout(1500*time.Millisecond)).Run(t.Context(), question())
		interrupted, ok := errors.AsType[*toolloop.InterruptedError](err)
		if !ok || interrupted.Step != 2 ||
			!cmp.Equal(interrupted.Running, []string{"get_weather", "other"}) {
			t.Errorf("%v", err)
		}
	})
}

func TestAnInterruptedStreamYieldsWhatHasAResultAndThenTheError(t *testing.T) {
	t.Parallel()
	for name, test := range interruptions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := test.ctx(t.Context())
				defer cancel()
				end := make(chan struct{})
				defer close(end)
				tool := weather(func(_ context.Context, p place) (string, error) {
					if p.City == "stuck" {
						<-end
					}
					return p.City, nil
				})
				begin := time.Now()
				var results []string
				var last error
				for event, err := range newLoop(t, answering(calls("a", "stuck", "b"), answer),
					[]toolloop.Tool{tool}, test.opts...).Stream(ctx, question()) {
					if event.Call != nil {
						results = append(results, string(event.Call.Response.Response))
					}
					last = err
				}
				if !is[*toolloop.InterruptedError](last) ||
					time.Since(begin) != time.Second+lastMoment {
					t.Errorf("%v after %v", last, time.Since(begin))
				}
				if diff := cmp.Diff([]string{`{"output":"a"}`, `{"output":"b"}`},
					results); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestLeavingTheStreamWaitsForToolsWithinTheirTime(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		opt  toolloop.Option
		want time.Duration
	}{
		"of the tool": {toolloop.WithToolTimeout(3 * time.Second), 3 * time.Second},
		"of the run":  {toolloop.WithTimeout(2 * time.Second), 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				end := make(chan struct{})
				defer close(end)
				tool := weather(func(_ context.Context, p place) (string, error) {
					if p.City == "stuck" {
						<-end
					}
					return p.City, nil
				})
				begin := time.Now()
				for event := range newLoop(t, answering(calls("a", "stuck"), answer),
					[]toolloop.Tool{tool}, test.opt).Stream(t.Context(), question()) {
					if event.Call != nil {
						break
					}
				}
				if took := time.Since(begin); took != test.want+lastMoment {
					t.Errorf("%v, want %v", took, test.want+lastMoment)
				}
			})
		})
	}
}

func TestAPanicInTheLoopOverTheEventsStopsTheTools(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stopped := false
		tool := weather(func(ctx context.Context, p place) (string, error) {
			if p.City == "slow" {
				<-ctx.Done()
				stopped = true
			}
			return p.City, nil
		})
		defer func() {
			if recover() != "mine" || !stopped {
				t.Errorf("the tool was stopped: %v", stopped)
			}
		}()
		for event := range newLoop(t, answering(calls("quick", "slow"), answer),
			[]toolloop.Tool{tool}).Stream(t.Context(), question()) {
			if event.Call != nil {
				panic("mine")
			}
		}
	})
}
