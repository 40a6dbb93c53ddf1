package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Table has values by key, each with a revision. It is safe for concurrent use.
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

// Put replaces the value of a key that has the given revision, or creates it for 0. Otherwise the
// error is [ErrConflict].
func (t *Table) Put(ctx context.Context, key string, value []byte, revision uint64) (uint64,
	error) {
	return t.stream.Append(ctx, &nats.Msg{Subject: t.prefix + key, Data: value}, revision)
}

// All returns all entries whose keys match a pattern such as "job.*", each once.
func (t *Table) All(ctx context.Context, keys string) (all []jetstream.KeyValueEntry, err error) {
	err = t.stream.engine.Ask(ctx, func(ctx context.Context) error {
		found, err := t.read(ctx, keys)
		if err == nil {
			err = t.addMissed(ctx, keys, found)
		}
		all = slices.Collect(maps.Values(found))
		return err
	})
	return all, err
}

// Keys returns the keys that match a pattern such as "job.>", without their values.
func (t *Table) Keys(ctx context.Context, pattern string) ([]string, error) {
	subjects, err := t.stream.Subjects(ctx, t.prefix+pattern)
	for i, subject := range subjects {
		subjects[i] = strings.TrimPrefix(subject, t.prefix)
	}
	return subjects, err
}

// addMissed adds entries that were replaced during the listing. The list ends after the original
// number of entries, and a new revision may come after that.
func (t *Table) addMissed(ctx context.Context, keys string,
	found map[string]jetstream.KeyValueEntry) error {
	info, err := t.stream.stream.Info(ctx, jetstream.WithSubjectFilter(t.prefix+keys))
	if err != nil {
		return err
	}
	for subject := range info.State.Subjects {
		key := strings.TrimPrefix(subject, t.prefix)
		if _, has := found[key]; has {
			continue
		}
		entry, err := t.bucket.Get(ctx, key)
		if IsNotFound(err) {
			continue // it was deleted meanwhile
		}
		if err != nil {
			return err
		}
		found[key] = entry
	}
	return nil
}

// errSilent reports a list that does not end. If an entry is deleted during the listing, the client
// still waits for the original number of entries.
var errSilent = errors.New("store: the store stopped responding")

// listPause is how long a list may make no progress.
const listPause = 2 * time.Second

// read lists entries, the latest revision of each key.
func (t *Table) read(ctx context.Context, keys string) (map[string]jetstream.KeyValueEntry, error) {
	watcher, err := t.bucket.Watch(ctx, keys, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer stopWatching(watcher)
	found := map[string]jetstream.KeyValueEntry{}
	still := time.NewTimer(listPause)
	defer still.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-still.C:
			return nil, errSilent
		case entry := <-watcher.Updates():
			if entry == nil { // the marker after the existing entries
				return found, nil
			}
			found[entry.Key()] = entry
			still.Reset(listPause)
		}
	}
}

// stopWatching ends a list. It discards pending entries, because the client would otherwise wait
// forever for a receiver.
func stopWatching(watcher jetstream.KeyWatcher) {
	_ = watcher.Stop() // of a connection that was lost
	go func() {
		for range watcher.Updates() {
		}
	}()
}

// Forget removes a key completely. The bucket's own methods leave a marker forever.
func (t *Table) Forget(ctx context.Context, key string) error {
	return t.stream.Purge(ctx, t.prefix+key)
}
