package gateway_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/exchange"
)

func TestAProgramChoosesTheAccountOfARequest(t *testing.T) {
	t.Parallel()
	u := &keyedUpstream{}
	d := &diary{}
	handler := keyedGateway(t, u, []string{"one", "two"}, gateway.WithObserver(d))
	if names := strings.Join(handler.Accounts(), " "); names != "one two" {
		t.Errorf("accounts: %s", names)
	}
	for _, test := range []struct {
		account string
		status  int
		called  string
	}{{"two", 200, "two"}, {"", 200, "one"}, {"three", 400, ""}} {
		request := httptest.NewRequest("POST", chatPath, strings.NewReader(hello))
		request.Header.Set("Content-Type", "application/json")
		ctx := exchange.WithAccount(request.Context(), test.account)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request.WithContext(ctx))
		called := ""
		for _, a := range d.last().attempts {
			called += a.Account
		}
		if answer.Code != test.status || called != test.called {
			t.Errorf("%q: HTTP %d by %q: %s", test.account, answer.Code, called, answer.Body)
		}
	}
}

func TestObserversGetTheTimeThatARequestWaitedForASlot(t *testing.T) {
	inTime(t, func(t *testing.T) {
		server := geminitest.NewServer(t, geminitest.WithScript(geminitest.On().Reply(
			geminitest.Pause(time.Second), geminitest.Text("late")).Times(2)))
		d := &diary{}
		handler := gatewayOf(t, server, gateway.WithObserver(d), gateway.WithMaxConcurrent(1),
			gateway.WithQueueWait(time.Minute))
		done := make(chan struct{})
		go func() {
			defer close(done)
			post(handler, chatPath, hello)
		}()
		synctest.Wait()
		post(handler, chatPath, hello)
		<-done
		d.mu.Lock()
		defer d.mu.Unlock()
		if first, second := d.pages[0].end, d.pages[1].end; first.Waited != 0 ||
			second.Waited != time.Second || second.Duration != 2*time.Second {
			t.Errorf("waited %v and %v of %v", first.Waited, second.Waited, second.Duration)
		}
	})
}
