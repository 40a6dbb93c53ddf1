package gateway

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// The transport's timeouts are tested inside the package, because only a connection in memory needs
// no real waiting.

// dialing is the gateway's transport with one connection in memory, and the server's end of it.
func dialing(t *testing.T) (*http.Transport, net.Conn) {
	t.Helper()
	client, server := net.Pipe()
	transport := newTransport()
	transport.Proxy = nil
	transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		return client, nil
	}
	t.Cleanup(func() { _, _ = client.Close(), server.Close() })
	return transport, server
}

func TestAnUpstreamHasTenSecondsForTheHandshake(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		transport, server := dialing(t)
		go func() { _, _ = io.Copy(io.Discard, server) }() // it never answers
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, "GET", "https://upstream.test/", nil)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		response, err := transport.RoundTrip(request)
		if err == nil {
			_ = response.Body.Close()
		}
		if timeout := net.Error(nil); !errors.As(err, &timeout) || !timeout.Timeout() ||
			time.Since(start) != 10*time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
	})
}

func TestAnIdleConnectionToTheUpstreamIsClosedAfterAMinuteAndAHalf(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		transport, server := dialing(t)
		closed := make(chan time.Time, 1)
		go func() {
			from := bufio.NewReader(server)
			if _, err := http.ReadRequest(from); err != nil {
				t.Error(err)
			}
			_, _ = io.WriteString(server, "HTTP/1.1 204 No Content\r\n\r\n")
			_, _ = from.ReadByte() // until the connection is closed
			closed <- time.Now()
		}()
		request, err := http.NewRequestWithContext(t.Context(), "GET", "http://upstream.test/", nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := transport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		start := time.Now()
		select {
		case at := <-closed:
			if idle := at.Sub(start); idle != 90*time.Second {
				t.Errorf("it is closed after %v", idle)
			}
		case <-time.After(time.Hour):
			t.Error("it stays open")
		}
	})
}
