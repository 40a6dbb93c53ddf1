package gateway_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

// Observers learn which account is paused, for how long, and which request got the error.
func TestObserversLearnWhyAnAccountIsPaused(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		d := &diary{}
		handler := keyedGateway(t, u, []string{"one"}, gateway.WithObserver(d))
		u.set("key-a", usedUpFor(perMinute, 20))
		errorOf(t, post(handler, chatPath, hello), 429)
		first := d.last()
		if first.end.Rest != nil || len(first.attempts) != 1 {
			t.Errorf("the first request made a call: %+v", first.end)
		}
		time.Sleep(5 * time.Second)
		errorOf(t, post(handler, chatPath, hello), 429)
		rest := d.last().end.Rest
		if rest == nil || rest.Account != "one" || rest.By != first.start.ID ||
			!rest.Until.Equal(time.Now().Add(15*time.Second)) ||
			!strings.Contains(rest.Reason, "exceeded your current quota") ||
			len(d.last().attempts) != 0 {
			t.Errorf("the second request: %+v", rest)
		}
	})
}

// A refused key pauses its account too.
func TestObserversLearnWhichRequestFoundTheKeyRefused(t *testing.T) {
	inTime(t, func(t *testing.T) {
		u := &keyedUpstream{}
		d := &diary{}
		handler := keyedGateway(t, u, []string{"one"}, gateway.WithObserver(d))
		u.set("key-a", refusedKey)
		post(handler, chatPath, hello)
		first := d.last().start.ID
		post(handler, chatPath, hello)
		if rest := d.last().end.Rest; rest == nil || rest.By != first || rest.Account != "one" {
			t.Errorf("the second request: %+v", rest)
		}
	})
}

func TestObserversGetTheBytesThatBrokeAStream(t *testing.T) {
	t.Parallel()
	const chunk = `{"candidates":[{"content":{"role":"model","parts":[{"text":"Hello"}]},"index":0}]}`
	for name, test := range map[string]struct{ after, want string }{
		"a page":          {"<html>502 Bad Gateway</html>\n", "<html>502 Bad Gateway</html>"},
		"damaged JSON":    {`data: {"candidates":[}` + "\n\n", `data: {"candidates":[}`},
		"a cut event":     {`data: {"candidates":[{"cont`, `data: {"candidates":[{"cont`},
		"nothing further": {"", ""},
		"very much":       {"<" + strings.Repeat("x", 100<<10), "<" + strings.Repeat("x", 64<<10-3)},
	} {
		u := &keyedUpstream{}
		u.set("key-a", cannedAnswer{200, chunk + "\n\n" + test.after})
		d := &diary{wantsBodies: true}
		post(keyedGateway(t, u, []string{"one"}, gateway.WithObserver(d)), chatPath, streamed(hello))
		got := string(d.last().end.Broken)
		if name == "very much" {
			if len(got) < 1000 || len(got) > exchange.MaxBroken || !strings.HasPrefix(got, "<xxx") {
				t.Errorf("%s: %d bytes", name, len(got))
			}
			continue
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	u := &keyedUpstream{}
	d := &diary{}
	u.set("key-a", cannedAnswer{200, "<html>"})
	post(keyedGateway(t, u, []string{"one"}, gateway.WithObserver(d)), chatPath, streamed(hello))
	if got := d.last().end.Broken; got != nil {
		t.Errorf("an observer without bodies gets %q", got)
	}
}

// A request without a body is reported too, so that a page can show it.
func TestObserversGetRequestsWithoutABody(t *testing.T) {
	t.Parallel()
	d := &diary{wantsBodies: true}
	handler := gatewayOf(t, geminitest.NewServer(t), gateway.WithObserver(d))
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/v1/models", nil))
	if got := d.last().told(); answer.Code != 200 ||
		!strings.HasPrefix(got, "client request, ") || !strings.HasSuffix(got, "client response, end 200") {
		t.Errorf("HTTP %d: %s", answer.Code, got)
	}
}

// A line of a job has its job and its client. The mark comes from the context.
func TestObserversLearnTheJobAndTheMarkOfAProgramsRequest(t *testing.T) {
	t.Parallel()
	d := &diary{}
	handler := gatewayOf(t, geminitest.NewServer(t), gateway.WithObserver(d))
	ctx := exchange.WithMark(context.Background(), "mine")
	if _, err := handler.Answer(ctx, &gateway.Request{Path: chatPath, Body: []byte(hello),
		Client: "night", Job: "batch_1", Line: 7}); err != nil {
		t.Fatal(err)
	}
	if s := d.last().start; s.Job != "batch_1" || s.Line != 7 || s.ClientName != "night" ||
		s.Mark != "mine" {
		t.Errorf("began with %+v", s)
	}
	post(handler, chatPath, hello)
	if s := d.last().start; s.Job != "" || s.Line != 0 || s.Mark != nil {
		t.Errorf("a client's request began with %+v", s)
	}
}
