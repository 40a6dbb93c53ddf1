package gemini_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/wire"
	"github.com/google/go-cmp/cmp"
)

// schedule is a Doer that answers with replies in turn and repeats the last one. It records the
// time and the key of each request.
type schedule struct {
	began   time.Time
	replies []func(*http.Request) (*http.Response, error)
	at      []time.Duration
	keys    []string
}

func newSchedule(replies ...func(*http.Request) (*http.Response, error)) *schedule {
	return &schedule{began: time.Now(), replies: replies}
}

func (s *schedule) Do(r *http.Request) (*http.Response, error) {
	s.at = append(s.at, time.Since(s.began))
	s.keys = append(s.keys, r.Header.Get("X-Goog-Api-Key"))
	return s.replies[min(len(s.at), len(s.replies))-1](r)
}

// almostOne makes full jitter return its longest waits.
func almostOne() float64 { return 1 }

func TestWaitsBetweenAttempts(t *testing.T) {
	t.Parallel()
	asks := func(wait string) func(*http.Request) (*http.Response, error) {
		return apiError(429, "RESOURCE_EXHAUSTED", fmt.Sprintf(retryInfo, wait))
	}
	withHeader := func(r *http.Request) (*http.Response, error) {
		out := httpReply(503, "", "")
		out.Header.Set("Retry-After", "9")
		return out, nil
	}
	const s = time.Second
	for name, tt := range map[string]struct {
		reply func(*http.Request) (*http.Response, error)
		opts  []gemini.ClientOption
		want  []time.Duration
	}{
		"doubles by default":                            {apiError(503, "UNAVAILABLE", ""), nil, []time.Duration{0, s, 3 * s}},
		"grows up to its cap":                           {apiError(503, "UNAVAILABLE", ""), []gemini.ClientOption{gemini.WithMaxAttempts(5), gemini.WithBackoff(2*s, 5*s)}, []time.Duration{0, 2 * s, 6 * s, 11 * s, 16 * s}},
		"is random from nothing":                        {apiError(503, "UNAVAILABLE", ""), []gemini.ClientOption{gemini.WithRandom(func() float64 { return 0 })}, []time.Duration{0, 0, 0}},
		"is the wait that the server asks for":          {asks("2.25s"), nil, []time.Duration{0, 2250 * time.Millisecond, 4500 * time.Millisecond}},
		"is the wait that the header asks for":          {withHeader, nil, []time.Duration{0, 9 * s, 18 * s}},
		"does not happen when the server asks for long": {asks("61s"), nil, []time.Duration{0}},
		"has a limit for the server":                    {asks("61s"), []gemini.ClientOption{gemini.WithMaxServerWait(62 * s)}, []time.Duration{0, 61 * s, 122 * s}},
		"does not happen with one attempt":              {apiError(503, "UNAVAILABLE", ""), []gemini.ClientOption{gemini.WithMaxAttempts(1)}, []time.Duration{0}},
		"does not happen after the overall timeout":     {apiError(503, "UNAVAILABLE", ""), []gemini.ClientOption{gemini.WithTimeout(2 * s)}, []time.Duration{0, s}},
		"does not happen when the budget is spent":      {apiError(503, "UNAVAILABLE", ""), []gemini.ClientOption{gemini.WithRetryBudget(1, 0.1)}, []time.Duration{0, s}},
		"is without a budget as often as attempts":      {apiError(503, "UNAVAILABLE", ""), []gemini.ClientOption{gemini.WithRetryBudget(0, 0)}, []time.Duration{0, s, 3 * s}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := newSchedule(tt.reply)
				client := newClient(t,
					append([]gemini.ClientOption{gemini.WithHTTPClient(server),
						gemini.WithRandom(almostOne)}, tt.opts...)...)
				_, err := client.GenerateContent(t.Context(), prompt("m"))
				if _, ok := errors.AsType[*gemini.Error](err); !ok {
					t.Error(err)
				}
				if diff := cmp.Diff(tt.want, server.at); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestTheBudgetIsThatOfAllCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bad, good := apiError(503, "UNAVAILABLE", ""), body(200, "application/json", answer)
		server := newSchedule(bad)
		client := newClient(t, gemini.WithHTTPClient(server), gemini.WithRetryBudget(3, 0.5))
		call := func() int {
			before := len(server.at)
			_, _ = client.GenerateContent(t.Context(), prompt("m"))
			return len(server.at) - before
		}
		got := []int{call(), call(), call()} // two retries, one, none
		server.replies = append(slices.Repeat([]func(*http.Request) (*http.Response, error){bad},
			len(server.at)), good)
		got = append(got, call(), call())
		server.replies = []func(*http.Request) (*http.Response, error){bad}
		got = append(got, call(), call()) // one that two successes have earned
		if diff := cmp.Diff([]int{3, 2, 1, 1, 1, 2, 1}, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestAStreamIsTriedAgainBeforeItsFirstChunkOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cut := body(200, "text/event-stream", firstEvent)
		server := newSchedule(apiError(503, "UNAVAILABLE", ""), body(200, "text/event-stream", ""),
			cut)
		client := newClient(t, gemini.WithHTTPClient(server))
		chunks, failures := 0, 0
		for chunk, err := range client.StreamGenerateContent(t.Context(), prompt("m")) {
			switch {
			case chunk != nil:
				chunks++
			case errors.Is(err, wire.ErrTruncated):
				failures++
			}
		}
		if chunks != 1 || failures != 1 || len(server.at) != 3 {
			t.Errorf("%d chunks, %d failures, %d attempts", chunks, failures, len(server.at))
		}
	})
}

func TestACallThatIsCancelledInAWaitReturnsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(500*time.Millisecond, cancel)
		server := newSchedule(apiError(429, "RESOURCE_EXHAUSTED", fmt.Sprintf(retryInfo, "20s")))
		began := time.Now()
		_, err := newClient(t, gemini.WithHTTPClient(server)).GenerateContent(ctx, prompt("m"))
		if !errors.Is(err, context.Canceled) || !errors.Is(err, &gemini.Error{HTTPStatus: 429}) ||
			time.Since(began) != 500*time.Millisecond {
			t.Error(time.Since(began), err)
		}
	})
}

func TestACauseOfItsOwnDoesNotHideWhyACallEnded(t *testing.T) {
	t.Parallel()
	why := errors.New("the window was closed")
	hangs := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	replies := map[string]func(*http.Request) (*http.Response, error){
		"on its way": hangs,
		"in a wait":  apiError(429, "RESOURCE_EXHAUSTED", fmt.Sprintf(retryInfo, "20s")),
	}
	for name, reply := range replies {
		synctest.Test(t, func(t *testing.T) {
			client := newClient(t, gemini.WithHTTPClient(gemini.DoerFunc(reply)))
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { cancel(why) })
			if _, err := client.GenerateContent(ctx, prompt("m")); !errors.Is(err,
				context.Canceled) || !errors.Is(err, why) {
				t.Errorf("cancelled %s: %v", name, err)
			}
			late, stop := context.WithTimeoutCause(t.Context(), time.Second, why)
			defer stop()
			_, err := client.GenerateContent(late, prompt("m"))
			if name == "on its way" &&
				(!errors.Is(err, why) || !errors.Is(err, context.DeadlineExceeded) ||
					gemini.CategoryOf(err) != gemini.CategoryTimeout) {
				t.Errorf("late %s: %v", name, err)
			}
		})
	}
}

func TestTheOverallTimeoutIsNamed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := newSchedule(func(r *http.Request) (*http.Response,
			error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		for _, tt := range []struct{ opt, more gemini.ClientOption }{
			{gemini.WithTimeout(3 * time.Second), gemini.WithMaxAttempts(3)},
			{gemini.WithAttemptTimeout(3 * time.Second), gemini.WithMaxAttempts(1)},
		} {
			_, err := newClient(t, gemini.WithHTTPClient(server), tt.opt,
				tt.more).GenerateContent(t.Context(), prompt("m"))
			limit, ok := errors.AsType[*gemini.TimeoutError](err)
			if !ok || limit.After != 3*time.Second || !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		}
	})
}

func TestAnIdleStreamMayBeSlowToBeRead(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := newSchedule(body(200, "text/event-stream", firstEvent+"data: "+answer+"\r\n\r\n"))
		client := newClient(t, gemini.WithHTTPClient(server),
			gemini.WithStreamIdleTimeout(time.Second), gemini.WithAttemptTimeout(time.Second))
		for _, err := range client.StreamGenerateContent(t.Context(), prompt("m")) {
			if err != nil {
				t.Error(err)
			}
			time.Sleep(time.Hour)
		}
	})
}

func TestKeysRotate(t *testing.T) {
	t.Parallel()
	good := body(200, "application/json", answer)
	const s = time.Second
	for name, tt := range map[string]struct {
		replies []func(*http.Request) (*http.Response, error)
		calls   int
		keys    string
		at      []time.Duration
	}{
		"a good key stays":                  {[]func(*http.Request) (*http.Response, error){good}, 2, "aa", []time.Duration{0, 0}},
		"the next at once after 429":        {[]func(*http.Request) (*http.Response, error){apiError(429, "RESOURCE_EXHAUSTED", ""), good}, 2, "abb", []time.Duration{0, 0, 0}},
		"the next after a blocked key":      {[]func(*http.Request) (*http.Response, error){apiError(403, "PERMISSION_DENIED", blockedKey), good}, 1, "ab", []time.Duration{0, 0}},
		"the same after a missing resource": {[]func(*http.Request) (*http.Response, error){apiError(403, "PERMISSION_DENIED", ""), good}, 2, "aa", []time.Duration{0, 0}},
		"the next for a bad key":            {[]func(*http.Request) (*http.Response, error){apiError(400, "INVALID_ARGUMENT", badKey), good}, 1, "ab", []time.Duration{0, 0}},
		"the next for a day's quota":        {[]func(*http.Request) (*http.Response, error){apiError(429, "RESOURCE_EXHAUSTED", quota), good}, 1, "ab", []time.Duration{0, 0}},
		"the same after 503":                {[]func(*http.Request) (*http.Response, error){apiError(503, "UNAVAILABLE", ""), good}, 1, "aa", []time.Duration{0, s}},
		"all refused":                       {[]func(*http.Request) (*http.Response, error){apiError(401, "UNAUTHENTICATED", "")}, 1, "abc", []time.Duration{0, 0, 0}},
		"all exhausted, then by the attempts": {[]func(*http.Request) (*http.Response,
			error){apiError(429, "RESOURCE_EXHAUSTED", fmt.Sprintf(retryInfo, "2s"))}, 1,
			"abccc", []time.Duration{0, 0, 0, 2 * s, 4 * s}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := newSchedule(tt.replies...)
				client := newClient(t, gemini.WithAPIKeys("a", "b", "c"),
					gemini.WithHTTPClient(server), gemini.WithRandom(almostOne))
				for range tt.calls {
					_, _ = client.GenerateContent(t.Context(), prompt("m"))
				}
				if got := strings.Join(server.keys, ""); got != tt.keys {
					t.Errorf("the keys are %s, want %s", got, tt.keys)
				}
				if diff := cmp.Diff(tt.at, server.at); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

// The call waits for a rate-limited key, for any errors of the others.
func TestACallWaitsForTheKeyWhosePauseEndsFirst(t *testing.T) {
	t.Parallel()
	asks := func(wait string) func(*http.Request) (*http.Response, error) {
		return apiError(429, "RESOURCE_EXHAUSTED", fmt.Sprintf(retryInfo, wait))
	}
	refused, daily := apiError(401, "UNAUTHENTICATED", ""),
		apiError(429, "RESOURCE_EXHAUSTED", quota)
	good := body(200, "application/json", answer)
	const s = time.Second
	for name, tt := range map[string]struct {
		replies []func(*http.Request) (*http.Response, error)
		keys    string
		at      []time.Duration
	}{
		"the other is refused":           {[]func(*http.Request) (*http.Response, error){asks("2s"), refused, good}, "aba", []time.Duration{0, 0, 2 * s}},
		"the first is refused":           {[]func(*http.Request) (*http.Response, error){refused, asks("2s"), good}, "abb", []time.Duration{0, 0, 2 * s}},
		"the other has its day's quota":  {[]func(*http.Request) (*http.Response, error){asks("2s"), daily, good}, "aba", []time.Duration{0, 0, 2 * s}},
		"the other asks for longer":      {[]func(*http.Request) (*http.Response, error){asks("2s"), asks("9s"), good}, "aba", []time.Duration{0, 0, 2 * s}},
		"the other asks for too long":    {[]func(*http.Request) (*http.Response, error){asks("2s"), asks("90s"), good}, "aba", []time.Duration{0, 0, 2 * s}},
		"the other asks for less":        {[]func(*http.Request) (*http.Response, error){asks("9s"), asks("2s"), good}, "abb", []time.Duration{0, 0, 2 * s}},
		"each wait is of its own":        {[]func(*http.Request) (*http.Response, error){asks("2s"), refused, asks("5s"), good}, "abaa", []time.Duration{0, 0, 2 * s, 7 * s}},
		"no key was used too often":      {[]func(*http.Request) (*http.Response, error){refused, daily, good}, "ab", []time.Duration{0, 0}},
		"all ask for longer than may be": {[]func(*http.Request) (*http.Response, error){asks("80s"), asks("90s"), good}, "ab", []time.Duration{0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				server := newSchedule(tt.replies...)
				client := newClient(t, gemini.WithAPIKeys("a", "b"), gemini.WithHTTPClient(server),
					gemini.WithRandom(almostOne))
				_, err := client.GenerateContent(t.Context(), prompt("m"))
				if isGood := len(server.at) == len(tt.replies); isGood != (err == nil) {
					t.Error(err)
				}
				if got := strings.Join(server.keys, ""); got != tt.keys {
					t.Errorf("the keys are %s, want %s", got, tt.keys)
				}
				if diff := cmp.Diff(tt.at, server.at); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestAPausedKeyIsUsedAgainAfterItsPause(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		exhausted, good := apiError(429, "RESOURCE_EXHAUSTED", fmt.Sprintf(retryInfo, "30s")),
			body(200, "application/json", answer)
		server := newSchedule(exhausted, good, good, exhausted, good)
		client := newClient(t, gemini.WithAPIKeys("a", "b"), gemini.WithHTTPClient(server))
		for range 3 {
			if _, err := client.GenerateContent(t.Context(), prompt("m")); err != nil {
				t.Fatal(err)
			}
			time.Sleep(31 * time.Second)
		}
		if got := strings.Join(server.keys, ""); got != "abbba" {
			t.Error(got)
		}
	})
}
