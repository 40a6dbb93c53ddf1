package gateway_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway"
)

// idleSockets is the number of connections whose memory is measured.
const idleSockets = 1000

// rawUpgrade is a request for a connection as bytes.
const rawUpgrade = "GET /v1/responses HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n" +
	"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n" +
	"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer some-key\r\n\r\n"

// rawSocket opens a connection like a client with few buffers, and has one request answered on it.
func rawSocket(t testing.TB, server *httptest.Server, request, buf []byte) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.SetDeadline(time.Now().Add(longTest))
	_, err = io.WriteString(conn, rawUpgrade)
	if err == nil {
		_, err = conn.Write(request)
	}
	for n, got := 0, []byte(nil); err == nil && !bytes.Contains(got, []byte(`"response.completed"`)); {
		n, err = conn.Read(buf)
		got = append(got, buf[:n]...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// memoryOfSockets returns the bytes that the process takes for each of many idle connections, both
// ends together. Each has had one request.
func memoryOfSockets(t testing.TB, handler http.Handler) int64 {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	body := creating("hello", noStore)
	request := append([]byte{0x81, 0x80 | 126, byte(len(body) >> 8), byte(len(body)), 0, 0, 0, 0},
		body...)
	buf := make([]byte, 64<<10)
	used := func() int64 {
		runtime.GC()
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		// without the gaps between objects, whose size depends on when the collector runs
		return int64(stats.HeapAlloc + stats.StackInuse)
	}
	_ = rawSocket(t, server, request, buf).Close()
	before := used()
	conns := make([]net.Conn, 0, idleSockets)
	defer func() {
		for _, conn := range conns {
			_ = conn.Close()
		}
	}()
	for range idleSockets {
		conns = append(conns, rawSocket(t, server, request, buf))
	}
	return (used() - before) / idleSockets
}

// It measures the memory of the process, so it does not run in parallel with other tests.
func TestAnIdleWebSocketTakesLittleMemory(t *testing.T) {
	each := memoryOfSockets(t, newGateway(t))
	t.Logf("%d bytes for each idle connection", each)
	if each > 40<<10 {
		t.Errorf("an idle connection takes %d bytes", each)
	}
}

// BenchmarkIdleWebSockets reports the memory of 1,000 idle connections.
func BenchmarkIdleWebSockets(b *testing.B) {
	var sum int64
	for b.Loop() {
		sum += memoryOfSockets(b, newGateway(b))
	}
	b.ReportMetric(float64(sum)/float64(b.N), "B/socket")
}

// Bodies of turns take no memory between the turns. The limit has room for one body only.
func TestTurnsOfAWebSocketReleaseTheirBodies(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	handler := newGateway(t, gateway.WithMaxBodySize(size), gateway.WithMaxBytesInFlight(2*size))
	text := strings.Repeat("x", size*3/4)
	for range 4 {
		client := dialSocket(t, handler)
		if f := client.create(t, text, ""); f.Type != "response.completed" {
			t.Fatalf("%.300s", f.text)
		}
	}
}
