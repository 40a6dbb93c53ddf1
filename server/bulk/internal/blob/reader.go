package blob

import (
	"context"
	"fmt"
	"io"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// Reader reads what a [Writer] wrote. It is not safe for concurrent use.
type Reader struct {
	ctx     context.Context
	stream  *engine.Stream
	subject string
	next    int    // number of a piece
	piece   []byte // what is left of it
	ended   bool   // piece is the last one
}

// NewReader returns a reader of a subject in a stream. The context applies to all reads.
func NewReader(ctx context.Context, stream *engine.Stream, subject string) *Reader {
	return &Reader{ctx: ctx, stream: stream, subject: subject}
}

// Read implements [io.Reader]. It returns [io.ErrUnexpectedEOF] if pieces are missing.
func (r *Reader) Read(p []byte) (int, error) {
	for len(r.piece) == 0 {
		if r.ended {
			return 0, io.EOF
		}
		if err := r.fetch(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.piece)
	r.piece = r.piece[n:]
	return n, nil
}

func (r *Reader) fetch() error {
	message, err := r.stream.Get(r.ctx, pieceSubject(r.subject, r.next))
	if engine.IsNotFound(err) {
		err = fmt.Errorf("%w: piece %d of %s is missing: %w", engine.ErrDamaged, r.next, r.subject,
			io.ErrUnexpectedEOF)
	}
	if err != nil {
		return fmt.Errorf("bulk: read from the store: %w", err)
	}
	r.next, r.piece, r.ended = r.next+1, message.Data, message.Header.Get(headerEnd) != ""
	return nil
}

// Close implements [io.Closer].
func (r *Reader) Close() error { return nil }
