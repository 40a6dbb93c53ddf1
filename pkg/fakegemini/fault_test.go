package fakegemini_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/geminitest"
)

// outcome is the client's view of an answer.
type outcome struct {
	reply *http.Response
	body  string
	err   error // of reading the body, or of the request when there is no reply
	took  time.Duration
}

// stalled is for a client that gave up.
func (o outcome) stalled() bool { return errors.Is(o.err, context.DeadlineExceeded) }

func (o outcome) String() string {
	status := "no reply"
	if o.reply != nil {
		status = o.reply.Status
	}
	return fmt.Sprintf("%s, %q, %v, after %v", status, o.body, o.err, o.took)
}

// fetch sends a request in one of a server's two ways, with a client that waits at most for
// patience.
func fetch(client *http.Client, base, path, body string, patience time.Duration) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	start := time.Now()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+path, strings.NewReader(body))
	if err != nil {
		return outcome{err: err}
	}
	r.Header.Set("X-Goog-Api-Key", "secret")
	reply, err := client.Do(r)
	if err != nil {
		return outcome{err: err, took: time.Since(start)}
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	return outcome{reply, string(text), err, time.Since(start)}
}

// faultTest is one fault, with its effect on a whole answer and on a stream.
type faultTest struct {
	blocks        []geminitest.Block
	whole, stream func(o outcome) bool
}

func status(want int, parts ...string) func(outcome) bool {
	return func(o outcome) bool {
		if o.err != nil || o.reply.StatusCode != want {
			return false
		}
		for _, part := range parts {
			if !strings.Contains(o.body, part) {
				return false
			}
		}
		return true
	}
}

// apiError expects an error of the API with a status, a canonical code and details.
func apiError(httpStatus int, canonical geminiapi.ErrorStatus,
	holds func(*gemini.Error) bool) func(outcome) bool {
	return func(o outcome) bool {
		if o.err != nil {
			return false
		}
		e := gemini.DecodeError(o.reply.StatusCode, o.reply.Header, []byte(o.body))
		return e.HTTPStatus == httpStatus && e.Status == canonical && e.Message != "" &&
			(holds == nil || holds(e))
	}
}

// broken expects a body that ends in an error after a text.
func broken(prefix string) func(outcome) bool {
	return func(o outcome) bool {
		return o.reply != nil && o.err != nil && !o.stalled() && strings.HasPrefix(o.body, prefix)
	}
}

const firstEvent = "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"Hel\"}]"

func faultTests() map[string]faultTest {
	text := geminitest.Text("Hel", "lo")
	tests := map[string]faultTest{
		"a rate limit": {
			blocks: []geminitest.Block{geminitest.RateLimited(34074 * time.Millisecond)},
			whole: apiError(429, geminiapi.ErrorStatusResourceExhausted,
				func(e *gemini.Error) bool {
					return e.RetryAfter == 34074*time.Millisecond &&
						strings.Contains(e.QuotaIDs()[0], "PerMinute") && e.Detail("Help") != nil
				}),
		},
		"a daily quota": {
			blocks: []geminitest.Block{geminitest.DailyQuota(0)},
			whole: apiError(429, geminiapi.ErrorStatusResourceExhausted,
				func(e *gemini.Error) bool {
					return e.RetryAfter == 0 && strings.Contains(e.QuotaIDs()[0], "PerDay")
				}),
		},
		"an internal error":   {blocks: []geminitest.Block{geminitest.InternalError()}, whole: apiError(500, geminiapi.ErrorStatusInternal, nil)},
		"an overloaded model": {blocks: []geminitest.Block{geminitest.Unavailable()}, whole: apiError(503, geminiapi.ErrorStatusUnavailable, nil)},
		"a missed deadline":   {blocks: []geminitest.Block{geminitest.DeadlineExceeded()}, whole: apiError(504, geminiapi.ErrorStatusDeadlineExceeded, nil)},
		"no credentials":      {blocks: []geminitest.Block{geminitest.Unauthenticated()}, whole: apiError(401, geminiapi.ErrorStatusUnauthenticated, nil)},
		"no permission":       {blocks: []geminitest.Block{geminitest.PermissionDenied()}, whole: apiError(403, geminiapi.ErrorStatusPermissionDenied, nil)},
		"a wrong key": {
			blocks: []geminitest.Block{geminitest.InvalidKey()},
			whole: apiError(400, geminiapi.ErrorStatusInvalidArgument, func(e *gemini.Error) bool {
				return e.Reason() == "API_KEY_INVALID"
			}),
		},
		"something that is not there": {blocks: []geminitest.Block{geminitest.NotFound()}, whole: apiError(404, geminiapi.ErrorStatusNotFound, nil)},
		"an error of one's own": {
			blocks: []geminitest.Block{geminitest.Error(409, geminiapi.ErrorStatusAborted,
				"too late")},
			whole: apiError(409, geminiapi.ErrorStatusAborted,
				func(e *gemini.Error) bool { return e.Message == "too late" }),
		},
		"an error after the beginning": {
			blocks: []geminitest.Block{text, geminitest.Unavailable()},
			whole:  status(200, `"UNAVAILABLE"`),
			stream: status(200, firstEvent, "\r\n\r\n{\n  \"error\": {\n    \"code\": 503,"),
		},
		"an error as an event": {
			blocks: []geminitest.Block{text, geminitest.AsEvent(geminitest.Unavailable())},
			whole:  status(200, `"UNAVAILABLE"`),
			stream: status(200, firstEvent, "\r\n\r\ndata: {\"error\": {\"code\": 503,"),
		},
		"a page":        {blocks: []geminitest.Block{geminitest.HTMLPage(502)}, whole: status(502, "<html>")},
		"a page as 200": {blocks: []geminitest.Block{geminitest.HTMLPage(0)}, whole: status(200, "<html>")},
		"a plain text":  {blocks: []geminitest.Block{geminitest.PlainText(503, "no healthy upstream")}, whole: status(503, "no healthy upstream")},
		"an empty body": {
			blocks: []geminitest.Block{geminitest.EmptyBody(200)},
			whole:  func(o outcome) bool { return o.err == nil && o.reply.StatusCode == 200 && o.body == "" },
		},
		"a redirect": {
			blocks: []geminitest.Block{geminitest.Redirect("https://login.example/x")},
			whole: func(o outcome) bool {
				return o.err == nil && o.reply.StatusCode == 302 &&
					o.reply.Header.Get("Location") == "https://login.example/x"
			},
		},
		"another content type": {
			blocks: []geminitest.Block{geminitest.ContentType("text/html"), text},
			whole: func(o outcome) bool {
				return status(200, `"Hello"`)(o) &&
					o.reply.Header.Get("Content-Type") == "text/html"
			},
			stream: func(o outcome) bool {
				return status(200, firstEvent)(o) &&
					o.reply.Header.Get("Content-Type") == "text/html"
			},
		},
		"a large answer": {
			blocks: []geminitest.Block{geminitest.Large(1 << 20)},
			whole:  func(o outcome) bool { return status(200, "STOP")(o) && len(o.body) > 1<<20 },
		},
		"a stall before the answer": {
			blocks: []geminitest.Block{geminitest.Stall()},
			whole:  func(o outcome) bool { return o.stalled() && o.reply == nil },
		},
		"a stall within the answer": {
			blocks: []geminitest.Block{text, geminitest.Stall()},
			whole: func(o outcome) bool {
				return o.stalled() && strings.HasPrefix(o.body, "{\n") &&
					!strings.HasSuffix(o.body, "}\n")
			},
			stream: func(o outcome) bool {
				return o.stalled() && strings.HasPrefix(o.body, firstEvent) &&
					strings.HasSuffix(o.body, "\r\n\r\n")
			},
		},
		"a cut before the answer": {
			blocks: []geminitest.Block{geminitest.Cut()},
			whole:  broken("{\n"),
			stream: broken("data: {\"candidates\": [{"),
		},
		"a cut within the answer": {
			blocks: []geminitest.Block{text, geminitest.Cut()},
			whole:  broken("{\n"),
			stream: func(o outcome) bool {
				return broken(firstEvent)(o) && strings.Count(o.body, "data: ") == 3 &&
					strings.Count(o.body, "\r\n\r\n") == 2
			},
		},
		"an early end": {
			blocks: []geminitest.Block{text, geminitest.Truncate()},
			whole:  func(o outcome) bool { return status(200, "{\n")(o) && !strings.HasSuffix(o.body, "}\n") },
			stream: func(o outcome) bool {
				return status(200, firstEvent)(o) && strings.Count(o.body, "\r\n\r\n") == 2 &&
					!strings.Contains(o.body, "finishReason")
			},
		},
		"a reset before the answer": {
			blocks: []geminitest.Block{geminitest.Reset()},
			whole:  func(o outcome) bool { return errors.Is(o.err, syscall.ECONNRESET) && o.reply == nil },
		},
		"a reset within the answer": {
			blocks: []geminitest.Block{text, geminitest.Pause(20 * time.Millisecond),
				geminitest.Reset()},
			whole:  func(o outcome) bool { return o.err != nil && !o.stalled() },
			stream: func(o outcome) bool { return errors.Is(o.err, syscall.ECONNRESET) },
		},
		"garbage": {
			blocks: []geminitest.Block{text, geminitest.Garbage()},
			whole:  status(200, "{\n", "<<<>>>"),
			stream: status(200, firstEvent, "\r\n\r\ndata: {\"candidates\": [{\x00\x01 <<<>>>"),
		},
		"slow bytes": {
			blocks: []geminitest.Block{geminitest.Slow(100, 5*time.Millisecond), text},
			whole:  func(o outcome) bool { return status(200, `"Hello"`)(o) && o.took >= 10*time.Millisecond },
			stream: func(o outcome) bool { return status(200, firstEvent)(o) && o.took >= 10*time.Millisecond },
		},
		"a delay": {
			blocks: []geminitest.Block{geminitest.Pause(30 * time.Millisecond),
				geminitest.Unavailable()},
			whole: func(o outcome) bool { return status(503)(o) && o.took >= 30*time.Millisecond },
		},
	}
	for name, test := range tests {
		if test.stream == nil {
			test.stream = test.whole
			tests[name] = test
		}
	}
	return tests
}

// withoutRedirects is a client that follows no redirects.
func withoutRedirects(client *http.Client) *http.Client {
	clone := *client
	clone.CheckRedirect = func(*http.Request,
		[]*http.Request) error {
		return http.ErrUseLastResponse
	}
	return &clone
}

func TestFaultsInMemory(t *testing.T) {
	t.Parallel()
	for name, test := range faultTests() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				srv := geminitest.NewServer(t,
					geminitest.WithScript(geminitest.On().Reply(test.blocks...)))
				client := withoutRedirects(srv.HTTPClient())
				if o := fetch(client, "https://gemini.example", generate, hello,
					time.Minute); !test.whole(o) {
					t.Errorf("in one piece: %v", o)
				}
				if o := fetch(client, "https://gemini.example", stream, hello,
					time.Minute); !test.stream(o) {
					t.Errorf("streamed: %v", o)
				}
			})
		})
	}
}

func TestFaultsOnLoopback(t *testing.T) {
	t.Parallel()
	for name, test := range faultTests() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := geminitest.NewServer(t,
				geminitest.WithScript(geminitest.On().Reply(test.blocks...)))
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			client := withoutRedirects(&http.Client{Transport: transport})
			patience := 20 * time.Second
			if strings.HasPrefix(name, "a stall") {
				patience = time.Second
			}
			if o := fetch(client, srv.URL(), generate, hello, patience); !test.whole(o) {
				t.Errorf("in one piece: %v", o)
			}
			if o := fetch(client, srv.URL(), stream, hello, patience); !test.stream(o) {
				t.Errorf("streamed: %v", o)
			}
		})
	}
}

func TestAStallEndsWhenTheServerCloses(t *testing.T) {
	t.Parallel()
	for name, blocks := range map[string][]geminitest.Block{
		"before the answer": {geminitest.Stall()},
		"within the answer": {geminitest.Text("a"), geminitest.Stall()},
		"in a pause":        {geminitest.TTFT(time.Hour), geminitest.Text("a")},
		"while it is slow":  {geminitest.Slow(1, time.Hour), geminitest.Text("a")},
	} {
		for _, path := range []string{generate, stream} {
			t.Run(name+path, func(t *testing.T) {
				t.Parallel()
				srv := geminitest.NewServer(t,
					geminitest.WithScript(geminitest.On().Reply(blocks...)))
				transport := &http.Transport{}
				defer transport.CloseIdleConnections()
				done := make(chan outcome)
				base := srv.URL()
				go func() { done <- fetch(&http.Client{Transport: transport}, base, path, hello, time.Minute) }()
				for len(srv.Requests()) == 0 {
					time.Sleep(time.Millisecond)
				}
				srv.Close()
				if o := <-done; o.err == nil || o.stalled() {
					t.Error(o)
				}
			})
		}
	}
}
