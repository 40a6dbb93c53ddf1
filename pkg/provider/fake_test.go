package provider_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/provider"
)

// withFake runs a test in a bubble, with a provider over the real client and the fake server.
func withFake(t *testing.T, opts []gemini.ClientOption, blocks []geminitest.Block,
	test func(t *testing.T, p *provider.Provider)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(blocks...)))
		test(t, provider.New(server.Client(append(opts, gemini.WithMaxAttempts(1))...)))
	})
}

var said = &geminiapi.GenerateContentRequest{Model: new("gemini-2.5-flash"),
	Contents: []geminiapi.Content{gemini.UserText("Hi")}}

func TestFaultsOfAServerEndAStreamOnce(t *testing.T) {
	t.Parallel()
	idle := []gemini.ClientOption{gemini.WithStreamIdleTimeout(time.Second)}
	tests := map[string]struct {
		opts   []gemini.ClientOption
		blocks []geminitest.Block
		want   string // how the last event begins
		status string
	}{
		"a refused key":           {nil, []geminitest.Block{geminitest.InvalidKey()}, "error auth 400: API key not valid", "400"},
		"no credentials":          {nil, []geminitest.Block{geminitest.Unauthenticated()}, "error auth 401: ", "401"},
		"an exhausted quota":      {nil, []geminitest.Block{geminitest.RateLimited(3 * time.Second)}, "error rate_limit 429: ", "429"},
		"a failure of the server": {nil, []geminitest.Block{geminitest.InternalError()}, "error server 500: ", "500"},
		"an error in the stream":  {nil, []geminitest.Block{geminitest.Text("Hel"), geminitest.Error(503, "UNAVAILABLE", "overloaded")}, "error server overloaded", "200"},
		"a stall":                 {idle, []geminitest.Block{geminitest.Text("Hel"), geminitest.Stall()}, "error timeout ", "200"},
		"a cut":                   {nil, []geminitest.Block{geminitest.Text("Hel"), geminitest.Cut()}, "error network ", "200"},
		"an end too early":        {nil, []geminitest.Block{geminitest.Text("Hel"), geminitest.Truncate()}, "error network ", "200"},
		"a page":                  {nil, []geminitest.Block{geminitest.HTMLPage(502)}, "error server HTTP 502", "502"},
		"a page with 200":         {nil, []geminitest.Block{geminitest.HTMLPage(200)}, "error ", "200"},
		"nothing":                 {nil, []geminitest.Block{geminitest.EmptyBody(200)}, "error network ", "200"},
		"a redirect":              {nil, []geminitest.Block{geminitest.Redirect("https://other.example/")}, "error unknown HTTP 302", "302"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			withFake(t, test.opts, test.blocks, func(t *testing.T, p *provider.Provider) {
				var got calls
				call, err := p.StartStream(t.Context(), said, got.event, got.done)
				if err != nil {
					t.Fatal(err)
				}
				<-call.Done()
				lines := got.all()
				end, completion := lines[len(lines)-2], lines[len(lines)-1]
				errs := slices.DeleteFunc(slices.Clone(lines),
					func(line string) bool { return !strings.HasPrefix(line, "error ") })
				if !strings.HasPrefix(end, test.want) || len(errs) != 1 {
					t.Errorf("%q", lines)
				}
				if !strings.HasPrefix(completion,
					"failure "+test.status+strings.TrimPrefix(end, "error")) {
					t.Errorf("%q", completion)
				}
			})
		})
	}
}

func TestTheCompletionHasTheWaitOfTheServer(t *testing.T) {
	t.Parallel()
	withFake(t, nil, []geminitest.Block{geminitest.RateLimited(3500 * time.Millisecond)},
		func(t *testing.T, p *provider.Provider) {
			call, err := p.StartRequest(t.Context(), said,
				func(_ *provider.Call, c provider.Completion) {
					if c.RetryAfterMS != 3500 {
						t.Errorf("%+v", c)
					}
				})
			if err != nil {
				t.Fatal(err)
			}
			<-call.Done()
		})
}

func TestCancelEndsACallThatWaitsForTheServer(t *testing.T) {
	t.Parallel()
	withFake(t, nil, []geminitest.Block{geminitest.Text("Hel"), geminitest.Stall()},
		func(t *testing.T, p *provider.Provider) {
			var got calls
			call, err := p.StartStream(t.Context(), said, got.event, got.done)
			if err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			begin := time.Now()
			p.Cancel()
			<-call.Done()
			if time.Since(begin) != 0 {
				t.Errorf("it took %v", time.Since(begin))
			}
			wantLines(t, &got, "start gemini-2.5-flash", "text_delta Hel", "usage",
				"error cancelled cancelled", "failure 200 cancelled cancelled retry -1")
		})
}

// The client's own limit on a silent stream must not count the time that a callback takes.
func TestASlowCallbackIsNoSilentServer(t *testing.T) {
	t.Parallel()
	withFake(t, []gemini.ClientOption{gemini.WithStreamIdleTimeout(time.Second)},
		[]geminitest.Block{geminitest.Text("a", "b", "c")},
		func(t *testing.T, p *provider.Provider) {
			var end provider.Completion
			call, err := p.StartStream(t.Context(), said,
				func(*provider.Call, normalize.Event) error {
					time.Sleep(time.Minute)
					return nil
				}, func(_ *provider.Call, c provider.Completion) { end = c })
			if err != nil {
				t.Fatal(err)
			}
			<-call.Done()
			if !end.Success || end.Response.Text() != "abc" {
				t.Errorf("%+v", end)
			}
		})
}

func TestTheContextOfGenerateAndStreamIsACategory(t *testing.T) {
	t.Parallel()
	withFake(t, nil, []geminitest.Block{geminitest.Stall()},
		func(t *testing.T, p *provider.Provider) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, err := p.Generate(ctx,
				said); normalize.FromError(err).Category != normalize.CategoryTimeout {
				t.Error(err)
			}
			ctx, cancel = context.WithCancel(t.Context())
			cancel()
			for event := range p.Stream(ctx, said) {
				if event.Type != normalize.EventError ||
					event.Error.Category != provider.CategoryCancelled {
					t.Errorf("%+v", event)
				}
			}
		})
}
