package usage

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/gemwire/gemwire/internal/option"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// Book counts requests. [Open] makes it. It is safe for concurrent use.
type Book struct {
	room    room
	process string // its id in the room
	keep    int
	now     func() time.Time
	logger  *slog.Logger

	mu    sync.Mutex
	days  map[string]*page
	pages int // that were made
	// unwritten are the requests that the store does not have yet, busiest the largest such number.
	unwritten, busiest int64

	turn   chan struct{} // held while writing
	mark   marker
	isDown bool // the last write has failed
	tidied string

	stop context.CancelFunc
	done chan struct{}
}

// page has the rows of a day.
type page struct {
	number  int // of this process
	index   map[Key]int
	rows    []Row
	changed map[int]bool // parts of rows
}

const (
	// maxRows is the number of different rows of a day. Further rows are counted as [Other].
	maxRows = 2000
	// partSize is the number of rows in a record.
	partSize = 200
	// every is how often changes are written, and beats how often a process shows that it lives.
	every, beats = time.Second, 10 * time.Second
	// silent is how long after its last sign of life a process counts as killed.
	silent = 3 * beats
	// writeTime is the time limit of a write. The numbers stay in memory after it.
	writeTime = 30 * time.Second
)

// Option configures a [Book].
type Option func(*Book)

// InMemory keeps the numbers in this process until it ends. It is the default.
func InMemory() Option { return func(b *Book) { b.room = newMemory() } }

// In keeps the numbers in a store. Nil is memory.
func In(e *engine.Engine) Option {
	if e == nil {
		return InMemory()
	}
	return func(b *Book) { b.room = newShared(e) }
}

// Later keeps the numbers in a store that may be opened later. Until then engine returns nil, and
// the numbers stay in memory.
func Later(engine func() *engine.Engine) Option {
	return func(b *Book) { b.room = later{engine} }
}

// WithDays sets how many days are kept (default [DefaultDays]).
func WithDays(days int) Option { return func(b *Book) { b.keep = max(days, 1) } }

// WithClock sets the clock (default [time.Now]).
func WithClock(now func() time.Time) Option { return func(b *Book) { b.now = now } }

// WithLogger sets the log for writes that fail. By default nothing is logged.
func WithLogger(logger *slog.Logger) Option { return func(b *Book) { b.logger = logger } }

// Open opens a book. It starts a goroutine that writes once a second until [Book.Close].
func Open(ctx context.Context, opts ...Option) (*Book, error) {
	var id [8]byte
	_, _ = rand.Read(id[:]) // it never fails
	b := &Book{room: newMemory(), process: hex.EncodeToString(id[:]), keep: DefaultDays,
		now: time.Now, logger: slog.New(slog.DiscardHandler), days: map[string]*page{},
		turn: make(chan struct{}, 1), done: make(chan struct{})}
	option.Apply(b, opts)
	b.mark = marker{Started: b.now(), Beat: b.now()}
	err := b.room.mark(ctx, b.process, &b.mark)
	if full, isWrite := errors.AsType[*engine.WriteError](err); isWrite {
		b.logger.Warn("usage cannot be written to the store; it stays in memory until it can",
			"error", full.Error())
		b.isDown, err = true, ErrAway
	}
	if errors.Is(err, ErrAway) {
		b.mark.Beat, err = time.Time{}, nil // it is written when the store is there
	}
	if err != nil {
		return nil, fmt.Errorf("usage: write to the store: %w", err)
	}
	writing, stop := context.WithCancel(context.Background())
	b.stop = stop
	go b.run(writing)
	return b, nil
}

// Add counts requests that end now. It sets the day of the key.
func (b *Book) Add(key Key, counts *Counts) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key.Day = DayOf(b.now())
	p := b.days[key.Day]
	if p == nil {
		b.pages++
		p = &page{number: b.pages, index: map[Key]int{}, changed: map[int]bool{}}
		b.days[key.Day] = p
	}
	at := p.row(key)
	p.rows[at].Add(counts)
	p.changed[at/partSize] = true
	b.unwritten += counts.Requests
}

// row returns the index of a row.
func (p *page) row(key Key) int {
	if at, isKnown := p.index[key]; isKnown {
		return at
	}
	if len(p.rows) >= maxRows {
		key = Key{Day: key.Day, Client: key.Client, Model: Other, Currency: key.Currency}
		if at, isKnown := p.index[key]; isKnown {
			return at
		}
	}
	if len(p.rows) >= 2*maxRows { // clients of more than one file
		key.Client = Other
		if at, isKnown := p.index[key]; isKnown {
			return at
		}
	}
	at := len(p.rows)
	p.index[key] = at
	p.rows = append(p.rows, Row{Key: key})
	return at
}

// run writes until ctx ends.
func (b *Book) run(ctx context.Context) {
	defer close(b.done)
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			b.beat(ctx)
		}
	}
}

// beat writes what is due.
func (b *Book) beat(ctx context.Context) {
	err := b.Flush(ctx)
	if err == nil && b.now().Sub(b.mark.Beat) >= beats {
		err = b.showLife(ctx)
	}
	if today := DayOf(b.now()); err == nil && b.tidied != today {
		err = b.room.tidy(ctx, b.dayBefore(1), b.dayBefore(b.keep-1))
		if err == nil {
			b.tidied = today
		}
	}
	if err != nil && ctx.Err() == nil && !b.isDown {
		b.logger.Warn("usage cannot be written to the store; it stays in memory until it can",
			"error", err.Error())
	}
	b.isDown = err != nil
}

// showLife updates the sign of life.
func (b *Book) showLife(ctx context.Context) error {
	b.mu.Lock()
	next := marker{Started: b.mark.Started, Beat: b.now(), Busiest: b.busiest}
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	err := b.room.mark(ctx, b.process, &next)
	if err == nil {
		b.mark = next
	}
	return err
}

// dayBefore returns the day that is a number of days before today.
func (b *Book) dayBefore(days int) string { return DayOf(b.now().AddDate(0, 0, -days)) }
