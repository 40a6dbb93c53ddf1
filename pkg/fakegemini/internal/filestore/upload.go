package filestore

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
)

// Upload is a file that arrives in pieces. It is safe for concurrent use.
type Upload struct {
	ID string

	mu          sync.Mutex
	meta        geminiapi.File
	size        int64 // -1 if it was not announced
	received    int64
	content     []byte // the received bytes, until the file is complete
	file        *File
	isCancelled bool

	contentSize atomic.Int64 // the size of content
}

// uploadLifetime is how long an upload may last.
const uploadLifetime = 24 * time.Hour

// MaxSize is the maximum size of a file: 512 MiB. The real server accepts 2 GB.
const MaxSize = 512 << 20

// The errors for a piece.
var (
	ErrOffset    = errors.New("the offset is not the number of bytes received")
	ErrSize      = errors.New("the size is not the announced one")
	ErrTooLarge  = errors.New("the file is too large")
	ErrFull      = errors.New("the files exceed the total size of this server")
	ErrCancelled = errors.New("the upload was cancelled")
)

// Begin opens an upload. size is -1 if unknown.
func (s *Store) Begin(meta geminiapi.File, size int64) *Upload {
	u := &Upload{ID: s.uploads.NewID(40), meta: meta, size: size}
	s.uploads.Put(u.ID, u, time.Now().Add(uploadLifetime))
	return u
}

// Upload returns the upload with an id, even after it has ended.
func (s *Store) Upload(id string) (*Upload, bool) { return s.uploads.Get(id) }

// Append adds a piece at an offset. The last piece completes the file.
func (s *Store) Append(u *Upload, offset int64, piece []byte, isLast bool) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	end := u.received + int64(len(piece))
	switch {
	case u.isCancelled:
		return ErrCancelled
	case u.file != nil, offset != u.received:
		return ErrOffset
	case end > MaxSize:
		return ErrTooLarge
	case u.size >= 0 && (end > u.size || isLast && end != u.size):
		return ErrSize
	}
	if !s.Fits(len(piece)) {
		return ErrFull
	}
	u.content, u.received = append(u.content, piece...), end
	if isLast {
		u.file, u.content = s.Add(u.meta, u.content), nil
	}
	u.contentSize.Store(int64(len(u.content)))
	return nil
}

// State returns the number of bytes that have arrived, and the file when it is complete.
func (u *Upload) State() (received int64, file *File, isCancelled bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.received, u.file, u.isCancelled
}

// Cancel ends an incomplete upload and drops its bytes.
func (u *Upload) Cancel() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.file == nil {
		u.isCancelled, u.content = true, nil
		u.contentSize.Store(0)
	}
}
