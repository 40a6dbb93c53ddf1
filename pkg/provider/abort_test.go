package provider_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/provider"
)

// saboteur is an observer that runs a function of the test in one of its methods.
type saboteur struct {
	at string
	do func()
}

func (s saboteur) act(at string) {
	if s.at == at {
		s.do()
	}
}

func (s saboteur) Begin(ctx context.Context, _ gemini.CallInfo) (context.Context,
	gemini.Observation) {
	s.act("Begin")
	return ctx, s
}

func (s saboteur) Attempt(gemini.AttemptInfo) { s.act("Attempt") }
func (s saboteur) Chunk(gemini.ChunkInfo)     { s.act("Chunk") }
func (s saboteur) End(gemini.CallResult)      { s.act("End") }

// tokens is a token source that runs a function of the test.
type tokens func()

func (f tokens) Token(context.Context) (string, error) { f(); return "t", nil }

// brokenBody runs a function of the test when it is read.
type brokenBody func()

func (f brokenBody) Read([]byte) (int, error) { f(); return 0, io.EOF }
func (f brokenBody) Close() error             { return nil }

// nilError is an error whose Error method panics for a nil pointer.
type nilError struct{ text string }

func (e *nilError) Error() string { return e.text }

// The server's answer is a call without an id, whole or as a stream.
func callServer(request *http.Request) (*http.Response, error) {
	body := `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}}}]},"finishReason":"STOP"}]}`
	if strings.Contains(request.URL.RawQuery, "alt=sse") {
		body = sse(body)
	}
	return reply{status: 200, body: body}.Do(request)
}

// placement has options that make the client or the provider call a function of the program.
type placement struct {
	client   []gemini.ClientOption
	provider []provider.Option
}

// placements lists all functions of the program that a background call runs.
func placements(do func()) map[string]placement {
	client := func(opts ...gemini.ClientOption) placement { return placement{client: opts} }
	observer := func(at string) placement { return client(gemini.WithObserver(saboteur{at, do})) }
	return map[string]placement{
		"middleware": client(gemini.WithMiddleware(func(next gemini.Doer) gemini.Doer {
			return gemini.DoerFunc(func(r *http.Request) (*http.Response,
				error) {
				do()
				return next.Do(r)
			})
		})),
		"middleware, when it is set up": client(
			gemini.WithMiddleware(func(next gemini.Doer) gemini.Doer { do(); return next })),
		"middleware, in its body": client(gemini.WithMiddleware(func(gemini.Doer) gemini.Doer {
			return gemini.DoerFunc(func(r *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Header: http.Header{}, Body: brokenBody(do),
					Request: r}, nil
			})
		})),
		"the HTTP client": client(
			gemini.WithHTTPClient(gemini.DoerFunc(func(*http.Request) (*http.Response,
				error) {
				do()
				return nil, io.EOF
			}))),
		"Begin of an observer":   observer("Begin"),
		"Attempt of an observer": observer("Attempt"),
		"End of an observer":     observer("End"),
		"a token source":         client(gemini.WithTokenSource(tokens(do))),
		"the ids of calls":       {provider: []provider.Option{provider.WithToolCallIDs(func(string, int, int) string { do(); return "" })}},
	}
}

func TestAPanicOfTheProgramInACallIsItsCompletion(t *testing.T) {
	t.Parallel()
	var none []int
	for what, test := range map[string]struct {
		do   func()
		want string
	}{
		"panics":               {func() { _ = none[7] }, "the call was aborted: panic: runtime error: index out of range [7] with length 0"},
		"panics with a secret": {func() { panic("the key is k") }, "the call was aborted: panic with a value of type string"},
		"ends its goroutine":   {runtime.Goexit, "the call was aborted: the goroutine was ended"},
	} {
		for place, options := range placements(test.do) {
			t.Run(place+" "+what, func(t *testing.T) {
				t.Parallel()
				bothWays(t,
					func(t *testing.T, opts []provider.Option,
						finish func(*provider.Provider, *provider.Call)) {
						client, err := gemini.NewClient(slices.Concat([]gemini.ClientOption{
							gemini.WithHTTPClient(gemini.DoerFunc(callServer)),
							gemini.WithMaxAttempts(1),
							gemini.WithBaseURL("https://api.test.example"), gemini.WithAPIKey("k"),
						}, options.client)...)
						if err != nil {
							t.Fatal(err)
						}
						p := provider.New(client, slices.Concat(opts, options.provider)...)
						var requested, streamed calls
						var ends []provider.Completion
						keep := func(got *calls) func(*provider.Call, provider.Completion) {
							return func(call *provider.Call,
								c provider.Completion) {
								got.done(call, c)
								ends = append(ends, c)
							}
						}
						call, err := p.StartRequest(t.Context(), request, keep(&requested))
						if err != nil {
							t.Fatal(err)
						}
						finish(p, call)
						if call, err = p.StartStream(t.Context(), request, streamed.event,
							keep(&streamed)); err != nil {
							t.Fatal(err)
						}
						finish(p, call)
						checkOrder(t, place, streamed.all(), false)
						if len(ends) != 2 || len(requested.all()) != 1 || p.Running() != 0 ||
							call.Err() != nil {
							t.Fatalf("%q, %q, %d, %v", requested.all(), streamed.all(), p.Running(),
								call.Err())
						}
						for _, end := range ends {
							_, isAborted := errors.AsType[*provider.AbortedError](end.Err)
							if end.Success || end.Category != provider.CategoryCallback ||
								end.Message != test.want || !isAborted || end.Response != nil {
								t.Errorf("%+v", end)
							}
							if strings.Contains(fmt.Sprintf("%v %+v", end.Err, end.Message),
								"the key is k") {
								t.Error("the completion quotes what the function panicked with")
							}
						}
					})
			})
		}
	}
}

func TestAPanicAfterTheFirstChunkEndsTheStreamOnce(t *testing.T) {
	t.Parallel()
	for _, do := range []func(){func() { panic("x") }, runtime.Goexit} {
		bothWays(t, func(t *testing.T, opts []provider.Option,
			finish func(*provider.Provider, *provider.Call)) {
			var got calls
			p := provider.New(scripted{stream: func(_ context.Context,
				yield func(*geminiapi.GenerateContentResponse, error) bool) {
				yield(textChunk("one"), nil)
				do()
			}}, opts...)
			call, err := p.StartStream(t.Context(), request, got.event, got.done)
			if err != nil {
				t.Fatal(err)
			}
			finish(p, call)
			checkOrder(t, "", got.all(), false)
			if lines := got.all(); len(lines) != 4 ||
				!strings.HasPrefix(lines[3], "failure 0 callback the call was aborted: ") {
				t.Errorf("%q", lines)
			}
		})
	}
}

func TestAPanicOfACancelledCallIsInErr(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		var got calls
		p := provider.New(scripted{answer: func(ctx context.Context) (*geminiapi.GenerateContentResponse,
			error) {
			<-ctx.Done()
			panic("x")
		}}, opts...)
		call, err := p.StartRequest(t.Context(), request, got.done)
		if err != nil {
			t.Fatal(err)
		}
		call.Cancel()
		finish(p, call)
		wantLines(t, &got, cancelled)
		if _, ok := errors.AsType[*provider.AbortedError](call.Err()); !ok {
			t.Errorf("%v", call.Err())
		}
	})
}

func TestAnErrorWithoutATextIsACompletion(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, opts []provider.Option,
		finish func(*provider.Provider, *provider.Call)) {
		p := provider.New(scripted{
			answer: func(context.Context) (*geminiapi.GenerateContentResponse,
				error) {
				return nil, (*nilError)(nil)
			},
			stream: stream(textChunk("one"), lastChunk),
		}, opts...)
		var requested, streamed calls
		call, err := p.StartRequest(t.Context(), request, requested.done)
		if err != nil {
			t.Fatal(err)
		}
		finish(p, call)
		call, err = p.StartStream(t.Context(), request,
			func(*provider.Call, normalize.Event) error { return (*nilError)(nil) }, streamed.done)
		if err != nil {
			t.Fatal(err)
		}
		finish(p, call)
		for _, line := range append(requested.all(), streamed.all()...) {
			if !strings.HasPrefix(line, "failure 0 callback ") {
				t.Error(line)
			}
		}
	})
}

// A function that runs on its caller's goroutine does not recover panics.
func TestAPanicInGenerateIsTheCallers(t *testing.T) {
	t.Parallel()
	p := provider.New(scripted{answer: func(context.Context) (*geminiapi.GenerateContentResponse,
		error) {
		panic("mine")
	}})
	defer func() {
		if recover() != "mine" {
			t.Error("the panic was taken away")
		}
	}()
	_, _ = p.Generate(t.Context(), request)
}

func TestAClientWithoutAStreamIsACompletion(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var got calls
		call, err := provider.New(streamless{}).StartStream(t.Context(), request, got.event,
			got.done)
		if err != nil {
			t.Fatal(err)
		}
		<-call.Done()
		checkOrder(t, "", got.all(), false)
	})
}

// streamless is a client that returns a nil iterator.
type streamless struct{ scripted }

func (streamless) StreamGenerateContent(context.Context, *geminiapi.GenerateContentRequest,
	...gemini.CallOption) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return nil
}
