package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// Signatures is the room of thought signatures that do not fit into an id. [Store.Signatures]
// returns it. It is safe for concurrent use.
type Signatures struct {
	engine *engine.Engine
	stream *engine.Stream
	bound  int64 // bytes
	// written are the bytes since the stream was trimmed.
	written atomic.Int64
}

// trimShare is the part of the bound after which a process trims the stream again.
const trimShare = 16

// Signatures returns the room of signatures. It is nil for a store in memory, because the gateway
// has signatures in memory anyway. A signature is kept for 7 days after it was written last. The
// room keeps at most 50,000 messages with signatures, and 1 GiB.
func (s *Store) Signatures() *Signatures {
	if s.engine == nil {
		return nil
	}
	return newSignatures(s.engine, engine.SignatureBytes)
}

func newSignatures(e *engine.Engine, bound int64) *Signatures {
	s := &Signatures{engine: e, stream: e.Signatures, bound: bound}
	s.written.Store(bound) // of other processes
	return s
}

// headerPieces is the number of messages with pieces of a signature.
const headerPieces = "Gemwire-Pieces"

// subjectOf returns the subject of a piece. It has a hash, because a name may have any bytes.
func subjectOf(name string, piece int) string {
	sum := sha256.Sum256([]byte(name))
	return engine.SubjectSignature + base64.RawURLEncoding.EncodeToString(sum[:]) + "." +
		strconv.Itoa(piece)
}

// Keep stores the signature of a name, in place of an earlier one. It is then on the disk.
func (s *Signatures) Keep(ctx context.Context, name, signature string) error {
	if err := s.engine.Revive(ctx); err != nil { // after a write failed, such as on a full disk
		return fmt.Errorf("store: keep a signature: %w", err)
	}
	size := s.stream.PieceSize()
	pieces := max(1, (len(signature)+size-1)/size)
	for i := pieces - 1; i >= 0; i-- { // the first one last, because readers begin with it
		message := &nats.Msg{Subject: subjectOf(name, i),
			Header: nats.Header{headerPieces: {strconv.Itoa(pieces)}},
			Data:   []byte(signature[i*size : min(len(signature), (i+1)*size)])}
		if err := s.stream.Replace(ctx, message); err != nil {
			return fmt.Errorf("store: keep a signature: %w", err)
		}
	}
	if s.written.Add(int64(len(signature))) < s.bound/trimShare {
		return nil
	}
	s.written.Store(0)
	if err := s.stream.Trim(ctx, uint64(s.bound)); err != nil {
		s.written.Store(s.bound) // the next one tries again
	}
	return nil
}

// Find returns the signature of a name, or "" if none is stored.
func (s *Signatures) Find(ctx context.Context, name string) (string, error) {
	var out bytes.Buffer
	for i, pieces := 0, 1; i < pieces; i++ {
		message, err := s.stream.Get(ctx, subjectOf(name, i))
		if engine.IsNotFound(err) {
			return "", nil
		}
		if err == nil {
			pieces, err = strconv.Atoi(message.Header.Get(headerPieces))
		}
		if err != nil {
			return "", fmt.Errorf("store: find a signature: %w", err)
		}
		out.Write(message.Data)
	}
	return out.String(), nil
}
