package inspector_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/exchange/exchangetest"
	"github.com/gemwire/gemwire/server/inspector"
)

func TestAnImportNamesOnlyTheExchangesThatAreKept(t *testing.T) {
	t.Parallel()
	b, small := open(t), open(t, inspector.WithMaxExchanges(5))
	for range 5 {
		b.answered(exchange.Start{Path: "/x"}, 200)
	}
	b.detail(5)
	for range 3 {
		small.answered(exchange.Start{ID: "req_p"}, 200)
	}
	for _, pinned := range []string{"1", "2"} {
		if status := small.pin(pinned, true); status != http.StatusNoContent {
			t.Fatal(status)
		}
	}
	_, _, answer := small.do(http.MethodPost, "/api/session", b.get("/api/session"))
	if answer != `{"numbers":[6,7,8]}` {
		t.Error(answer)
	}
}

func TestAnExportHasEachExchangeOnce(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.answered(exchange.Start{}, 200)
	b.detail(1)
	if file := b.get("/api/session?numbers=1,1"); strings.Count(file, `"start":`) != 1 {
		t.Error(file)
	}
}

// brokenWriter fails at once, as a connection that is closed.
type brokenWriter struct{ http.ResponseWriter }

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAnExportThatBreaksOffEndsTheConnection(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.answered(exchange.Start{}, 200)
	request := httptest.NewRequest(http.MethodGet, b.url+"/api/session", nil)
	request.AddCookie(b.cookie())
	defer func() {
		if got := recover(); got != http.ErrAbortHandler {
			t.Errorf("the handler ends with %v", got)
		}
	}()
	b.Handler().ServeHTTP(brokenWriter{httptest.NewRecorder()}, request)
}

func TestANumberThatNeverWasIsNotCalledDropped(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.answered(exchange.Start{}, 200)
	b.detail(1)
	b.do(http.MethodPost, "/api/clear", `{}`)
	for number, want := range map[string]bool{"1": true, "2": false, "999": false} {
		status, _, answer := b.do(http.MethodGet, "/api/exchanges/"+number, "")
		if status != 404 || strings.Contains(answer, "dropped") != want {
			t.Errorf("%s: %d %s", number, status, answer)
		}
	}
	if status := b.pin("999", true); status != 404 {
		t.Error(status)
	}
}

func TestAConversationKeepsItsIDWhenItsFirstTurnIsGone(t *testing.T) {
	t.Parallel()
	opts := []inspector.Option{inspector.WithBodies(), inspector.WithFolder(t.TempDir())}
	b := open(t, opts...)
	b.gateway.Play(exchangetest.Lossy())
	b.gateway.Play(exchangetest.ToolResult())
	want := b.understood(2).Summary.Conversation
	if want == "" || want != b.understood(1).Summary.Conversation {
		t.Fatalf("the conversation is %q", want)
	}
	again := b.reopen(append(opts, inspector.WithMaxExchanges(1))...)
	events := again.listen()
	defer events.end()
	for again.understood(2).Summary.Conversation == "" { // The bodies are read in the background.
		events.next()
	}
	if got := again.understood(2).Summary.Conversation; got != want {
		t.Errorf("after a restart: %q, before: %q", got, want)
	}
	again.do(http.MethodPost, "/api/clear", `{}`)
	if status, _, _ := again.do(http.MethodGet, "/api/conversations/"+want, ""); status != 404 {
		t.Errorf("after clearing: %d", status)
	}
}

func TestPinsOfTheFolderLeaveRoomInASmallerInspector(t *testing.T) {
	t.Parallel()
	opts := []inspector.Option{inspector.WithFolder(t.TempDir())}
	b := open(t, opts...)
	for n := range 4 {
		b.answered(exchange.Start{}, 200)
		b.detail(n + 1)
		if status := b.pin(itoa(n+1), true); status != http.StatusNoContent {
			t.Fatal(status)
		}
	}
	again := b.reopen(append(opts, inspector.WithMaxExchanges(4))...)
	again.answered(exchange.Start{}, 200)
	again.answered(exchange.Start{}, 200)
	again.detail(6)
	events := again.listen()
	defer events.end()
	if n := events.next(); fmt.Sprint(n.Pinned) != "[3 4]" || len(n.Exchanges) != 4 {
		t.Errorf("pinned %v, %d exchanges", n.Pinned, len(n.Exchanges))
	}
	if err := again.CloseFolder(); err != nil {
		t.Fatal(err)
	}
}

func TestACommandOfAnImportSendsAKeyOnlyToGoogleAndEncrypted(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"https://generativelanguage.googleapis.com/v1beta/models/m:generateContent": true,
		"http://generativelanguage.googleapis.com/v1beta/models/m:generateContent":  false,
		"https://us-aiplatform.googleapis.com/v1/models/m:generateContent":          true,
		"http://us-aiplatform.googleapis.com/v1/models/m:generateContent":           false,
		"https://googleapis.com.example/v1beta/models/m:generateContent":            false,
	} {
		b := open(t)
		file := `{"format":"gemwire-inspector/1","exchanges":[{"number":1,"bodies":true,` +
			`"start":{"path":"/v1/chat/completions","method":"POST"},"tries":[{"upstream":` +
			`{"request":{"method":"POST","url":"` + address + `","body":{"text":"{}"}}}}]}]}`
		if status, _, answer := b.do(http.MethodPost, "/api/session", file); status != 200 {
			t.Fatal(status, answer)
		}
		command := b.get("/api/exchanges/1/curl/upstream")
		if got := strings.Contains(command, "API_KEY") ||
			strings.Contains(command, "gcloud"); got != want {
			t.Errorf("%s: %s", address, command)
		}
	}
}

func TestTheTypeOfAnImportedMediumIsThatOfItsBytes(t *testing.T) {
	t.Parallel()
	b := open(t, inspector.WithBodies())
	data := base64.StdEncoding.EncodeToString(pixels(3000))
	b.record(`{"inlineData":{"data":"` + data + `"}}`)
	b.detail(1)
	other := open(t, inspector.WithBodies())
	file := strings.ReplaceAll(b.get("/api/session"), " image/png ", " application/pdf ")
	if status, _, answer := other.do(http.MethodPost, "/api/session", file); status != 200 {
		t.Fatal(status, answer)
	}
	_, header, _ := other.do(http.MethodGet, "/api/media/"+sumOf(pixels(3000)), "")
	if got := header.Get("Content-Type"); got != "image/png" {
		t.Errorf("served as %q", got)
	}
}
