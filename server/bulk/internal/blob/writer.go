package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"

	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// Writer writes the data of a subject, which must be empty. If two writers use one subject, all but
// one get [engine.ErrConflict]. It is not safe for concurrent use.
type Writer struct {
	stream  *engine.Stream
	subject string
	piece   []byte
	spare   []byte       // the piece before it, which written may still need
	pieces  int          // that were given to the store
	written func() error // waits for the last of them; nil for none
	size    int64
	digest  hash.Hash
}

// NewWriter returns a writer. The data is complete once Close has returned nil.
func NewWriter(stream *engine.Stream, subject string) *Writer {
	return &Writer{stream: stream, subject: subject, digest: sha256.New()}
}

// Write adds bytes. When it returns, all complete pieces but the last are on the disk.
func (w *Writer) Write(ctx context.Context, data []byte) error {
	_, _ = w.digest.Write(data)
	w.size += int64(len(data))
	for size := w.stream.PieceSize(); len(data) > 0; {
		n := min(size-len(w.piece), len(data))
		w.piece, data = append(w.piece, data[:n]...), data[n:]
		if len(w.piece) == size {
			if err := w.flush(ctx, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close writes the rest and the end mark.
func (w *Writer) Close(ctx context.Context) error {
	if err := w.flush(ctx, nats.Header{headerEnd: {"1"}}); err != nil {
		return err
	}
	return w.wait()
}

// headerEnd marks the last piece, which may be empty.
const headerEnd = "Gemwire-End"

// pieceSubject returns the subject of a piece, counted from 0.
func pieceSubject(subject string, number int) string { return subject + "." + strconv.Itoa(number) }

// Pieces returns the subjects of all pieces.
func Pieces(subject string) string { return subject + ".*" }

// flush sends a piece to the store. The previous piece is on the disk then.
func (w *Writer) flush(ctx context.Context, header nats.Header) error {
	if err := w.wait(); err != nil {
		return err
	}
	message := &nats.Msg{Subject: pieceSubject(w.subject, w.pieces), Header: header, Data: w.piece}
	written, err := w.stream.CreateSoon(ctx, message)
	if err != nil {
		return err
	}
	w.written = written
	w.pieces, w.piece, w.spare = w.pieces+1, w.spare[:0], w.piece
	return nil
}

// wait waits until everything that was sent to the store is on the disk.
func (w *Writer) wait() error {
	if w.written == nil {
		return nil
	}
	err := w.written()
	w.written = nil
	return err
}

// Size returns the number of bytes that were written. SHA256 returns their digest in hexadecimal
// digits.
func (w *Writer) Size() int64    { return w.size }
func (w *Writer) SHA256() string { return hex.EncodeToString(w.digest.Sum(nil)) }
