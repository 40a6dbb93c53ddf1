// Package memorynet connects a client and a server in one process without a network, so that both
// can run within a bubble of testing/synctest.
package memorynet

import (
	"context"
	"net"
	"sync"
)

// Listener is a [net.Listener] whose connections come from [Listener.Dial]. [Listen] makes one.
type Listener struct {
	connections chan net.Conn
	closed      chan struct{}
	close       sync.Once
}

// Listen returns an open listener. It opens nothing outside of the process.
func Listen() *Listener {
	return &Listener{connections: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept waits for the next connection.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.connections:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends all waiting calls of Accept and Dial. Open connections stay open.
func (l *Listener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return nil
}

// Addr returns an address that names no network.
func (l *Listener) Addr() net.Addr { return address{} }

// Dial returns the client's end of a new connection. It returns an error if the listener is closed
// or ctx is done.
func (l *Listener) Dial(ctx context.Context) (net.Conn, error) {
	client, server := pipe()
	select {
	case l.connections <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type address struct{}

func (address) Network() string { return "memory" }
func (address) String() string  { return "memory" }
