package documents

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// errNoPart reports that an entry is in no part of a document.
var errNoPart = fmt.Errorf("documents: no part has the entry: %w", responsestore.ErrNotFound)

// DeleteEntry implements [responsestore.Store].
func (s *Store) DeleteEntry(ctx context.Context, owner responsestore.Owner, documentID,
	entryID string) error {
	k := keyOf(owner, documentID)
	return within(ctx, func(ctx context.Context) error {
		for {
			h, sequence, err := s.head(ctx, k)
			if err != nil {
				return err
			}
			if entryID == "" {
				return responsestore.ErrNotFound
			}
			p := pending{head: h, key: k, before: h.blobs(), after: sequence}
			if err = s.removeEntry(ctx, &p, entryID); err == nil {
				err = s.commit(ctx, []pending{p})
			}
			switch {
			case err == nil:
				s.dropBlobs(ctx, k, p.Gone)
				return nil
			case !errors.Is(err, engine.ErrConflict) && !errors.Is(err, errReplaced):
				return err
			}
			s.undo([]pending{p})
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	})
}

// removeEntry removes the last entry with an id from the first list that has one.
func (s *Store) removeEntry(ctx context.Context, p *pending, id string) error {
	for _, list := range [...]responsestore.List{responsestore.Items, responsestore.Output,
		responsestore.Input, responsestore.Events} {
		for _, source := range slices.Backward(p.sources(list)) {
			err := s.removeFrom(ctx, p, &source, id)
			if !errors.Is(err, errNoPart) {
				return err
			}
		}
	}
	return responsestore.ErrNotFound
}

// removeFrom removes the last entry with an id from a part or from the tail, or returns errNoPart.
func (s *Store) removeFrom(ctx context.Context, p *pending, source *part, id string) error {
	entries, err := s.entriesOf(ctx, p.key, p.head, source.Name)
	if err != nil {
		return err
	}
	i := len(entries) - 1
	for i >= 0 && (entries[i].ID != id || entries[i].List != source.List) {
		i--
	}
	if i < 0 {
		return errNoPart
	}
	p.info.Size -= entries[i].Entry.Size()
	entries = slices.Delete(entries, i, i+1)
	if source.Name == "" {
		p.tail = entries
		return nil
	}
	at := slices.IndexFunc(p.parts, func(q part) bool { return q.Name == source.Name })
	if len(entries) == 0 {
		p.parts = slices.Delete(p.parts, at, at+1)
		return nil
	}
	p.parts[at].Name, err = s.putPart(ctx, p, entries)
	return err
}

// Delete implements [responsestore.Store].
func (s *Store) Delete(ctx context.Context, owner responsestore.Owner, id string) error {
	k := keyOf(owner, id)
	return within(ctx, func(ctx context.Context) error {
		for {
			_, sequence, err := s.head(ctx, k)
			if err != nil && (sequence == 0 || !errors.Is(err, engine.ErrDamaged)) {
				return err
			}
			if err := s.remove(ctx, k, sequence); !errors.Is(err, engine.ErrConflict) {
				return cmp.Or(err, ctx.Err())
			}
		}
	})
}

// remove writes the marker of a deleted document after a sequence, and removes its pieces. A server
// that was killed may read replaced heads again; the marker stays longer than that can happen.
func (s *Store) remove(ctx context.Context, k key, sequence uint64) error {
	i := info{Write: rand.Text(), Time: s.now().UnixNano(), IsDeleted: true}
	message, err := messageOf(k, &i, "", nil)
	if err != nil {
		return err
	}
	message.Header["Nats-TTL"] = ttl(int64(markerTime / time.Second))
	last, err := s.stream.Append(ctx, message, sequence)
	if err != nil {
		return err
	}
	s.index.apply([]change{{key: k, sequence: last, info: i}})
	// pieces after the marker belong to a new document with the id
	return s.stream.PurgeBefore(ctx, k.piece("*", "*"), last)
}

// markerTime is how long the marker of a deleted document stays.
const markerTime = 24 * time.Hour

// makeRoom removes documents of an owner that are too old or above the bounds. Another process may
// do the same at the same time.
func (s *Store) makeRoom(ctx context.Context, owner string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), waitTime)
	defer cancel()
	for {
		k, sequence, ok := s.index.surplus(owner, s.now())
		if !ok {
			return
		}
		err := s.remove(ctx, k, sequence)
		if errors.Is(err, engine.ErrConflict) { // it was written or removed meanwhile
			if err = s.sync(ctx); err == nil && s.index.sequenceOf(k) == sequence {
				return
			}
		}
		if err != nil {
			s.logger.Warn("an old document stays in the store", "error", err)
			return
		}
	}
}
