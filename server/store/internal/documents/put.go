package documents

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	mathrand "math/rand/v2"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// limits are the limits of what is in a head, and in a part with more than one entry. They depend
// on the size of a piece, because a server may accept short messages only.
type limits struct {
	body             int // bytes of the document's JSON in a head
	minTail, maxTail int // bytes of the tail
	tailIDs          int
	part             int // bytes of a part
	partCount        int // entries of a part; their stamps are in a header of at most 64 KB
}

func limitsOf(piece int) limits {
	return limits{body: min(32<<10, piece/4), minTail: min(16<<10, piece/8),
		maxTail: min(128<<10, piece/4), tailIDs: min(1000, piece/64), part: piece,
		partCount: min(2000, piece/16)}
}

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

// fill changes a head by a write, and writes its blobs.
func (s *Store) fill(ctx context.Context, p *pending, w *responsestore.Write) error {
	if d := w.Document; d != nil {
		p.Document, p.bodyName, p.bodySize = *d, "", d.Size()
		if len(d.JSON) > s.limits.body {
			name, err := s.putBlob(ctx, p.key, d.JSON, "")
			if err != nil {
				return err
			}
			p.bodyName, p.added = name, append(p.added, name)
		}
	}
	p.tail = slices.Clone(p.tail)
	first := s.stamps(len(w.Entries))
	for i := range w.Entries {
		e := entry{w.Entries[i], first + int64(i)}
		p.last[e.List]++
		e.Position = p.last[e.List]
		p.tail = append(p.tail, e)
	}
	return s.flushTail(ctx, p)
}

// stamps reserves values of entry.added, and returns the first one.
func (s *Store) stamps(n int) int64 {
	for {
		last := s.added.Load()
		first := max(last+1, s.now().UnixNano())
		if s.added.CompareAndSwap(last, first+int64(n)) {
			return first
		}
	}
}

// flushTail moves the tail of a head to parts if it is large.
func (s *Store) flushTail(ctx context.Context, p *pending) error {
	bytes, ids := 0, 0
	for i := range p.tail {
		bytes += p.tail[i].size()
		if p.tail[i].ID != "" {
			ids++
		}
	}
	// the parts of a large document are larger, so that there are not too many
	limit := min(s.limits.maxTail, max(s.limits.minTail, int(p.info.Size>>9)))
	if bytes <= limit && ids <= s.limits.tailIDs {
		return nil
	}
	rest := p.tail
	p.tail = nil
	for _, list := range [...]responsestore.List{responsestore.Input, responsestore.Output,
		responsestore.Events, responsestore.Items} {
		var of []entry
		for i := range rest {
			if rest[i].List == list {
				of = append(of, rest[i])
			}
		}
		if err := s.putParts(ctx, p, list, of); err != nil {
			return err
		}
	}
	return nil
}

// putParts writes entries of a list as parts.
func (s *Store) putParts(ctx context.Context, p *pending, list responsestore.List,
	entries []entry) error {
	for len(entries) > 0 {
		n, bytes := 0, 0
		for n < len(entries) && n < s.limits.partCount &&
			(n == 0 || bytes+entries[n].size() <= s.limits.part) {
			bytes += entries[n].size()
			n++
		}
		name, err := s.putPart(ctx, p, entries[:n])
		if err != nil {
			return err
		}
		p.parts = append(p.parts, part{List: list, Name: name, First: entries[0].Position,
			Last: entries[n-1].Position})
		entries = entries[n:]
	}
	return nil
}

// putPart writes entries as a blob.
func (s *Store) putPart(ctx context.Context, p *pending, entries []entry) (string, error) {
	name, err := s.putBlob(ctx, p.key, encodeEntries(entries), encodeStamps(entries))
	if err == nil {
		p.added = append(p.added, name)
	}
	return name, err
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
	return s.stream.Purge(ctx, k.piece("*", "*"))
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
