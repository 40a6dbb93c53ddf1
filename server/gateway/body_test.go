package gateway_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gemwire/gemwire/server/gateway"
)

// headOfRequest is the head of a request with a Content-Length.
func headOfRequest(path string, size int, headers ...string) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n", path,
		size, strings.Join(headers, ""))
}

const (
	jsonHeader  = "Content-Type: application/json\r\n"
	aliceHeader = "Authorization: Bearer key-of-alice\r\n"
	nativePath  = "/v1beta/models/gemini-2.5-flash:generateContent"
)

// A client that waits for the answer gets one. A client that sends nothing cannot hold its
// connection forever.
func TestARequestWhoseBodyDoesNotComeIsAnswered(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		head   string
		status int
	}{
		"it stalls":             {headOfRequest(chatPath, 500, jsonHeader, aliceHeader), http.StatusRequestTimeout},
		"it stalls, native":     {headOfRequest(nativePath, 500, jsonHeader, aliceHeader), http.StatusRequestTimeout},
		"it is too large":       {headOfRequest(chatPath, 5000, jsonHeader, aliceHeader), http.StatusRequestEntityTooLarge},
		"it has no key":         {headOfRequest(chatPath, 500, jsonHeader), http.StatusUnauthorized},
		"it has no key, native": {headOfRequest(nativePath, 500, jsonHeader), http.StatusUnauthorized},
		"it has no key, upload": {headOfRequest("/upload/v1beta/files", 500), http.StatusUnauthorized},
		"its type is wrong":     {headOfRequest(chatPath, 500, "Content-Type: text/plain\r\n", aliceHeader), http.StatusUnsupportedMediaType},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				g := newPipedGateway(t, answerWell, gateway.WithClientKeys(keysOf(t, "alice")),
					gateway.WithMaxBodySize(1000))
				defer g.close()
				conn, err := g.front.dial(t.Context(), "", "")
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = conn.Close() }()
				begin := time.Now()
				if _, err := conn.Write([]byte(tc.head + `{"model"`)); err != nil {
					t.Fatal(err)
				}
				answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				_ = answer.Body.Close()
				if took := time.Since(begin); answer.StatusCode != tc.status ||
					answer.ContentLength == 0 || took > time.Minute {
					t.Errorf("HTTP %d with %d bytes after %v, want %d", answer.StatusCode,
						answer.ContentLength, took, tc.status)
				}
			})
		})
	}
}

// Many clients do not read the answer before they have sent the whole body.
func TestARefusalIsReadAfterALargeBody(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newGateway(t, gateway.WithClientKeys(keysOf(t, "alice"))))
	defer server.Close()
	for _, path := range []string{chatPath, nativePath, "/upload/v1beta/files"} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		const size = 8 << 20
		if _, err := conn.Write([]byte(headOfRequest(path, size, jsonHeader))); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write(make([]byte, size)); err != nil {
			t.Errorf("%s: %v", path, err)
		} else if answer,
			err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil ||
			answer.StatusCode != http.StatusUnauthorized {
			t.Errorf("%s: %v, %v", path, answer, err)
		}
		_ = conn.Close()
	}
}

func TestAnErrorQuotesNoNameOfMegabytes(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1<<20)
	for name, body := range map[string]string{
		"unknown member": `{"` + long + `":1,` + hello[1:],
		"deep member": strings.Replace(hello, "{",
			`{"metadata":`+strings.Repeat(`{"a":`, 20000)+`1`+strings.Repeat(`}`, 20000)+`,`, 1),
		"model": strings.Replace(hello, "gemini-2.5-flash", long, 1),
	} {
		answer := post(newGateway(t), chatPath, body)
		if answer.Code < 400 || answer.Code > 499 || answer.Body.Len() > 16<<10 {
			t.Errorf("%s: HTTP %d with %d bytes", name, answer.Code, answer.Body.Len())
		}
	}
}
