package gemini_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// panicking is a body that returns nothing until it is closed, and then panics.
type panicking struct{ closed chan struct{} }

func (p *panicking) Read([]byte) (int, error) {
	<-p.closed
	return 0, errors.New("closed")
}

func (p *panicking) Close() error {
	close(p.closed)
	panic("a body of the caller's")
}

func TestAPanicOfALimitedBodyEndsTheCallOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := newClient(t, gemini.WithMaxAttempts(1), gemini.WithAttemptTimeout(time.Second),
			gemini.WithHTTPClient(gemini.DoerFunc(
				func(*http.Request) (*http.Response, error) {
					reply := httpReply(200, "application/json", "")
					reply.Body = &panicking{make(chan struct{})}
					return reply, nil
				})))
		_, err := client.GenerateContent(t.Context(), prompt("m"))
		limit, ok := errors.AsType[*gemini.TimeoutError](err)
		if !ok || limit.Limit != "attempt" {
			t.Errorf("%v", err)
		}
	})
}

func TestAPanicOfMiddlewareReachesTheCallerAndLeaksNothing(t *testing.T) {
	t.Parallel()
	var sent context.Context
	client := newClient(t, gemini.WithMiddleware(func(gemini.Doer) gemini.Doer {
		return gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
			sent = r.Context()
			panic("a middleware of the caller's")
		})
	}))
	defer func() {
		if value := recover(); value != "a middleware of the caller's" {
			t.Errorf("recovered %v", value)
		}
		if sent == nil || sent.Err() == nil {
			t.Error("the request has not ended")
		}
	}()
	_, _ = client.GenerateContent(t.Context(), prompt("m"))
}

func TestAPanicIsTheEndOfACallForObserversToo(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(*gemini.Client){
		"whole": func(c *gemini.Client) { _, _ = c.GenerateContent(t.Context(), prompt("m")) },
		"stream": func(c *gemini.Client) {
			for range c.StreamGenerateContent(t.Context(), prompt("m")) {
				t.Error("a chunk")
			}
		},
		"files": func(c *gemini.Client) { _, _ = c.Files.Get(t.Context(), "files/f") },
	} {
		watching := &recorder{}
		client := newClient(t, gemini.WithObserver(watching), gemini.WithHTTPClient(gemini.DoerFunc(
			func(*http.Request) (*http.Response, error) { panic("a Doer of the caller's") })))
		func() {
			defer func() { _ = recover() }()
			call(client)
		}()
		end, ok := watching.told[len(watching.told)-1].(gemini.CallResult)
		if !ok || end.Err == nil || end.Attempts != 1 || len(watching.told) != 2 {
			t.Errorf("%s: got %+v", name, watching.told)
		}
	}
}
