package documents

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// Store is a store of documents. [Open] makes it. It implements [responsestore.Store].
type Store struct {
	engine *engine.Engine
	stream *engine.Stream
	bounds responsestore.Bounds
	limits limits
	logger *slog.Logger
	now    func() time.Time
	index  *index
	added  atomic.Int64 // the last value of entry.added

	stop  func()
	ended chan struct{}
	done  sync.WaitGroup
}

// Option configures [Open].
type Option func(*Store)

// WithLogger sets the log for failures that no caller gets. By default nothing is logged.
func WithLogger(logger *slog.Logger) Option { return func(s *Store) { s.logger = logger } }

// WithClock sets the clock (default time.Now).
func WithClock(now func() time.Time) Option { return func(s *Store) { s.now = now } }

// waitTime is how long a request waits for the store.
const waitTime = 20 * time.Second

// sweepTime is how often documents beyond their age are removed.
const sweepTime = time.Minute

// Open opens the documents of an engine. It reads the headers of all documents. The caller closes
// the store before the engine.
func Open(ctx context.Context, e *engine.Engine, bounds responsestore.Bounds,
	opts ...Option) (*Store, error) {
	bounds = bounds.WithDefaults()
	s := &Store{engine: e, stream: e.Documents, bounds: bounds,
		limits: limitsOf(e.Documents.PieceSize()), logger: slog.New(slog.DiscardHandler),
		now: time.Now, index: newIndex(bounds), ended: make(chan struct{})}
	option.Apply(s, opts)
	var err error
	if s.stop, err = s.stream.Follow(ctx, s.index.received, engine.SubjectDocument+">",
		engine.SubjectPiece+">"); err != nil {
		return nil, err
	}
	if err := s.sync(ctx); err != nil {
		s.stop()
		return nil, fmt.Errorf("documents: read the store: %w", err)
	}
	s.done.Go(s.sweep)
	return s, nil
}

// Close implements [responsestore.Store].
func (s *Store) Close() error {
	close(s.ended)
	s.done.Wait()
	s.stop()
	return nil
}

// sweep removes documents beyond their age, and pieces without a head, until the store is closed.
func (s *Store) sweep() {
	ticker := time.NewTicker(sweepTime)
	defer ticker.Stop()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		<-s.ended
		cancel()
	}()
	for n := 0; ; n++ {
		select {
		case <-s.ended:
			return
		case <-ticker.C:
		}
		for _, owner := range s.index.ownerNames() {
			s.makeRoom(ctx, owner)
		}
		if n%orphanSweeps != 0 {
			continue
		}
		if err := s.removeOrphans(ctx); err != nil && ctx.Err() == nil {
			s.logger.Warn("parts of documents without a writer stay in the store", "error", err)
		}
	}
}

// within runs ask with a time limit, and returns its error as a caller expects it.
func within(ctx context.Context, ask func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, waitTime)
	defer cancel()
	err := ask(limited)
	for _, known := range []error{responsestore.ErrNotFound, responsestore.ErrTooLarge,
		responsestore.ErrFull, engine.ErrDamaged} {
		if errors.Is(err, known) {
			return err
		}
	}
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w: %w", responsestore.ErrUnavailable, err)
}

// head returns the head of a document, or ErrNotFound. Then its sequence is the one to write after.
func (s *Store) head(ctx context.Context, k key) (h *head, sequence uint64, err error) {
	message, err := s.stream.Latest(ctx, k.head())
	if engine.IsNotFound(err) {
		return nil, 0, responsestore.ErrNotFound
	}
	if err != nil {
		return nil, 0, err
	}
	h, err = decodeHead(message)
	switch {
	case err != nil:
		return nil, message.Sequence, err
	case h.IsDeleted || s.isOld(k, h):
		return nil, message.Sequence, responsestore.ErrNotFound
	}
	return h, message.Sequence, nil
}

// isOld reports whether a document is beyond its age. A document that continues it renews it, which
// the index knows.
func (s *Store) isOld(k key, h *head) bool {
	now := s.now()
	return s.index.isOld(h.Time, now) && s.index.isOld(max(h.Time, s.index.writtenAt(k)), now)
}

// tries is how often a document is read again because a write has removed what its head named.
const tries = 10

// read calls use with the head of a document, and again if the document changes meanwhile.
func (s *Store) read(ctx context.Context, k key, use func(context.Context, *head) error) error {
	return within(ctx, func(ctx context.Context) error {
		for try := 1; ; try++ {
			h, _, err := s.head(ctx, k)
			if err == nil {
				err = use(ctx, h)
			}
			if !errors.Is(err, errReplaced) {
				return err
			}
			if try == tries {
				return fmt.Errorf("%w: a piece of the document %s is missing", engine.ErrDamaged,
					k.head())
			}
		}
	})
}

// Get implements [responsestore.Store].
func (s *Store) Get(ctx context.Context, owner responsestore.Owner,
	id string) (*responsestore.Document, error) {
	k := keyOf(owner, id)
	var out *responsestore.Document
	err := s.read(ctx, k, func(ctx context.Context, h *head) (err error) {
		if h.bodyName != "" {
			if h.JSON, err = s.blob(ctx, k, h.bodyName); err != nil {
				return err
			}
		}
		out = &h.Document
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Entries implements [responsestore.Store].
func (s *Store) Entries(ctx context.Context, owner responsestore.Owner, id string,
	list responsestore.List, page responsestore.Page) (out []responsestore.Entry, hasMore bool,
	err error) {
	k := keyOf(owner, id)
	err = s.read(ctx, k, func(ctx context.Context, h *head) error {
		out, hasMore = nil, false
		sources := h.sources(list)
		if page.IsDescending {
			slices.Reverse(sources)
		}
		for i := range sources {
			if !sources[i].overlaps(page) {
				continue
			}
			entries, err := s.entriesOf(ctx, k, h, sources[i].Name)
			if err != nil {
				return err
			}
			if page.IsDescending {
				slices.Reverse(entries)
			}
			for j := range entries {
				if entries[j].List != list || !page.Includes(entries[j].Position) {
					continue
				}
				if page.Limit > 0 && len(out) == page.Limit {
					hasMore = true
					return nil
				}
				out = append(out, entries[j].Entry)
			}
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return out, hasMore, nil
}

// sources returns the parts with entries of a list, by rising positions. The last one, without a
// name, is the tail.
func (h *head) sources(list responsestore.List) (out []part) {
	for i := range h.parts {
		if h.parts[i].List == list {
			out = append(out, h.parts[i])
		}
	}
	return append(out, part{List: list, First: 1, Last: h.last[list]})
}

// overlaps reports whether a part may have entries of a page.
func (p *part) overlaps(page responsestore.Page) bool {
	if page.IsDescending {
		return page.After == 0 || p.First < page.After
	}
	return p.Last > page.After
}

// entriesOf returns the entries of a part, or of the tail for "".
func (s *Store) entriesOf(ctx context.Context, k key, h *head, name string) ([]entry, error) {
	if name == "" {
		return slices.Clone(h.tail), nil
	}
	data, err := s.blob(ctx, k, name)
	if err != nil {
		return nil, err
	}
	return decodeEntries(data)
}
