package documents

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// headerPieces is the number of pieces of a blob, in each of them.
const headerPieces = "Gemwire-Pieces"

// ahead is the maximum number of pieces that are on the way to the store.
const ahead = 16

// putBlob writes data in pieces under a new name. The pieces are then on the disk.
func (s *Store) putBlob(ctx context.Context, k key, data []byte, stamps string) (name string,
	err error) {
	name = rand.Text()
	size := s.stream.PieceSize()
	pieces := max(1, (len(data)+size-1)/size)
	var waits []func() error
	for i := range pieces {
		message := &nats.Msg{Subject: k.piece(name, pieceNumber(i)),
			Header: nats.Header{headerPieces: {strconv.Itoa(pieces)}},
			Data:   data[i*size : min(len(data), (i+1)*size)]}
		if i == 0 && stamps != "" {
			message.Header[headerStamps] = []string{stamps}
		}
		if len(waits) == ahead {
			if err := waits[0](); err != nil {
				return "", err
			}
			waits = waits[1:]
		}
		wait, err := s.stream.CreateSoon(ctx, message)
		if err != nil {
			return "", err
		}
		waits = append(waits, wait)
	}
	for _, wait := range waits {
		if err := wait(); err != nil {
			return "", err
		}
	}
	return name, nil
}

// errReplaced is returned for a blob that a later write of its document has removed.
var errReplaced = fmt.Errorf("documents: a piece was removed")

// blob reads a blob.
func (s *Store) blob(ctx context.Context, k key, name string) ([]byte, error) {
	var out bytes.Buffer
	for i, pieces := 0, 1; i < pieces; i++ {
		message, err := s.stream.Get(ctx, k.piece(name, pieceNumber(i)))
		if engine.IsNotFound(err) {
			return nil, errReplaced
		}
		if err != nil {
			return nil, err
		}
		if pieces, err = strconv.Atoi(message.Header.Get(headerPieces)); err != nil {
			return nil, fmt.Errorf("%w: the header of the message %s", engine.ErrDamaged,
				message.Subject)
		}
		if pieces == 1 {
			return message.Data, nil
		}
		out.Write(message.Data)
	}
	return out.Bytes(), nil
}

// dropBlobs removes blobs that no head names any more. A failure leaves them, which takes room and
// harms nothing.
func (s *Store) dropBlobs(ctx context.Context, k key, names []string) {
	for _, name := range names {
		if err := s.stream.Purge(ctx, k.piece(name, "*")); err != nil {
			s.logger.Warn("a replaced part of a document stays in the store", "error", err)
			return
		}
	}
}
