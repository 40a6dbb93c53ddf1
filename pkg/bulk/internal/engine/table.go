package engine

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Table has values by keys, of which each has a revision. Several goroutines may use it.
type Table struct {
	stream *Stream
	bucket jetstream.KeyValue
	prefix string // of subjects
}

// Get returns the entry of a key; see [IsNotFound].
func (t *Table) Get(ctx context.Context, key string) (entry jetstream.KeyValueEntry, err error) {
	err = t.stream.engine.Ask(ctx, func(ctx context.Context) error {
		entry, err = t.bucket.Get(ctx, key)
		return err
	})
	return entry, err
}

// Put replaces the value of a key that has a revision, 0 for none; otherwise the error is [ErrConflict].
func (t *Table) Put(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	return t.stream.Append(ctx, &nats.Msg{Subject: t.prefix + key, Data: value}, revision)
}

// All returns all entries whose keys match, such as "job.*".
func (t *Table) All(ctx context.Context, keys string) (all []jetstream.KeyValueEntry, err error) {
	err = t.stream.engine.Ask(ctx, func(ctx context.Context) error {
		all, err = t.read(ctx, keys)
		return err
	})
	return all, err
}

// errSilent is a list that does not come to its end: where an entry is deleted while it is read, the client waits for as many
// entries as there were.
var errSilent = errors.New("bulk: the store does not say more")

// listPause is how long a list may stand still.
const listPause = 2 * time.Second

func (t *Table) read(ctx context.Context, keys string) (all []jetstream.KeyValueEntry, err error) {
	watcher, err := t.bucket.Watch(ctx, keys, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer stopWatching(watcher)
	still := time.NewTimer(listPause)
	defer still.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-still.C:
			return nil, errSilent
		case entry := <-watcher.Updates():
			if entry == nil { // the mark behind what was there
				return all, nil
			}
			all = append(all, entry)
			still.Reset(listPause)
		}
	}
}

// stopWatching ends a list. What is on the way is thrown away, as the client would wait for ever for somebody to take it.
func stopWatching(watcher jetstream.KeyWatcher) {
	_ = watcher.Stop() // of a connection that was lost
	go func() {
		for range watcher.Updates() {
		}
	}()
}

// Forget removes a key without a trace, which the bucket's own methods leave for ever.
func (t *Table) Forget(ctx context.Context, key string) error {
	return t.stream.Purge(ctx, t.prefix+key)
}
