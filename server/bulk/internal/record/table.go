package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/gemwire/gemwire/server/bulk/internal/engine"
)

// Table has values of one type by their ids. Several goroutines may use it.
type Table[T any] struct {
	table  *engine.Table
	prefix string
}

// NewTable returns the table of a kind of values in a table that may have others.
func NewTable[T any](table *engine.Table, kind string) *Table[T] {
	return &Table[T]{table: table, prefix: kind + "."}
}

// ErrNotFound says that there is no value of that id.
var ErrNotFound = errors.New("bulk: no such record")

// ErrExists says that there is a value of that id already.
var ErrExists = errors.New("bulk: there is such a record")

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

// entry returns the last revision of a value, also of one that was deleted.
func (t *Table[T]) entry(ctx context.Context, id string) (jetstream.KeyValueEntry, error) {
	entry, err := t.table.Get(ctx, t.prefix+id)
	if engine.IsNotFound(err) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("bulk: read from the store: %w", err)
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

// Change has change work on the value of an id until nobody else was faster, and returns what it is
// then. An error of change is returned, and nothing changed; see [ErrUnchanged].
func (t *Table[T]) Change(ctx context.Context, id string, change func(*T) error) (*T, error) {
	for wait := time.Millisecond; ; wait = min(2*wait, longestWait) {
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

// ErrUnchanged has Change write nothing, and return no error.
var ErrUnchanged = errors.New("bulk: nothing to change")

func (t *Table[T]) put(ctx context.Context, id string, value *T, revision uint64) (uint64, error) {
	data, err := encode(value)
	if err != nil {
		return 0, err
	}
	return t.table.Put(ctx, t.prefix+id, data, revision)
}

// A value that was deleted has one more revision, that of nil. It stays until [Table.Forget]: a
// server that was killed reads again what it had replaced, and knows that only by what stands
// behind it, so that an older revision would be the last one.

// isDeleted reports whether an entry is the mark of a value that was deleted.
func isDeleted(entry jetstream.KeyValueEntry) bool {
	data, err := verify(entry.Key(), entry.Value())
	return err == nil && string(data) == "null"
}

// Delete removes a value. One that there is not is no error.
func (t *Table[T]) Delete(ctx context.Context, id string) error {
	for wait := time.Millisecond; ; wait = min(2*wait, longestWait) {
		old, err := t.entry(ctx, id)
		if errors.Is(err, ErrNotFound) || err == nil && isDeleted(old) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = t.put(ctx, id, nil, old.Revision())
		// as there is no room, of which a deletion makes some
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

// Drop removes values whose ids match, such as "a.*", without a mark. It is for values that nobody
// asks for by that id any more: an older revision may be there again behind the end of a server
// that was killed.
func (t *Table[T]) Drop(ctx context.Context, ids string) error {
	return t.table.Forget(ctx, t.prefix+ids)
}

// Forget removes what is left of values that were deleted before a time.
func (t *Table[T]) Forget(ctx context.Context, before time.Time) error {
	entries, err := t.table.All(ctx, t.prefix+"*")
	if err != nil {
		return fmt.Errorf("bulk: list what is in the store: %w", err)
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

// longestWait is that between two attempts to be faster than others.
const longestWait = 100 * time.Millisecond

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

// All returns all values, in no order.
func (t *Table[T]) All(ctx context.Context) ([]Entry[T], error) {
	entries, err := t.table.All(ctx, t.prefix+"*")
	if err != nil {
		return nil, fmt.Errorf("bulk: list what is in the store: %w", err)
	}
	var all []Entry[T]
	for _, entry := range entries {
		value, err := decode[T](entry.Key(), entry.Value())
		if err != nil {
			return nil, err
		}
		if value == nil {
			continue
		}
		all = append(all, Entry[T]{ID: strings.TrimPrefix(entry.Key(), t.prefix), Value: value})
	}
	return all, nil
}
