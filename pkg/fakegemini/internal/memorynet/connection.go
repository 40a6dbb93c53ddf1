package memorynet

import (
	"io"
	"net"
	"sync/atomic"
	"syscall"
)

// pipe returns the two ends of a connection. The server's can be reset, as a *[net.TCPConn] can be.
func pipe() (client, server net.Conn) {
	clientEnd, serverEnd := net.Pipe()
	reset := new(atomic.Bool)
	return &clientConn{clientEnd, reset}, &serverConn{serverEnd, reset}
}

// clientConn is the end of the client. Reading fails as on a network when the server has reset the
// connection.
type clientConn struct {
	net.Conn
	reset *atomic.Bool
}

// Read reads what the server sends.
func (c *clientConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == io.EOF && c.reset.Load() {
		err = &net.OpError{Op: "read", Net: "memory", Err: syscall.ECONNRESET}
	}
	return n, err
}

// serverConn is the end of the server.
type serverConn struct {
	net.Conn
	reset *atomic.Bool
}

// SetLinger with 0 has Close reset the connection.
func (c *serverConn) SetLinger(seconds int) error {
	c.reset.Store(seconds == 0)
	return nil
}
