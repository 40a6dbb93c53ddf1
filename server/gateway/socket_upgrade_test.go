package gateway_test

import (
	"bufio"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
)

// upgrading are the headers of a request for a WebSocket.
var upgrading = []string{"Connection", "keep-alive, Upgrade", "Upgrade", "WebSocket",
	"Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}

func TestWithoutWebSocketsAnUpgradeIsA426(t *testing.T) {
	t.Parallel()
	answer := do(newGateway(t, gateway.WithoutWebSockets()), "GET", responsesPath, upgrading...)
	e := errorOf(t, answer, http.StatusUpgradeRequired)
	if answer.Header().Get("Upgrade") != "websocket" || jsonx.Deref(e.Code) != "upgrade_required" ||
		!strings.Contains(e.Message, "--websocket") {
		t.Errorf("%+v, %v", e, answer.Header())
	}
}

func TestAPlainGetOfTheResponsesPathIsA426(t *testing.T) {
	t.Parallel()
	for _, path := range []string{responsesPath, "/v1beta/openai/responses"} {
		answer := httptest.NewRecorder()
		newGateway(t).ServeHTTP(&hijackable{answer}, httptest.NewRequest("GET", path, nil))
		if e := errorOf(t, answer, http.StatusUpgradeRequired); !strings.Contains(e.Message,
			"send a POST, or let proxies pass on the headers Upgrade and Connection") {
			t.Error(e.Message)
		}
		if answer.Header().Get("Upgrade") != "websocket" {
			t.Errorf("%v", answer.Header())
		}
	}
}

func TestAnUpgradeThatBreaksTheProtocolIsRefusedInTheFormOfTheAPI(t *testing.T) {
	t.Parallel()
	for name, headers := range map[string][]string{
		"another version": {"Sec-WebSocket-Version", "8"}, "a short key": {"Sec-WebSocket-Key", "eA=="},
		"no key": {"Sec-WebSocket-Key", ""},
	} {
		request := httptest.NewRequest("GET", responsesPath, nil)
		for i := 0; i < len(upgrading); i += 2 {
			request.Header.Set(upgrading[i], upgrading[i+1])
		}
		request.Header.Set(headers[0], headers[1])
		answer := httptest.NewRecorder()
		newGateway(t).ServeHTTP(&hijackable{answer}, request)
		if e := errorOf(t, answer,
			http.StatusBadRequest); jsonx.Deref(e.Code) != "invalid_handshake" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// hijackable is a response writer that could become a connection.
type hijackable struct{ http.ResponseWriter }

// Hijack implements [http.Hijacker].
func (*hijackable) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return nil, nil, http.ErrNotSupported
}

// A middleware without Unwrap hides the connection. Clients then use HTTP.
func TestAnUpgradeWithoutAccessToTheConnectionIsA426(t *testing.T) {
	t.Parallel()
	answer := do(newGateway(t), "GET", responsesPath, upgrading...)
	if e := errorOf(t, answer, http.StatusUpgradeRequired); !strings.Contains(e.Message, "does not pass") {
		t.Errorf("%+v", e)
	}
}

func TestAnUpgradeWithoutAValidKeyIsA401(t *testing.T) {
	t.Parallel()
	keys := keysOf(t, "ann")
	diary := &diary{}
	handler := newGateway(t, gateway.WithClientKeys(keys), gateway.WithObserver(diary))
	for _, headers := range [][]string{nil, {"Authorization", "Bearer other"}} {
		errorOf(t, do(handler, "GET", responsesPath, append(upgrading, headers...)...),
			http.StatusUnauthorized)
	}
	if len(diary.pages) != 2 { // a refused upgrade is in the log
		t.Errorf("%d entries", len(diary.pages))
	}
}

func TestPagesOfOtherSitesOpenNoWebSocket(t *testing.T) {
	t.Parallel()
	handler := newGateway(t, gateway.WithAllowedOrigins("https://app.example.com"))
	for name, headers := range map[string][]string{
		"a foreign origin":     {"Origin", "https://evil.example"},
		"a cross-site request": {"Sec-Fetch-Site", "cross-site"},
	} {
		answer := do(handler, "GET", responsesPath, append(upgrading, headers...)...)
		if answer.Code != http.StatusForbidden {
			t.Errorf("%s: HTTP %d", name, answer.Code)
		}
	}
	request := httptest.NewRequest("GET", responsesPath, nil)
	for i := 0; i < len(upgrading); i += 2 {
		request.Header.Set(upgrading[i], upgrading[i+1])
	}
	request.Host = "evil.example"
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	if answer.Code != http.StatusMisdirectedRequest {
		t.Errorf("HTTP %d for a foreign host", answer.Code)
	}
	client := dialSocket(t, handler, "Origin", "https://app.example.com")
	if end := client.create(t, "hello", ""); end.Type != "response.completed" {
		t.Errorf("a page of an allowed origin got %s", end.text)
	}
}

// Many middlewares record the status, and have only Unwrap.
func TestAnUpgradePassesThroughMiddlewaresWithUnwrap(t *testing.T) {
	t.Parallel()
	handler := newGateway(t)
	client := dialSocket(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(&unwrapping{w}, r)
	}))
	if end := client.create(t, "hello", ""); end.Type != "response.completed" {
		t.Errorf("%s", end.text)
	}
}

type unwrapping struct{ writer http.ResponseWriter }

func (u *unwrapping) Header() http.Header         { return u.writer.Header() }
func (u *unwrapping) Write(p []byte) (int, error) { return u.writer.Write(p) }
func (u *unwrapping) WriteHeader(status int)      { u.writer.WriteHeader(status) }
func (u *unwrapping) Unwrap() http.ResponseWriter { return u.writer }

func TestABinaryFrameClosesWith1003(t *testing.T) {
	t.Parallel()
	client := dialSocket(t, newGateway(t))
	if err := client.Write(client.ctx, websocket.MessageBinary, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	if code := client.closed(); code != websocket.StatusUnsupportedData {
		t.Errorf("closed with %d", code)
	}
}

func TestATooLargeMessageIsA413AndCloses(t *testing.T) {
	t.Parallel()
	diary := &diary{}
	client := dialSocket(t, newGateway(t, gateway.WithMaxBodySize(1<<10),
		gateway.WithObserver(diary)))
	go client.Write(client.ctx, websocket.MessageText,
		[]byte(creating(strings.Repeat("x", 1<<20), "")))
	if f := client.next(t); f.Status != http.StatusRequestEntityTooLarge ||
		f.Error.Code != "request_too_large" || f.Headers["x-gemwire-max-body-size"] != "1024" {
		t.Errorf("%s", f.text)
	}
	if code := client.closed(); code != websocket.StatusMessageTooBig {
		t.Errorf("closed with %d", code)
	}
	if got := diary.last(); got.end.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("the log has %+v", got.end)
	}
}

func TestAMessageOfJustTheLimitIsAccepted(t *testing.T) {
	t.Parallel()
	message := creating("x", "")
	client := dialSocket(t, newGateway(t, gateway.WithMaxBodySize(int64(len(message)))))
	client.send(t, message)
	if frames := client.turn(t); frames[len(frames)-1].Type != "response.completed" {
		t.Errorf("%s", frames[0].text)
	}
}

func TestReloadWithoutWebSocketsClosesWith1012(t *testing.T) {
	t.Parallel()
	server := geminitest.NewServer(t)
	opts := []gateway.Option{gateway.WithUpstream(upstreamOf(server)),
		gateway.WithAllowedHosts("example.com")}
	handler := newGateway(t, opts...)
	client := dialSocket(t, handler)
	if err := handler.Reload(opts...); err != nil {
		t.Fatal(err)
	}
	if end := client.create(t, "hello", ""); end.Type != "response.completed" {
		t.Errorf("after a reload: %s", end.text)
	}
	if err := handler.Reload(append(opts, gateway.WithoutWebSockets())...); err != nil {
		t.Fatal(err)
	}
	if code := client.closed(); code != websocket.StatusServiceRestart {
		t.Errorf("closed with %d", code)
	}
	errorOf(t, do(handler, "GET", responsesPath, upgrading...), http.StatusUpgradeRequired)
}
