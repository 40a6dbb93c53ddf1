package socket

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"sync"
	"time"
)

// wire is the network connection below a [Conn]. It counts the frames that arrive, and disconnects
// a peer that does not read.
type wire struct {
	net.Conn
	writeTimeout time.Duration
	deadline     time.Time // of writes

	mu          sync.Mutex
	meter       meter
	fault       error // of the meter, which the next read returns
	lastRead    time.Time
	isGone      bool // the network connection has failed
	isWoken     bool // reads fail until settle
	isSettled   bool // frames are not counted any more
	isLingering bool
}

// errWoken is returned by a read that wake has ended.
var errWoken = errors.New("socket: the read was ended")

// Read implements [net.Conn].
func (w *wire) Read(p []byte) (int, error) {
	w.mu.Lock()
	fault, isSettled := w.fault, w.isSettled
	w.mu.Unlock()
	if fault != nil && !isSettled {
		return 0, fault
	}
	n, err := w.Conn.Read(p)
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if n > 0 {
		w.lastRead = now
		if !w.isSettled {
			w.fault = w.meter.pass(p[:n], now)
		}
	}
	switch {
	case err == nil:
	case !errors.Is(err, os.ErrDeadlineExceeded):
		w.isGone = true
	case w.isWoken:
		err = errWoken
	}
	return n, err
}

// pieceSize is the number of bytes that a peer must accept within the write timeout.
const pieceSize = 64 << 10

// Write implements [net.Conn]. Package websocket calls it one at a time.
func (w *wire) Write(p []byte) (n int, err error) {
	for piece := range slices.Chunk(p, pieceSize) {
		if now := time.Now(); w.deadline.Sub(now) < w.writeTimeout/2 {
			w.deadline = now.Add(w.writeTimeout)
			_ = w.Conn.SetWriteDeadline(w.deadline)
		}
		done, err := w.Conn.Write(piece)
		n += done
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// SetReadDeadline implements [net.Conn]. After wake it does nothing.
func (w *wire) SetReadDeadline(at time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isWoken {
		return nil
	}
	return w.Conn.SetReadDeadline(at)
}

// wake ends a read that waits, and fails the reads after it.
func (w *wire) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.isSettled {
		w.isWoken = true
		_ = w.Conn.SetReadDeadline(time.Unix(1, 0))
	}
}

// closeTime is how long the peer may take to answer a close frame.
const closeTime = 5 * time.Second

// settle lets reads wait again, for the end of the closing handshake. Package websocket reads the
// rest of a message without a limit of its own.
func (w *wire) settle() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.isWoken, w.isSettled, w.isLingering = false, true, true
	_ = w.Conn.SetReadDeadline(time.Now().Add(closeTime))
}

// state returns what the reader saw.
func (w *wire) state() (fault error, isGone bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fault, w.isGone
}

// hasReadSince reports whether the peer has sent anything since a time.
func (w *wire) hasReadSince(at time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.lastRead.Before(at)
}

// lingerTime and lingerSize limit what is read after the close frame. Without this the network
// would drop the close frame, because unread bytes reset the connection.
const (
	lingerTime = time.Second
	lingerSize = 1 << 20
)

// Close implements [net.Conn].
func (w *wire) Close() error {
	w.mu.Lock()
	lingers := w.isLingering && !w.isGone
	w.isLingering = false
	w.mu.Unlock()
	if half, ok := w.Conn.(interface{ CloseWrite() error }); lingers && ok &&
		half.CloseWrite() == nil {
		_ = w.Conn.SetReadDeadline(time.Now().Add(lingerTime))
		_, _ = io.CopyN(io.Discard, w.Conn, lingerSize)
	}
	return w.Conn.Close()
}

// hijacking is a response writer whose connection is a wire.
type hijacking struct {
	http.ResponseWriter
	writeTimeout time.Duration
	wire         *wire
}

// Unwrap gives [http.ResponseController] access to the connection.
func (h *hijacking) Unwrap() http.ResponseWriter { return h.ResponseWriter }

// Hijack implements [http.Hijacker]. Frames that came with the request are counted too.
func (h *hijacking) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.wire = &wire{Conn: conn, writeTimeout: h.writeTimeout, meter: newMeter()}
	early, _ := buffers.Reader.Peek(buffers.Reader.Buffered())
	h.wire.fault = h.wire.meter.pass(early, time.Now())
	buffers.Writer.Reset(h.wire)
	return h.wire, buffers, nil
}
