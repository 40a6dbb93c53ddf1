package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// Table has values of one type by their ids. It is safe for concurrent use.
type Table[T any] struct {
	table  *engine.Table
	prefix string
}

// NewTable returns the table for a kind of values. The engine's table may have other kinds too.
func NewTable[T any](table *engine.Table, kind string) *Table[T] {
	return &Table[T]{table: table, prefix: kind + "."}
}

// ErrNotFound is returned if no value has the id.
var ErrNotFound = errors.New("store: no such record")

// ErrExists is returned if a value with the id exists already.
var ErrExists = errors.New("store: the record exists already")

// Get returns a value and its revision.
func (t *Table[T]) Get(ctx context.Context, id string) (*T, uint64, error) {
	entry, err := t.entry(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	value, err := decode[T](entry.Key(), entry.Value())
	if err == nil && value == nil {
		err = ErrNotFound
	}
	return value, entry.Revision(), err
}

// entry returns the last revision of a value, also of a deleted one.
func (t *Table[T]) entry(ctx context.Context, id string) (jetstream.KeyValueEntry, error) {
	entry, err := t.table.Get(ctx, t.prefix+id)
	if engine.IsNotFound(err) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("store: read from the store: %w", err)
	}
	return entry, nil
}

// Create adds a value, or returns [ErrExists].
func (t *Table[T]) Create(ctx context.Context, id string, value *T) error {
	_, err := t.put(ctx, id, value, 0)
	if !errors.Is(err, engine.ErrConflict) {
		return err
	}
	old, err := t.entry(ctx, id)
	if err != nil || !isDeleted(old) {
		return cmp.Or(err, ErrExists)
	}
	_, err = t.put(ctx, id, value, old.Revision())
	if errors.Is(err, engine.ErrConflict) {
		return ErrExists
	}
	return err
}

// Change changes the value of an id with change, and retries after conflicts. It returns the new
// value. If change returns an error, Change returns it and changes nothing; see [ErrUnchanged].
func (t *Table[T]) Change(ctx context.Context, id string, change func(*T) error) (*T, error) {
	for wait := time.Millisecond; ; wait = longer(wait) {
		value, revision, err := t.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := change(value); err != nil {
			if errors.Is(err, ErrUnchanged) {
				return value, nil
			}
			return value, err
		}
		if _, err = t.put(ctx, id, value, revision); !errors.Is(err, engine.ErrConflict) {
			return value, err
		}
		if err := sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// ErrUnchanged makes Change write nothing and return no error.
var ErrUnchanged = errors.New("store: nothing to change")

func (t *Table[T]) put(ctx context.Context, id string, value *T, revision uint64) (uint64, error) {
	data, err := encode(value)
	if err != nil {
		return 0, err
	}
	return t.table.Put(ctx, t.prefix+id, data, revision)
}

// A deleted value has one more revision with a nil value, which stays until [Table.Forget]. A
// server that was killed reads replaced revisions again. Without the later revision, an older one
// would be the last.

// isDeleted reports whether an entry marks a deleted value.
func isDeleted(entry jetstream.KeyValueEntry) bool {
	data, err := verify(entry.Key(), entry.Value())
	return err == nil && string(data) == "null"
}

// Delete removes a value. Deleting a missing value is not an error.
func (t *Table[T]) Delete(ctx context.Context, id string) error {
	for wait := time.Millisecond; ; wait = longer(wait) {
		old, err := t.entry(ctx, id)
		if errors.Is(err, ErrNotFound) || err == nil && isDeleted(old) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = t.put(ctx, id, nil, old.Revision())
		// because the store is full; a deletion makes room
		if errors.As(err, new(*engine.WriteError)) {
			return t.table.Forget(ctx, t.prefix+id)
		}
		if !errors.Is(err, engine.ErrConflict) {
			return err
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// Drop removes values whose ids match a pattern such as "a.*", without a marker. It is for ids that
// are never read again, because an older revision may reappear after a server was killed.
func (t *Table[T]) Drop(ctx context.Context, ids string) error {
	return t.table.Forget(ctx, t.prefix+ids)
}

// Forget removes the markers of values that were deleted before a time.
func (t *Table[T]) Forget(ctx context.Context, before time.Time) error {
	entries, err := t.table.All(ctx, t.prefix+"*")
	if err != nil {
		return fmt.Errorf("store: list the store: %w", err)
	}
	for _, entry := range entries {
		if !isDeleted(entry) || !entry.Created().Before(before) {
			continue
		}
		if err := t.table.Forget(ctx, entry.Key()); err != nil {
			return err
		}
	}
	return nil
}

// longestWait is the longest wait between two attempts after conflicts.
const longestWait = 100 * time.Millisecond

// longer returns the wait after another conflict: twice the last one, up to longestWait.
func longer(wait time.Duration) time.Duration { return min(2*wait, longestWait) }

// sleep waits, unless the context ends.
func sleep(ctx context.Context, wait time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

// Entry is a value with its id.
type Entry[T any] struct {
	ID    string
	Value *T
}

// All returns all values, in no particular order. If some are damaged, it returns the other values
// and an error that names each damaged one.
func (t *Table[T]) All(ctx context.Context) ([]Entry[T], error) {
	entries, err := t.table.All(ctx, t.prefix+"*")
	if err != nil {
		return nil, fmt.Errorf("store: list the store: %w", err)
	}
	var all []Entry[T]
	var damaged []error
	for _, entry := range entries {
		value, err := decode[T](entry.Key(), entry.Value())
		if err != nil {
			damaged = append(damaged, err)
			continue
		}
		if value == nil {
			continue
		}
		all = append(all, Entry[T]{ID: strings.TrimPrefix(entry.Key(), t.prefix), Value: value})
	}
	return all, errors.Join(damaged...)
}
