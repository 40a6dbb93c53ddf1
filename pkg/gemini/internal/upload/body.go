package upload

import (
	"bytes"
	"io"
	"sync"
)

// Body is a piece that is being sent. The HTTP client may keep reading a body long after the call
// failed. After Detach it reads nothing more, so that the memory of the piece can be reused.
type Body struct {
	mu   sync.Mutex
	rest *bytes.Reader // nil after Detach
}

// NewBody returns the body for a piece.
func NewBody(piece []byte) *Body { return &Body{rest: bytes.NewReader(piece)} }

// Read reads from the piece.
func (b *Body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rest == nil {
		return 0, io.ErrClosedPipe
	}
	return b.rest.Read(p)
}

// Detach makes all later reads fail.
func (b *Body) Detach() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rest = nil
}
