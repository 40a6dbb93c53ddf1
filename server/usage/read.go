package usage

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// Rows returns the rows of the days from one to another, both included, such as "2026-11-01". An
// empty day is no bound. Rows of several processes with the same key are added.
func (b *Book) Rows(ctx context.Context, from, until string) ([]Row, error) {
	if err := b.Flush(ctx); err != nil {
		return nil, err
	}
	return rowsIn(ctx, b.room, from, until)
}

func rowsIn(ctx context.Context, room room, from, until string) ([]Row, error) {
	days, err := room.days(ctx)
	if err != nil {
		return nil, fmt.Errorf("usage: read the store: %w", err)
	}
	slices.Sort(days)
	var rows []Row
	for _, day := range days {
		if day < from || until != "" && day > until {
			continue
		}
		found, err := room.rows(ctx, day)
		if err != nil {
			return nil, fmt.Errorf("usage: read the store: %w", err)
		}
		rows = append(rows, found...)
	}
	return Sum(rows, func(key Key) Key { return key }), nil
}

// Losses returns the processes that were killed since a time, sorted by time.
func (b *Book) Losses(ctx context.Context, since time.Time) ([]Loss, error) {
	return lossesIn(ctx, b.room, since, b.now())
}

func lossesIn(ctx context.Context, room room, since, now time.Time) ([]Loss, error) {
	found, err := room.markers(ctx)
	if err != nil {
		return nil, fmt.Errorf("usage: read the store: %w", err)
	}
	var out []Loss
	for _, m := range found {
		if !m.Beat.Before(since) && now.Sub(m.Beat) > silent {
			out = append(out, Loss{At: m.Beat, UpTo: m.Busiest})
		}
	}
	slices.SortFunc(out, func(a, b Loss) int { return a.At.Compare(b.At) })
	return out, nil
}

// Reader reads the numbers in a store, without counting any. [NewReader] makes it.
type Reader struct{ room room }

// NewReader returns a reader of a store.
func NewReader(e *engine.Engine) *Reader { return &Reader{newShared(e)} }

// Rows returns the same as [Book.Rows].
func (r *Reader) Rows(ctx context.Context, from, until string) ([]Row, error) {
	return rowsIn(ctx, r.room, from, until)
}

// Losses returns the same as [Book.Losses].
func (r *Reader) Losses(ctx context.Context, since time.Time) ([]Loss, error) {
	return lossesIn(ctx, r.room, since, time.Now())
}
