package memorynet

import (
	"io"
	"net"
	"sync/atomic"
	"syscall"
)

// pipe returns the two ends of a connection. The server's end can be reset, like a *[net.TCPConn].
func pipe() (client, server net.Conn) {
	clientEnd, serverEnd := net.Pipe()
	reset := new(atomic.Bool)
	return &clientConn{clientEnd, reset}, &serverConn{serverEnd, reset}
}

// clientConn is the client's end. After the server resets the connection, reading fails as on a
// network.
type clientConn struct {
	net.Conn
	reset *atomic.Bool
}

// Read reads the server's data.
func (c *clientConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err == io.EOF && c.reset.Load() {
		err = &net.OpError{Op: "read", Net: "memory", Err: syscall.ECONNRESET}
	}
	return n, err
}

// serverConn is the server's end.
type serverConn struct {
	net.Conn
	reset *atomic.Bool
}

// SetLinger with 0 makes Close reset the connection.
func (c *serverConn) SetLinger(seconds int) error {
	c.reset.Store(seconds == 0)
	return nil
}
