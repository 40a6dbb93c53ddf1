package socket

import (
	"io"
	"time"
)

// Message is a text message while it arrives.
type Message struct {
	wire   *wire
	reader io.Reader
	isRead bool
}

// Read implements [io.Reader].
func (m *Message) Read(p []byte) (int, error) {
	n, err := m.reader.Read(p)
	m.isRead = m.isRead || err == io.EOF
	return n, err
}

// Close implements [io.Closer]. It does nothing.
func (*Message) Close() error { return nil }

// SetReadDeadline sets the deadline of reads. A message that misses it must close the connection.
func (m *Message) SetReadDeadline(at time.Time) error { return m.wire.SetReadDeadline(at) }

// discardTime is how long the rest of a message may take to arrive.
const discardTime = 30 * time.Second

// discard reads the rest of a message.
func (m *Message) discard(limit int64) error {
	if m.isRead {
		return nil
	}
	_ = m.SetReadDeadline(time.Now().Add(discardTime))
	n, err := io.CopyN(io.Discard, m, limit+1)
	if err != nil && err != io.EOF {
		return err
	}
	if n > limit {
		return &Close{Code: CodeTooBig, Reason: "the message is too large"}
	}
	return m.SetReadDeadline(time.Time{})
}
