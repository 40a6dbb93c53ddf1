package record

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/gemwire/gemwire/pkg/bulk/internal/engine"
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
	entry, err := t.table.Get(ctx, t.prefix+id)
	if engine.IsNotFound(err) {
		return nil, 0, ErrNotFound
	}
	if err != nil {
		return nil, 0, fmt.Errorf("bulk: read from the store: %w", err)
	}
	value, err := decode[T](entry)
	return value, entry.Revision(), err
}

// Create adds a value, or returns [ErrExists].
func (t *Table[T]) Create(ctx context.Context, id string, value *T) error {
	_, err := t.put(ctx, id, value, 0)
	if errors.Is(err, engine.ErrConflict) {
		return ErrExists
	}
	return err
}

// Change has change work on the value of an id until nobody else was faster, and returns what it is then. An error of
// change is returned, and nothing changed; see [ErrUnchanged].
func (t *Table[T]) Change(ctx context.Context, id string, change func(*T) error) (*T, error) {
	for wait := time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
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
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}

// ErrUnchanged has Change write nothing, and return no error.
var ErrUnchanged = errors.New("bulk: nothing to change")

func (t *Table[T]) put(ctx context.Context, id string, value *T, revision uint64) (uint64, error) {
	data, err := json.Marshal(value, json.Deterministic(true))
	if err != nil {
		return 0, fmt.Errorf("bulk: encode a record: %w", err)
	}
	return t.table.Put(ctx, t.prefix+id, data, revision)
}

// Delete removes a value without a trace; those who watch it are not told.
func (t *Table[T]) Delete(ctx context.Context, id string) error {
	return t.table.Forget(ctx, t.prefix+id)
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
		value, err := decode[T](entry)
		if err != nil {
			return nil, err
		}
		all = append(all, Entry[T]{ID: strings.TrimPrefix(entry.Key(), t.prefix), Value: value})
	}
	return all, nil
}

func decode[T any](entry jetstream.KeyValueEntry) (*T, error) {
	value := new(T)
	if err := json.Unmarshal(entry.Value(), value); err != nil {
		return nil, fmt.Errorf("bulk: decode the record %s: %w", entry.Key(), err)
	}
	return value, nil
}
