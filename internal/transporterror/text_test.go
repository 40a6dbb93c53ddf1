package transporterror_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gemwire/gemwire/internal/transporterror"
)

func TestTheTextOfATransportErrorQuotesNoAddress(t *testing.T) {
	t.Parallel()
	refused := &net.OpError{Op: "dial", Net: "tcp",
		Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1),
			Port: 443}, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	unknown := &net.DNSError{Err: "no such host", Name: "secret.example", Server: "192.0.2.53:53"}
	reset := &net.OpError{
		Op: "read", Net: "tcp", Source: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 5},
		Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 443},
		Err:  os.NewSyscallError("read", syscall.ECONNRESET),
	}
	post := func(err error) error { return &url.Error{Op: "Post", URL: "https://secret.example/v1?key=k", Err: err} }
	for want, err := range map[string]error{
		"Post: dial tcp: connect: connection refused": post(refused),
		"Post: dial tcp: lookup: no such host": post(&net.OpError{Op: "dial", Net: "tcp",
			Err: unknown}),
		"gemini: send: Post: EOF (1)": fmt.Errorf("gemini: send: %w (%d)",
			post(io.EOF), 1),
		"read tcp: read: connection reset by peer": reset,
		"Post: context deadline exceeded":          post(context.DeadlineExceeded),
		"Post: mismatched local address type": post(
			&net.AddrError{Err: "mismatched local address type", Addr: "192.0.2.1"}),
		"timeout after Post: EOF": fmt.Errorf("%w after %w",
			errors.New("timeout"), post(io.EOF)),
		"no more than this": errors.New("no more than this"),
		"parse: first path segment in URL cannot be x": &url.Error{Op: "parse", URL: "192.0.2.1:x",
			Err: errors.New("first path segment in URL cannot be x")},
	} {
		if got := transporterror.Text(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTheHostOfARequestHasAPortAndNothingElseOfTheAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://user:secret@host.example/v1?key=k": "host.example:443",
		"http://127.0.0.1:9/x":                      "127.0.0.1:9",
		"http://[::1]/":                             "[::1]:80", "::": "", "/path": "",
	} {
		err := fmt.Errorf("generateContent: %w", &url.Error{Op: "Post", URL: address, Err: io.EOF})
		if got := transporterror.Host(err); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
	if got := transporterror.Host(io.EOF); got != "" {
		t.Errorf("an error of no request: %q", got)
	}
}

func TestAnErrorOfARoundTripperGetsTheHostOfItsRequest(t *testing.T) {
	t.Parallel()
	refused := &net.OpError{Op: "dial", Net: "tcp",
		Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 443},
		Err:  os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	address := &url.URL{Scheme: "https", Host: "host.example", Path: "/v1",
		User: url.UserPassword("user", "secret"), RawQuery: "key=k"}
	err := fmt.Errorf("generateContent: %w", transporterror.WithHost(refused, address))
	if err.Error() != "generateContent: "+refused.Error() || !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("got %v; want the text and the chain of the error", err)
	}
	host, text := transporterror.Failure(err)
	if host != "host.example:443" || text != "dial tcp: connect: connection refused" {
		t.Errorf("got %q, %q", host, text)
	}
	if text := transporterror.Text(err); text !=
		"generateContent: dial tcp: connect: connection refused" {
		t.Errorf("got %q", text)
	}
	for _, err := range []error{transporterror.WithHost(nil, address),
		transporterror.WithHost(io.EOF, nil), transporterror.WithHost(io.EOF, &url.URL{})} {
		if err != nil && transporterror.Host(err) != "" {
			t.Errorf("got %v with the host %q; want none", err, transporterror.Host(err))
		}
	}
}

func TestGooglesHostsAndThisMachineAreWellKnown(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"generativelanguage.googleapis.com:443":     true,
		"us-central1-aiplatform.GoogleAPIs.com:443": true,
		"127.0.0.1:8080": true, "localhost:1": true, "[::1]:80": true,
		"googleapis.com.internal.example:443": false, "notgoogleapis.com:443": false,
		"10.0.0.7:443": false, "gemini.internal:443": false, "": false, "127.0.0.1": false,
	} {
		if got := transporterror.IsWellKnown(host); got != want {
			t.Errorf("%s: got %v, want %v", host, got, want)
		}
	}
}

func TestErrorsOfTheRealClientQuoteNoAddress(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		<-r.Context().Done()
	}))
	defer slow.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	client := http.Client{Timeout: 50 * time.Millisecond}
	for _, address := range []string{closed.URL + "/?key=k", slow.URL + "/?key=k",
		secure.URL + "/?key=k", "http://secret.invalid/?key=k", "http://127.0.0.1:1/?key=k", ":"} {
		_, err := client.Get(address)
		if err == nil {
			t.Fatal(address)
		}
		if text := transporterror.Text(err); strings.Contains(text, "127.0.0.1") ||
			strings.Contains(text, "invalid/") || strings.Contains(text, "key") {
			t.Errorf("%s", text)
		}
	}
}
