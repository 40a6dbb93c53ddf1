package socket_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/gemwire/gemwire/server/gateway/internal/socket"
)

// echo sends each message back, in the lane that its first byte names.
func echo(conn *socket.Conn) func(context.Context, *socket.Message) error {
	return func(_ context.Context, m *socket.Message) error {
		data, err := io.ReadAll(m)
		if err != nil {
			return err
		}
		return conn.Go(string(data[:1]), func() { _ = conn.Send(data) })
	}
}

// settings are limits that no test reaches.
func settings() socket.Settings {
	return socket.Settings{Ping: time.Hour, PongWait: time.Hour, Age: time.Hour,
		Old: func() *socket.Close { return nil }, WriteTimeout: 20 * time.Second,
		DiscardLimit: 1 << 20}
}

// newServer returns a server of connections.
func newServer(t *testing.T, s socket.Settings,
	receive func(*socket.Conn) func(context.Context, *socket.Message) error) *httptest.Server {
	t.Helper()
	var serving sync.WaitGroup
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving.Add(1)
		defer serving.Done()
		if err := socket.Check(w, r); err != nil {
			t.Error(err)
			return
		}
		conn, err := socket.Accept(w, r, s)
		if err != nil {
			t.Error(err)
			return
		}
		conn.Serve(context.Background(), receive(conn))
	}))
	t.Cleanup(func() { serving.Wait(); server.Close() })
	return server
}

// dial returns a client of the library.
func dial(t *testing.T, server *httptest.Server) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), server.URL,
		&websocket.DialOptions{HTTPClient: server.Client()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn
}

// dialRaw returns a client that writes frames byte by byte.
func dialRaw(t *testing.T, server *httptest.Server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	_, err = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"+
		"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	for head := ""; !strings.HasSuffix(head, "\r\n\r\n"); {
		var b [1]byte
		if _, err := io.ReadFull(conn, b[:]); err != nil {
			t.Fatal(err)
		}
		head += string(b[:])
	}
	return conn
}

// frameOf returns a masked frame with a mask of zeros.
func frameOf(first byte, payload string) string {
	return string([]byte{first, 0x80 | byte(len(payload)), 0, 0, 0, 0}) + payload
}

// closeCode reads frames of the server until a close frame, and returns its code. It returns 0 if
// the connection ends without one.
func closeCode(conn net.Conn) socket.Code {
	for {
		var head [2]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			return 0
		}
		payload := make([]byte, head[1])
		if _, err := io.ReadFull(conn, payload); err != nil {
			return 0
		}
		if head[0] == 0x88 && len(payload) >= 2 {
			return socket.Code(binary.BigEndian.Uint16(payload))
		}
	}
}

func TestFloodsEndInACloseWithACode(t *testing.T) {
	t.Parallel()
	const (
		text, more, ping, pong, binaryData = 0x01, 0x00, 0x89, 0x8a, 0x82
	)
	for name, tc := range map[string]struct {
		begin, again string
		want         socket.Code
	}{
		"pings":              {"", frameOf(ping, "x"), socket.CodePolicy},
		"pongs":              {"", frameOf(pong, ""), socket.CodePolicy},
		"pings in a message": {frameOf(text, "x"), frameOf(ping, ""), socket.CodePolicy},
		"empty fragments":    {frameOf(text, "x"), frameOf(more, ""), socket.CodePolicy},
		"small fragments":    {frameOf(text, "x"), frameOf(more, "y"), socket.CodePolicy},
		"binary frames":      {"", frameOf(binaryData, "x"), socket.CodeUnsupported},
		"unknown frames":     {"", frameOf(0x83, "x"), socket.CodeProtocol},
		"unmasked frames":    {"", "\x81\x01x", socket.CodeProtocol},
		"reserved bits":      {"", frameOf(0xc1, "x"), socket.CodeProtocol},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := dialRaw(t, newServer(t, settings(), echo))
			go func() {
				_, err := io.WriteString(conn, tc.begin)
				for flood := strings.Repeat(tc.again, 100); err == nil; {
					_, err = io.WriteString(conn, flood)
				}
			}()
			if code := closeCode(conn); code != tc.want {
				t.Errorf("closed with %d, want %d", code, tc.want)
			}
		})
	}
}

func TestALongMessageInManyFragmentsIsReceived(t *testing.T) {
	t.Parallel()
	client := dial(t, newServer(t, settings(), echo))
	writer, err := client.Writer(t.Context(), websocket.MessageText)
	if err != nil {
		t.Fatal(err)
	}
	piece := strings.Repeat("x", 100)
	for range 3000 {
		if _, err := io.WriteString(writer, piece); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	client.SetReadLimit(-1)
	if _, data, err := client.Read(t.Context()); err != nil || len(data) != 300_000 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

func TestThe33rdNamedLaneIsRefused(t *testing.T) {
	t.Parallel()
	done := make(chan error, 1)
	server := newServer(t, settings(), func(conn *socket.Conn) func(context.Context,
		*socket.Message) error {
		return func(context.Context, *socket.Message) error {
			for i := range 32 {
				if err := conn.Go(fmt.Sprint("lane ", i), func() {}); err != nil {
					done <- err
				}
			}
			if err := conn.Go("", func() {}); err != nil {
				done <- err
			}
			done <- conn.Go("another", func() {})
			return nil
		}
	})
	client := dial(t, server)
	if err := client.Write(t.Context(), websocket.MessageText, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, socket.ErrLanes) {
		t.Errorf("%v", err)
	}
}

func TestAMessageThatIsNotReadIsDiscarded(t *testing.T) {
	t.Parallel()
	s := settings()
	s.DiscardLimit = 1000
	server := newServer(t, s, func(conn *socket.Conn) func(context.Context, *socket.Message) error {
		return func(_ context.Context, m *socket.Message) error {
			var first [1]byte
			if _, err := m.Read(first[:]); err != nil {
				return err
			}
			return conn.Send(first[:])
		}
	})
	client := dial(t, server)
	for _, size := range []int{1, 1000, 1} {
		message := strings.Repeat("x", size)
		if err := client.Write(t.Context(), websocket.MessageText, []byte(message)); err != nil {
			t.Fatal(err)
		}
		if _, data, err := client.Read(t.Context()); err != nil || string(data) != "x" {
			t.Errorf("%q, %v", data, err)
		}
	}
	if err := client.Write(t.Context(), websocket.MessageText, make([]byte, 2000)); err != nil {
		t.Fatal(err)
	}
	var err error
	for err == nil {
		_, _, err = client.Read(t.Context())
	}
	if code := websocket.CloseStatus(err); code != websocket.StatusMessageTooBig {
		t.Errorf("closed with %d", code)
	}
}

func TestAReturnedCloseIsSentWithItsLastMessage(t *testing.T) {
	t.Parallel()
	why := &socket.Close{Code: socket.CodeRestart, Reason: "busy", Last: []byte("last words")}
	server := newServer(t, settings(), func(*socket.Conn) func(context.Context,
		*socket.Message) error {
		return func(context.Context, *socket.Message) error { return why }
	})
	client := dial(t, server)
	if err := client.Write(t.Context(), websocket.MessageText, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, data, err := client.Read(t.Context()); string(data) != "last words" {
		t.Errorf("%q, %v", data, err)
	}
	_, _, err := client.Read(t.Context())
	if closed, ok := errors.AsType[websocket.CloseError](err); !ok ||
		closed.Code != websocket.StatusServiceRestart || closed.Reason != "busy" {
		t.Errorf("%v", err)
	}
}

func TestAGroupLimitsAllConnectionsAndThoseOfAClient(t *testing.T) {
	t.Parallel()
	group := socket.NewGroup(3, 2)
	first, second := group.Take("ann"), group.Take("ann")
	if first == nil || second == nil || group.Take("ann") != nil {
		t.Error("ann must have two seats")
	}
	if group.Take("bob") == nil || group.Take("cid") != nil {
		t.Error("the group must have three seats")
	}
	first.Leave()
	if group.Take("cid") == nil {
		t.Error("the seat is not free again")
	}
}

func TestAGroupThatIsShutDownDrainsItsConnections(t *testing.T) {
	t.Parallel()
	group := socket.NewGroup(10, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seat := group.Take("")
		defer seat.Leave()
		conn, err := socket.Accept(w, r, settings())
		if err != nil {
			t.Error(err)
			return
		}
		seat.Hold(conn)
		conn.Serve(context.Background(), echo(conn))
	}))
	defer server.Close()
	client := dial(t, server)
	closed := make(chan error, 1)
	go func() { _, _, err := client.Read(context.Background()); closed <- err }()
	group.Shutdown(&socket.Close{Code: socket.CodeGoingAway})
	if err := group.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	if code := websocket.CloseStatus(<-closed); code != websocket.StatusGoingAway {
		t.Errorf("closed with %d", code)
	}
	if group.Take("") != nil {
		t.Error("it takes another connection")
	}
}
