package upload

import (
	"bytes"
	"io"
	"sync"
)

// Body is a piece on its way. The HTTP client may go on reading a body when the call has long
// failed; of one that was detached it reads nothing more, so that the memory of the piece can be
// used again.
type Body struct {
	mu   sync.Mutex
	rest *bytes.Reader // nil once detached
}

// NewBody returns the body for a piece.
func NewBody(piece []byte) *Body { return &Body{rest: bytes.NewReader(piece)} }

// Read reads of the piece.
func (b *Body) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rest == nil {
		return 0, io.ErrClosedPipe
	}
	return b.rest.Read(p)
}

// Detach ends all reading.
func (b *Body) Detach() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rest = nil
}
