package gateway_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/pkg/geminitest"
	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/gateway/exchange"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// longTest is the maximum time that a test on real connections waits.
const longTest = 20 * time.Second

// halfClosed sends bytes on its own connection, reads the answer up to until, and closes its
// sending side. Then it reads the answer to its end.
func halfClosed(t *testing.T, server *httptest.Server, sent, until string) (*http.Response, string,
	error) {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(longTest))
	if _, err := io.WriteString(conn, sent); err != nil {
		t.Fatal(err)
	}
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		t.Fatalf("a connection of type %T", conn)
	}
	var before strings.Builder
	if until != "" {
		for buf := make([]byte, 1); !strings.Contains(before.String(), until); {
			if _, err := conn.Read(buf); err != nil {
				t.Fatalf("%v in %q", err, before.String())
			}
			before.Write(buf)
		}
	}
	if err := tcp.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	reply, err := http.ReadResponse(bufio.NewReader(io.MultiReader(strings.NewReader(before.String()),
		conn)),
		nil)
	if err != nil {
		return nil, "", err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	return reply, string(body), err
}

// rawRequest returns the bytes of a request. The body may be shorter than its Content-Length.
func rawRequest(path, contentType, body string, missing int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		path, contentType, len(body)+missing, body)
}

// endKeeper is an observer that forwards the ends of requests.
type endKeeper struct {
	exchange.Nothing
	ends chan exchange.End
}

func (k *endKeeper) Begin(exchange.Start) exchange.Recorder { return k }

func (k *endKeeper) End(end exchange.End) { k.ends <- end }

// halfOpenGateway is a gateway on a port. Its upstream sends the beginning of an answer and then
// nothing. Without a beginning the upstream never answers.
func halfOpenGateway(t *testing.T, isOfChat bool, beginning ...geminitest.Block) (*httptest.Server,
	*endKeeper) {
	t.Helper()
	ended := &endKeeper{ends: make(chan exchange.End, 9)}
	opts := []gateway.Option{
		gateway.WithObserver(ended), gateway.WithBatches(&fileKeeper{}),
		gateway.WithResponseStore(responsestore.NewMemory(responsestore.Bounds{})),
	}
	var handler http.Handler
	switch {
	case isOfChat:
		handler = gatewayOfChat(t,
			&chatServer{answer: func(r *http.Request, _ string) *http.Response {
				<-r.Context().Done()
				return chatReply(500, `{"error":{"message":"late","type":"server_error"}}`)
			}}, opts...)
	case beginning == nil:
		upstream := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter,
			r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}))
		t.Cleanup(upstream.Close)
		handler = newGateway(t, append(opts, gateway.WithUpstream(gateway.Upstream{
			Service: gateway.GeminiAPI, BaseURL: upstream.URL,
			Accounts: []gateway.Account{gateway.KeyAccount("one", "key-of-one")},
		}))...)
	default:
		script := geminitest.On().Reply(append(beginning, geminitest.Stall())...).Times(9)
		handler = gatewayOf(t, geminitest.NewServer(t, geminitest.WithScript(script)), opts...)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server, ended
}

// A client that closes its side after the whole request looks like a disconnected client. The
// gateway cancels the upstream call, and does not answer 200.
func TestAHalfClosedClientGetsNoEmptyAnswer(t *testing.T) {
	t.Parallel()
	forms := map[string]askedForm{
		"embeddings": {path: embeddingsPath, body: `{"model":"gemini-embedding-001","input":"x"}`},
		"tokens":     {path: countPath, body: said("hello", "")},
	}
	for name, form := range askedForms {
		forms[name] = form
	}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, ended := halfOpenGateway(t, form.isOfChat)
			reply, body, err := halfClosed(t, server,
				rawRequest(form.path, "application/json", form.body, 0), "")
			if err != nil || reply.StatusCode != 499 || !strings.Contains(body, "closed its side") {
				t.Errorf("%v, %+v: %s", err, reply, body)
			}
			if end := <-ended.ends; end.Status != 499 || !end.Canceled {
				t.Errorf("ended with %+v", end)
			}
		})
	}
}

func TestABodyThatEndsTooEarlyIsRefused(t *testing.T) {
	t.Parallel()
	form := "--x\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n" +
		"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.jsonl\"\r\n\r\n{"
	for name, tc := range map[string]struct{ path, contentType, body string }{
		"chat": {chatPath, "application/json", hello}, "responses": {responsesPath, "application/json", asked("hello", "")},
		"messages": {messagesPath, "application/json", said("hello", "")}, "tokens": {countPath, "application/json", said("hello", "")},
		"native": {nativeWhole, "application/json", nativeHello}, "native stream": {nativeSSE, "application/json", nativeHello},
		"embeddings": {embeddingsPath, "application/json", `{"model":"gemini-embedding-001","input":"x"}`},
		"file":       {"/v1/files", "multipart/form-data; boundary=x", form},
	} {
		chunked := strings.Replace(rawRequest(tc.path, tc.contentType, "", 0), "Content-Length: 0",
			"Transfer-Encoding: chunked", 1)
		chunked += fmt.Sprintf("%x\r\n%s\r\n", len(tc.body), tc.body)
		for way, sent := range map[string]string{
			"known length":   rawRequest(tc.path, tc.contentType, tc.body, 10),
			"no body at all": rawRequest(tc.path, tc.contentType, "", 10),
			"chunked":        chunked,
		} {
			t.Run(name+", "+way, func(t *testing.T) {
				t.Parallel()
				server, ended := halfOpenGateway(t, false)
				reply, body, err := halfClosed(t, server, sent, "")
				if err != nil || reply.StatusCode != http.StatusBadRequest ||
					!strings.Contains(body, "the body ended early") {
					t.Errorf("%v, %+v: %s", err, reply, body)
				}
				if end := <-ended.ends; end.Status != http.StatusBadRequest || end.Canceled {
					t.Errorf("ended with %+v", end)
				}
			})
		}
	}
}

// The gateway forwards bodies of Google's other resources as they arrive.
func TestAHalfClosedUploadGetsNoEmptyAnswer(t *testing.T) {
	t.Parallel()
	for name, missing := range map[string]int{"whole": 0, "too short": 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, ended := halfOpenGateway(t, false)
			sent := rawRequest("/v1beta/cachedContents", "application/json", `{"model":"models/m"}`,
				missing)
			reply, body, err := halfClosed(t, server, sent, "")
			if err != nil || reply.StatusCode < http.StatusBadRequest ||
				!strings.Contains(body, `"error"`) {
				t.Errorf("%v, %+v: %s", err, reply, body)
			}
			if end := <-ended.ends; reply != nil && end.Status != reply.StatusCode {
				t.Errorf("HTTP %d, ended with %+v", reply.StatusCode, end)
			}
		})
	}
}

// A stream that has begun ends with an error, or with a connection that is cut before the end.
func TestAHalfClosedClientSeesThatItsStreamFails(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"chat, stream": `"error"`, "responses, stream": "response.failed",
		"messages, stream": "event: error", "native, stream": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			form := askedForms[name]
			server, ended := halfOpenGateway(t, false, geminitest.Text("one "))
			_, body, err := halfClosed(t, server,
				rawRequest(form.path, "application/json", form.body, 0), "one ")
			isCut := errors.Is(err, io.ErrUnexpectedEOF)
			if isCut == (want != "") || !strings.Contains(body, want) ||
				strings.Contains(body, "[DONE]") {
				t.Errorf("%v: %s", err, body)
			}
			if end := <-ended.ends; want != "" && !end.Canceled {
				t.Errorf("ended with %+v", end)
			}
		})
	}
}

// A background response continues without its client. The client's stream must not look complete.
func TestAHalfClosedClientSeesThatTheBackgroundContinues(t *testing.T) {
	t.Parallel()
	server, _ := halfOpenGateway(t, false, geminitest.Text("one "))
	sent := rawRequest(responsesPath, "application/json",
		asked("hello", `,"background":true,"stream":true`), 0)
	_, body, err := halfClosed(t, server, sent, "one ")
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v: %s", err, body)
	}
	id := responseIDs.FindStringSubmatch(body)[1]
	again := fmt.Sprintf("GET %s/%s?stream=true HTTP/1.1\r\nHost: localhost\r\n\r\n", responsesPath,
		id)
	if _, body, err := halfClosed(t, server, again, "one "); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("taken up again: %v: %s", err, body)
	}
}
