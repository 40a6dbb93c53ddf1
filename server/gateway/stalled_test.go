package gateway_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/gateway"
)

const (
	filesPath   = "/v1/files"
	uploadPath  = "/upload/v1beta/files"
	formHeader  = "Content-Type: multipart/form-data; boundary=b\r\n"
	formOfFile  = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\nsome content"
	restOfFile  = "\r\n--b\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n--b--\r\n"
	clientsWait = gateway.DefaultBodyTimeout
)

// dialRaw opens a connection on which a test writes raw bytes.
func (g *pipedGateway) dialRaw(t *testing.T) net.Conn {
	t.Helper()
	conn, err := g.front.dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// writeAll writes text, and fails the test if writing fails.
func writeAll(t *testing.T, conn net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text); err != nil {
		t.Error(err)
	}
}

// errorCodes finds the error code in each form: OpenAI's and Anthropic's code, and Google's status.
func errorCodes(body []byte) (code string, err error) {
	var envelope struct {
		Error struct {
			Code    any
			Type    string
			Status  string
			Details any
		}
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return "", err
	}
	e := envelope.Error
	details, _ := e.Details.(map[string]any)
	return fmt.Sprint(e.Code, " ", details["error_code"], " ", e.Type, " ", e.Status), nil
}

func TestABodyThatStallsIsA408InTheEnvelopeOfItsForm(t *testing.T) {
	t.Parallel()
	const (
		openAIs    = "slow_body <nil> invalid_request_error "
		anthropics = "<nil> slow_body timeout_error "
		googles    = "408 <nil>  DEADLINE_EXCEEDED"
	)
	for name, tc := range map[string]struct {
		method, path, headers, begin, want string
	}{
		"chat_completions":         {"POST", chatPath, jsonHeader, "{", openAIs},
		"Responses":                {"POST", "/v1/responses", jsonHeader, "{", openAIs},
		"input tokens":             {"POST", "/v1/responses/input_tokens", jsonHeader, "{", openAIs},
		"conversations":            {"POST", "/v1/conversations", jsonHeader, "{", openAIs},
		"embeddings":               {"POST", embeddingsPath, jsonHeader, "{", openAIs},
		"batches":                  {"POST", "/v1/batches", jsonHeader, "{", openAIs},
		"files":                    {"POST", filesPath, formHeader, formOfFile, openAIs},
		"files, before the file":   {"POST", filesPath, formHeader, "--b\r\nContent-", openAIs},
		"files, nothing comes":     {"POST", filesPath, formHeader, "", openAIs},
		"Messages":                 {"POST", "/v1/messages", jsonHeader + "Anthropic-Version: 2023-06-01\r\n", "{", anthropics},
		"count_tokens":             {"POST", "/v1/messages/count_tokens", jsonHeader + "Anthropic-Version: 2023-06-01\r\n", "{", anthropics},
		"native":                   {"POST", nativePath, jsonHeader, "{", googles},
		"native stream":            {"POST", strings.Replace(nativePath, "generate", "streamGenerate", 1), jsonHeader, "{", googles},
		"native upload":            {"POST", uploadPath, "", "some", googles},
		"native upload, nothing":   {"POST", uploadPath, "", "", googles},
		"native upload by PUT":     {"PUT", uploadPath, "", "some", googles},
		"native caches":            {"POST", "/v1beta/cachedContents", jsonHeader, "{", googles},
		"native caches, changed":   {"PATCH", "/v1beta/cachedContents/c", jsonHeader, "{", googles},
		"a body of GET":            {"GET", "/v1/models", "", "{", openAIs},
		"a path that is not there": {"POST", "/v1/nothing", jsonHeader, "{", openAIs},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newPipedGateway(t, answerWell, gateway.WithBatches(&fileKeeper{}),
					gateway.WithMaxConcurrent(1))
				defer g.close()
				conn := g.dialRaw(t)
				defer func() { _ = conn.Close() }()
				begin := time.Now()
				writeAll(t, conn,
					strings.Replace(headOfRequest(tc.path, 500, tc.headers), "POST", tc.method, 1)+
						tc.begin)
				in := bufio.NewReader(conn)
				answer, err := http.ReadResponse(in, nil)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(answer.Body)
				if err != nil {
					t.Error(err)
				}
				took := time.Since(begin)
				got, err := errorCodes(body)
				if answer.StatusCode != http.StatusRequestTimeout || got != tc.want || err != nil {
					t.Errorf("HTTP %d: %q, want %q: %v: %s", answer.StatusCode, got, tc.want, err,
						body)
				}
				if took < clientsWait || took > clientsWait+time.Second {
					t.Errorf("answered after %v", took)
				}
				if _, err := in.ReadByte(); err != io.EOF || !answer.Close {
					t.Errorf("the connection stays open: %v", err)
				}
				if got := g.ask(t.Context(), t, false); !got.isWhole(false) {
					t.Errorf("after it: %+v", got)
				}
			})
		})
	}
}

// The bodies of two uploads stall again and again, because the client reconnects. Other requests
// are always answered. Other uploads are answered after the gateway has given up the stalled
// bodies.
func TestStalledUploadsDoNotTakeTheTurnsOfOthers(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]string{
		"files":         headOfRequest(filesPath, 500, formHeader) + formOfFile,
		"native upload": headOfRequest(uploadPath, 500) + "some",
		"chat":          headOfRequest(chatPath, 500, jsonHeader) + "{",
		"native":        headOfRequest(nativePath, 500, jsonHeader) + "{",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newPipedGateway(t, answerWell, gateway.WithBatches(&fileKeeper{}),
					gateway.WithMaxConcurrent(4), gateway.WithBodyTimeout(10*time.Second))
				defer g.close()
				var stalled []net.Conn
				for range 2 {
					conn := g.dialRaw(t)
					defer func() { _ = conn.Close() }()
					writeAll(t, conn, head)
					stalled = append(stalled, conn)
				}
				synctest.Wait()
				for range 5 {
					for _, streams := range []bool{false, true} {
						if got := g.ask(t.Context(), t, streams); !got.isWhole(streams) {
							t.Errorf("%+v", got)
						}
					}
					time.Sleep(time.Second)
				}
				for _, conn := range stalled {
					if answer, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil ||
						answer.StatusCode != http.StatusRequestTimeout {
						t.Errorf("%v, %v", answer, err)
					}
				}
				synctest.Wait()
				if answer := uploadFile(g.handler, "one"); answer.Code != http.StatusOK {
					t.Errorf("an upload then: HTTP %d: %s", answer.Code, answer.Body)
				}
			})
		})
	}
}

// A client that repeatedly begins uploads and sends little leaves slots for other clients.
func TestOneClientDoesNotTakeAllTurnsOfUploads(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]string{
		"files":         headOfRequest(filesPath, 500, formHeader, aliceHeader) + formOfFile,
		"native upload": headOfRequest(uploadPath, 500, aliceHeader) + "some",
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newPipedGateway(t, answerWell, gateway.WithBatches(&fileKeeper{}),
				gateway.WithMaxConcurrent(2), gateway.WithBodyTimeout(10*time.Second),
				gateway.WithClientKeys(keysOf(t, "alice", "bob")))
			defer g.close()
			for range 5 {
				for range 4 {
					conn := g.dialRaw(t)
					defer func() { _ = conn.Close() }()
					writeAll(t, conn, head)
				}
				synctest.Wait()
				for range 3 {
					if answer := uploadFile(g.handler, "one", "Authorization",
						"Bearer key-of-bob"); answer.Code != http.StatusOK {
						t.Errorf("%s: HTTP %d: %s", name, answer.Code, answer.Body)
					}
					time.Sleep(3 * time.Second)
				}
			}
		})
	}
}

// Over TCP, where the server reads ahead.
func TestAStalledUploadOverTCPGivesItsTurnBack(t *testing.T) {
	t.Parallel()
	const timeout = 200 * time.Millisecond
	handler := newGateway(t, gateway.WithBatches(&fileKeeper{}), gateway.WithMaxConcurrent(1),
		gateway.WithBodyTimeout(timeout), gateway.WithQueueWait(0))
	server := httptest.NewServer(handler)
	defer server.Close()
	for range 2 {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		writeAll(t, conn, headOfRequest(filesPath, 500, formHeader)+formOfFile)
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusRequestTimeout {
			t.Errorf("%v, %v", answer, err)
		}
		_ = conn.Close()
	}
	if answer := uploadFile(handler, "one"); answer.Code != http.StatusOK {
		t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
	}
}

// An upload has no time limit while its data arrives.
func TestAnUploadThatComesSteadilyIsTaken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const pieces, pieceSize = 60, 256 << 10
		keeper := &fileKeeper{}
		g := newPipedGateway(t, answerWell, gateway.WithBatches(keeper))
		defer g.close()
		conn := g.dialRaw(t)
		defer func() { _ = conn.Close() }()
		writeAll(t, conn,
			headOfRequest(filesPath, len(formOfFile)+pieces*pieceSize+len(restOfFile), formHeader)+
				formOfFile)
		for range pieces { // 10 minutes at 25 KiB a second
			time.Sleep(10 * time.Second)
			writeAll(t, conn, strings.Repeat("x", pieceSize))
		}
		writeAll(t, conn, restOfFile)
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusOK || len(keeper.files) != 1 {
			t.Errorf("%v, %v", answer, err)
		}
	})
}

// largeText is larger than the buffers of a connection.
var largeText = strings.Repeat("many words ", 100_000)

// answerAtLength is an upstream whose answers have a large text.
func answerAtLength(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	if isStreamed(r) {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	_, _ = io.WriteString(w,
		strings.ReplaceAll(bodyOfAnswer(r), `"text":"one`, `"text":"`+largeText+`one`))
}

func TestAClientThatDoesNotReadItsAnswerGivesItsTurnBack(t *testing.T) {
	t.Parallel()
	const timeout = 20 * time.Second
	ofMessages := `{"model":"gemini-2.5-flash","max_tokens":10,"messages":[{"role":"user","content":"hello"}]}`
	ofResponses := `{"model":"gemini-2.5-flash","input":"hello","store":false}`
	ofGoogle := `{"contents":[{"parts":[{"text":"hello"}]}]}`
	for name, tc := range map[string]struct{ method, path, headers, body string }{
		"chat_completions":         {"POST", chatPath, "", hello},
		"chat_completions, stream": {"POST", chatPath, "", streamed(hello)},
		"Responses":                {"POST", "/v1/responses", "", ofResponses},
		"Responses, stream":        {"POST", "/v1/responses", "", streamed(ofResponses)},
		"Messages":                 {"POST", "/v1/messages", "Anthropic-Version: 2023-06-01\r\n", ofMessages},
		"Messages, stream":         {"POST", "/v1/messages", "Anthropic-Version: 2023-06-01\r\n", streamed(ofMessages)},
		"native":                   {"POST", nativePath, "", ofGoogle},
		"native, stream":           {"POST", strings.Replace(nativePath, "generate", "streamGenerate", 1) + "?alt=sse", "", ofGoogle},
		"native resource":          {"GET", "/v1beta/files/f", "", ""},
		"native download":          {"GET", "/download/v1beta/files/f:download", "", ""},
		"content of a file":        {"GET", "/v1/files/file-0/content", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newPipedGateway(t, answerAtLength, gateway.WithBatches(&fileKeeper{}),
					gateway.WithWriteTimeout(timeout), gateway.WithMaxConcurrent(1),
					gateway.WithQueueWait(0),
					gateway.WithHeartbeat(gateway.HeartbeatOff, 0),
					gateway.WithAllowedHosts("example.com"))
				defer g.close()
				if answer := uploadFile(g.handler, largeText); answer.Code != http.StatusOK {
					t.Fatalf("HTTP %d: %s", answer.Code, answer.Body)
				}
				conn := g.dialRaw(t)
				defer func() { _ = conn.Close() }()
				begin := time.Now()
				writeAll(t, conn,
					strings.Replace(headOfRequest(tc.path, len(tc.body), jsonHeader, tc.headers),
						"POST", tc.method, 1)+tc.body)
				synctest.Wait()
				if answer := get(g.handler,
					"/v1/files"); answer.Code != http.StatusTooManyRequests {
					t.Errorf("while the answer is written: HTTP %d", answer.Code)
				}
				time.Sleep(timeout + time.Second - time.Since(begin))
				if answer := get(g.handler, "/v1/files"); answer.Code != http.StatusOK {
					t.Errorf("after the timeout: HTTP %d: %s", answer.Code, answer.Body)
				}
				if sent, err := io.ReadAll(conn); err == nil &&
					bytes.Contains(sent, []byte(largeText)) {
					t.Error("the connection was not closed")
				}
			})
		})
	}
}

// For a client that reads a whole answer slowly, the timeout applies to each piece.
func TestAClientThatReadsItsAnswerSlowlyHasAllOfIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newPipedGateway(t, answerAtLength, gateway.WithWriteTimeout(20*time.Second))
		defer g.close()
		conn := g.dialRaw(t)
		defer func() { _ = conn.Close() }()
		writeAll(t, conn, headOfRequest(chatPath, len(hello), jsonHeader)+hello)
		answer, err := http.ReadResponse(bufio.NewReader(&slowReader{conn}), nil)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(answer.Body); err != nil ||
			!bytes.Contains(body, []byte(largeText)) {
			t.Errorf("%d bytes, %v", len(body), err)
		}
	})
}

// slowReader reads 16 KiB per second.
type slowReader struct{ from io.Reader }

func (r *slowReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	time.Sleep(time.Duration(n) * time.Second >> 14)
	return n, err
}

// Five connections announce 64 MiB each, send one byte, and reconnect before the gateway gives them
// up.
func TestFewBytesDoNotLockOthersOut(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		opts      []gateway.Option
		attackers string
		own       []string
	}{
		"without keys":               {nil, "", nil},
		"with client keys":           {[]gateway.Option{gateway.WithClientKeys(keysOf(t, "alice", "bob"))}, aliceHeader, []string{"Authorization", "Bearer key-of-bob"}},
		"with callers' keys":         {[]gateway.Option{gateway.WithCallersKey()}, aliceHeader, []string{"Authorization", "Bearer mine"}},
		"callers' keys, without one": {[]gateway.Option{gateway.WithCallersKey()}, "", []string{"Authorization", "Bearer mine"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newPipedGateway(t, answerWell,
					append(tc.opts, gateway.WithMaxConcurrent(3))...)
				defer g.close()
				for range 4 {
					for range 5 {
						conn := g.dialRaw(t)
						defer func() { _ = conn.Close() }()
						writeAll(t, conn,
							headOfRequest(chatPath, gateway.DefaultMaxBodySize, jsonHeader,
								tc.attackers)+"{")
					}
					for range 5 {
						time.Sleep(5 * time.Second)
						if answer := post(g.handler, chatPath, hello,
							tc.own...); answer.Code != http.StatusOK {
							t.Errorf("HTTP %d: %s", answer.Code, answer.Body)
						}
					}
				}
			})
		})
	}
}

// A gateway that uses its callers' keys refuses a request without a key before it reads the body.
func TestARequestWithoutTheCallersKeyIsRefusedOnEveryRouteBeforeItsBody(t *testing.T) {
	t.Parallel()
	for i, route := range routes {
		synctest.Test(t, func(t *testing.T) {
			g := newPipedGateway(t, answerWell, gateway.WithCallersKey(),
				gateway.WithMaxBodySize(1<<20), gateway.WithMaxConcurrent(1))
			defer g.close()
			if answer := ask(g.handler, i, "127.0.0.1"); answer.Code != http.StatusUnauthorized {
				t.Errorf("%s: HTTP %d: %s", route.path, answer.Code, answer.Body)
			}
			conn := g.dialRaw(t)
			defer func() { _ = conn.Close() }()
			begin := time.Now()
			writeAll(t, conn,
				strings.Replace(headOfRequest(route.path, 500, jsonHeader), "POST", route.method,
					1)+"{")
			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil || answer.StatusCode != http.StatusUnauthorized ||
				time.Since(begin) > 10*time.Second {
				t.Errorf("%s: %v, %v after %v", route.path, answer, err, time.Since(begin))
			}
		})
	}
}
