package usage

import (
	"context"
	"fmt"
	"slices"
)

// change is a part that has changed.
type change struct {
	day    string
	page   *page
	number int
	rows   []Row
}

// Flush writes the changes to the room. Changes that cannot be written stay in memory.
func (b *Book) Flush(ctx context.Context) error {
	select {
	case b.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-b.turn }()
	ctx, cancel := context.WithTimeout(ctx, writeTime)
	defer cancel()
	changes, requests := b.takeChanges()
	for i, c := range changes {
		id := fmt.Sprintf("%s_%d_%d", b.process, c.page.number, c.number)
		if err := b.room.put(ctx, c.day, id, c.rows); err != nil {
			b.putBack(changes[i:])
			return fmt.Errorf("usage: write to the store: %w", err)
		}
	}
	b.forget(requests)
	return nil
}

// takeChanges returns copies of the parts that have changed, and how many requests they add.
func (b *Book) takeChanges() (changes []change, requests int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.busiest = max(b.busiest, b.unwritten)
	for day, p := range b.days {
		for number := range p.changed {
			rows := p.rows[number*partSize : min((number+1)*partSize, len(p.rows))]
			changes = append(changes, change{day, p, number, slices.Clone(rows)})
		}
		clear(p.changed)
	}
	return changes, b.unwritten
}

// putBack marks parts that could not be written. Their rows hold the numbers still.
func (b *Book) putBack(changes []change) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range changes {
		c.page.changed[c.number] = true
	}
}

// forget notes that requests are written, and frees the rows of days that have ended.
func (b *Book) forget(requests int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.unwritten -= requests
	today := DayOf(b.now())
	for day, p := range b.days {
		if day != today && len(p.changed) == 0 {
			delete(b.days, day)
		}
	}
}

// Close writes the last changes, and records that this process has lost nothing.
func (b *Book) Close(ctx context.Context) error {
	b.stop()
	<-b.done
	if err := b.Flush(ctx); err != nil {
		return err
	}
	if err := b.room.end(ctx, b.process); err != nil {
		return fmt.Errorf("usage: write to the store: %w", err)
	}
	return nil
}
