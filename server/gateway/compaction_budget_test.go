package gateway_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/server/gateway"
)

func TestABudgetThatASummaryUsesUpRefusesTheAnswer(t *testing.T) {
	t.Parallel()
	for name, members := range map[string]string{"whole": "", "stream": `,"stream":true`} {
		server := summarising(t, aSummary, ofTokens(1000, 100))
		book := &diary{}
		handler := gatewayOf(t, server, gateway.WithObserver(book), gateway.WithClientKeys(
			keysOf(t, `alice,"budget":{"tokens":1100,"period":"total"}`,
				`bob,"budget":{"tokens":2200,"period":"total"}`)))
		ask := func(key string) (int, string) {
			answer := post(handler, responsesPath, compactBody(longItems, shortRule+members),
				"Authorization", "Bearer key-of-"+key)
			return answer.Code, answer.Body.String()
		}
		status, body := ask("alice")
		if status != http.StatusTooManyRequests ||
			!strings.Contains(body, `"code":"insufficient_quota"`) {
			t.Errorf("%s: HTTP %d: %s", name, status, body)
		}
		if calls := len(server.Requests()); calls != 1 {
			t.Errorf("%s: %d calls", name, calls)
		}
		if used := book.last().end.Usage; used.TotalTokens != 1100 {
			t.Errorf("%s: %+v", name, used)
		}
		if status, body := ask("alice"); status != http.StatusTooManyRequests ||
			len(server.Requests()) != 1 {
			t.Errorf("%s: after that HTTP %d: %s", name, status, body)
		}
		// the tokens of a summary are counted once
		for i, want := range []int{http.StatusOK, http.StatusTooManyRequests} {
			if status, body := ask("bob"); status != want {
				t.Errorf("%s: request %d: HTTP %d: %s", name, i, status, body)
			}
		}
		if calls := len(server.Requests()); calls != 4 {
			t.Errorf("%s: %d calls of both", name, calls)
		}
	}
}

// yes is an answer of the Gemini API.
const yes = `{"candidates":[{"content":{"role":"model","parts":[{"text":"Yes."}]},` +
	`"finishReason":"STOP"}],` +
	`"usageMetadata":{"promptTokenCount":50,"candidatesTokenCount":5,"totalTokenCount":55}}`

// answeredBy returns an option for an upstream that a function answers.
func answeredBy(answer gemini.DoerFunc) gateway.Option {
	return gateway.WithUpstream(gateway.Upstream{Service: gateway.GeminiAPI,
		Accounts: accounts("one"), HTTPClient: answer})
}

// A conversation is admitted, and another request reserves the rest of the budget while the model
// writes the summary.
func TestAReservationOfAnotherRequestDoesNotRefuseTheAnswerAfterASummary(t *testing.T) {
	t.Parallel()
	hold := `{"role":"user","content":"hold` + strings.Repeat(" on", 10_000) + `"}`
	var handler *gateway.Handler
	started, release, other := make(chan struct{}), make(chan struct{}), make(chan int, 1)
	asBob := func(body string) *httptest.ResponseRecorder {
		return post(handler, responsesPath, body, "Authorization", "Bearer key-of-bob")
	}
	handler = newGateway(t, answeredBy(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		switch {
		case err != nil:
			return nil, err
		case strings.Contains(string(body), "about to be replaced"):
			go func() {
				other <- asBob(compactBody(hold, "")).Code
			}()
			<-started
		case strings.Contains(string(body), "hold"):
			close(started)
			<-release
		}
		return replyOf(http.StatusOK, yes), nil
	}),
		gateway.WithClientKeys(keysOf(t, `bob,"budget":{"tokens":70000,"period":"total"}`)))
	if answer := asBob(compactBody(longItems, shortRule)); answer.Code != http.StatusOK {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
	close(release)
	if status := <-other; status != http.StatusOK {
		t.Errorf("the other request: HTTP %d", status)
	}
}

// The client leaves while the model answers. The summary counts, and so does what was sent for the
// answer.
func TestAnAnswerThatTheClientLeavesCountsInAdditionToItsSummary(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	handler := newGateway(t, answeredBy(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		if strings.Contains(string(body), "about to be replaced") || ctx.Err() != nil {
			return replyOf(http.StatusOK, yes), nil
		}
		leave()
		<-r.Context().Done()
		return nil, r.Context().Err()
	}),
		gateway.WithClientKeys(keysOf(t, `bob,"budget":{"tokens":2000,"period":"total"}`)))
	ask := func(ctx context.Context) *httptest.ResponseRecorder {
		request := httptest.NewRequestWithContext(ctx, http.MethodPost, responsesPath,
			strings.NewReader(compactBody(longItems, shortRule)))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer key-of-bob")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		return answer
	}
	ask(ctx)
	if answer := ask(t.Context()); answer.Code != http.StatusTooManyRequests ||
		!strings.Contains(answer.Body.String(), "insufficient_quota") {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
}

func TestABudgetThatASlowSummaryUsesUpEndsTheStream(t *testing.T) {
	inTime(t, func(t *testing.T) {
		handler := newGateway(t, answeredBy(func(*http.Request) (*http.Response, error) {
			time.Sleep(time.Minute) // of the bubble
			return replyOf(http.StatusOK, yes), nil
		}), gateway.WithFirstChunkWait(time.Second),
			gateway.WithClientKeys(keysOf(t, `bob,"budget":{"tokens":55,"period":"day"}`)))
		answer := post(handler, responsesPath, compactBody(longItems, shortRule+`,"stream":true`),
			"Authorization", "Bearer key-of-bob")
		hasAll(t, answer.Body.String(), "response.created", "response.failed", "insufficient_quota")
		if reset := answer.Header().Get("X-Gemwire-Budget-Reset"); answer.Code != 200 || reset != "" {
			t.Errorf("HTTP %d, a header after the answer has begun: %q", answer.Code, reset)
		}
	})
}
