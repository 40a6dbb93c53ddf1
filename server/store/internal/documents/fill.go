package documents

import (
	"context"
	"slices"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// limits are the limits of a head, and of a part with more than one entry. They depend
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
	// a large document has large parts, and so not too many of them
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
