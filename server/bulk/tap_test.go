package bulk_test

import (
	"bytes"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/server/bulk"
)

// tap intercepts a client's connection to its server. It acts on a message to a stream, counted
// from 1. It is a dialer of NATS' client.
type tap struct {
	at  int
	act func(c *tapped, data []byte) (int, error)

	mu     sync.Mutex
	writes int
}

// Dial connects, and listens to the written data.
func (t *tap) Dial(network, address string) (net.Conn, error) {
	conn, err := net.Dial(network, address)
	return &tapped{Conn: conn, tap: t, held: make(chan struct{})}, err
}

// count counts the messages to streams, and reports whether the chosen message is among them.
func (t *tap) count(data []byte) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.writes
	t.writes += bytes.Count(data, []byte("HPUB gemwire.")) + bytes.Count(data, []byte("HPUB $KV."))
	return before < t.at && t.at <= t.writes
}

// seen is the number of messages to streams.
func (t *tap) seen() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.writes
}

// tapped is a connection of a tap.
type tapped struct {
	net.Conn
	tap   *tap
	mu    sync.Mutex
	holds bool
	held  chan struct{} // closed when answers come through again
}

func (c *tapped) Write(data []byte) (int, error) {
	if c.tap.count(data) {
		return c.tap.act(c, data)
	}
	return c.Conn.Write(data)
}

func (c *tapped) Read(data []byte) (int, error) {
	n, err := c.Conn.Read(data)
	c.mu.Lock()
	holds := c.holds
	c.mu.Unlock()
	if holds {
		<-c.held
	}
	return n, err
}

// hold keeps answers back for a moment.
func (c *tapped) hold() {
	c.mu.Lock()
	c.holds = true
	c.mu.Unlock()
	time.AfterFunc(100*time.Millisecond, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.holds = false
		close(c.held)
	})
}

// endBehind calls end after a message was sent to the server, and before its answer arrives.
func endBehind(number int, end func()) *tap {
	return &tap{at: number, act: func(c *tapped, data []byte) (int, error) {
		c.hold()
		n, err := c.Conn.Write(data)
		end()
		return n, err
	}}
}

// cutBehind cuts the connection when the server has a message, and before its answer arrives.
func cutBehind(number int) *tap {
	return &tap{at: number, act: func(c *tapped, data []byte) (int, error) {
		c.hold()
		n, err := c.Conn.Write(data)
		time.Sleep(20 * time.Millisecond)
		_ = c.Conn.Close()
		return n, err
	}}
}

// cutBefore cuts the connection instead of sending a message.
func cutBefore(number int) *tap {
	return &tap{at: number, act: func(c *tapped, _ []byte) (int, error) {
		_ = c.Conn.Close()
		return 0, net.ErrClosed
	}}
}

// openBy opens a store on a server through a tap.
func openBy(t *testing.T, address string, tap *tap) *bulk.Service {
	t.Helper()
	return openAt(t, address, bulk.WithServer(address, nats.SetCustomDialer(tap)))
}
