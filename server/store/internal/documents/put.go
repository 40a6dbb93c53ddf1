package documents

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	mathrand "math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// Put implements [responsestore.Store].
func (s *Store) Put(ctx context.Context, owner responsestore.Owner,
	writes ...responsestore.Write) error {
	if err := responsestore.CheckWrites(writes); err != nil {
		return err
	}
	if len(writes) == 0 {
		return nil
	}
	if len(writes) > s.bounds.Count || len(writes) > engine.MaxBatch {
		return responsestore.ErrTooLarge
	}
	err := within(ctx, func(ctx context.Context) error {
		if err := s.engine.Revive(ctx); err != nil { // after a write failed, such as on a full disk
			return err
		}
		for try := range maxTries {
			err := s.tryPut(ctx, owner, writes, try == 0)
			if !errors.Is(err, engine.ErrConflict) && !errors.Is(err, errReplaced) {
				return err
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(mathrand.N(min(50, time.Duration(try+1)) * time.Millisecond)):
			}
		}
		return errBusy
	})
	if err == nil {
		s.makeRoom(ctx, keyOf(owner, "").owner)
	}
	return err
}

// maxTries is how often a write is tried while others write the same documents.
const maxTries = 1000

var errBusy = errors.New("documents: others write the document all the time")

// pending is a head that is about to be written.
type pending struct {
	*head
	key    key
	before []string // the blobs of the head that it replaces
	after  uint64   // the sequence of that head
	added  []string // new blobs
}

// tryPut performs writes, or returns [engine.ErrConflict] if a document changed meanwhile. mayGuess
// lets it take a document for new that the index does not have.
func (s *Store) tryPut(ctx context.Context, owner responsestore.Owner,
	writes []responsestore.Write, mayGuess bool) (err error) {
	all := make([]pending, len(writes))
	var before, size int64
	for i := range writes {
		if all[i], err = s.prepare(ctx, owner, &writes[i], mayGuess); err != nil {
			return err
		}
		before += all[i].info.Size
		all[i].grow(&writes[i])
		size += all[i].info.Size
	}
	if size > s.bounds.Bytes || size > s.bounds.TotalBytes {
		return responsestore.ErrTooLarge
	}
	if !s.index.hasRoom(all[0].key.owner, before, size) {
		return responsestore.ErrFull
	}
	for i := range all {
		if err := s.fill(ctx, &all[i], &writes[i]); err != nil {
			s.undo(all)
			return err
		}
	}
	if err := s.commit(ctx, all); err != nil {
		if errors.Is(err, engine.ErrConflict) { // otherwise it may have been written
			s.undo(all)
		}
		return err
	}
	for i := range all {
		s.dropBlobs(ctx, all[i].key, all[i].Gone)
	}
	return nil
}

// prepare returns the head that a write changes, or a new one.
func (s *Store) prepare(ctx context.Context, owner responsestore.Owner,
	w *responsestore.Write, mayGuess bool) (pending, error) {
	p := pending{key: keyOf(owner, w.DocumentID())}
	fresh := func() {
		p.head = &head{last: map[responsestore.List]int{}}
	}
	if mayGuess && w.Document != nil && s.index.sequenceOf(p.key) == 0 {
		fresh()
		return p, nil
	}
	h, sequence, err := s.head(ctx, p.key)
	p.after = sequence
	switch {
	case errors.Is(err, responsestore.ErrNotFound) && w.Document != nil:
		fresh()
		return p, nil
	case err != nil:
		return p, err
	}
	p.head, p.before = h, h.blobs()
	p.last = maps.Clone(h.last)
	if p.last == nil {
		p.last = map[responsestore.List]int{}
	}
	return p, nil
}

// grow sets the size that the head has after a write.
func (p *pending) grow(w *responsestore.Write) {
	p.info.Size += w.Size()
	if w.Document != nil {
		p.info.Size -= p.bodySize
	}
}

// commit writes heads together.
func (s *Store) commit(ctx context.Context, all []pending) error {
	messages, last := make([]*nats.Msg, len(all)), make([]uint64, len(all))
	write, now := rand.Text(), s.now().UnixNano()
	for i := range all {
		p := &all[i]
		p.info = info{Write: write, Writes: len(all), Index: i, Time: now, Size: p.info.Size,
			Gone: p.gone(p.before)}
		if p.Document.Previous != "" {
			p.info.Previous = token(p.Document.Previous)
		}
		var err error
		if messages[i], err = p.message(p.key); err != nil {
			return err
		}
		last[i] = p.after
	}
	sequence, err := s.stream.AppendAll(ctx, messages, last)
	if err != nil {
		return err
	}
	changes := make([]change, len(all))
	for i := range all {
		p := &all[i]
		changes[i] = change{p.key, sequence - uint64(len(all)-1-i), p.info, stampsOf(p.tail)}
	}
	s.index.apply(changes)
	return nil
}

func stampsOf(entries []entry) (stamps []stamp) {
	for i := range entries {
		if entries[i].ID != "" {
			stamps = append(stamps, stamp{hashOf(entries[i].ID), entries[i].added})
		}
	}
	return stamps
}

// undo removes the blobs of a write that was not made.
func (s *Store) undo(all []pending) {
	ctx, cancel := context.WithTimeout(context.Background(), waitTime)
	defer cancel()
	for i := range all {
		s.dropBlobs(ctx, all[i].key, all[i].added)
	}
}
