package filestore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gemwire/gemwire/internal/recovered"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Store stores documents in a file. [Open] makes it.
type Store struct {
	db     *bolt.DB
	bounds responsestore.Bounds
}

// ErrInUse is returned by [Open] if another process, or another Store, has the file open.
var ErrInUse = errors.New("filestore: the file is in use")

// lockTime is how long Open waits for another process to close the file, for example a process that
// shuts down.
const lockTime = 3 * time.Second

// Open opens the file at a path, or creates it. It removes documents beyond the bounds.
func Open(path string, bounds responsestore.Bounds) (*Store, error) {
	s := &Store{bounds: bounds.WithDefaults()}
	err := recovered.Call(func() (err error) {
		s.db, err = bolt.Open(path, 0o600,
			&bolt.Options{Timeout: lockTime, FreelistType: bolt.FreelistMapType})
		return err
	})
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("%w: %s", ErrInUse, path)
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("filestore: the folder %s does not exist", filepath.Dir(path))
	case err != nil:
		return nil, fmt.Errorf("filestore: %s: %w", path, err)
	}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(fmt.Errorf("filestore: %s: %w", path, err), s.db.Close())
	}
	return s, nil
}

// prepare creates the buckets and removes documents beyond the bounds.
func (s *Store) prepare() error {
	return s.update(func(t *transaction) error {
		for _, name := range buckets {
			if _, err := t.tx.CreateBucketIfNotExists([]byte(name)); err != nil {
				return err
			}
		}
		if err := t.checkFormat(); err != nil {
			return err
		}
		if err := t.load(); err != nil {
			return err
		}
		if err := t.expire(); err != nil {
			return err
		}
		return t.evict()
	})
}

// update runs f in a write transaction.
func (s *Store) update(f func(*transaction) error) error { return s.run(s.db.Update, f) }

// view runs f in a read transaction.
func (s *Store) view(f func(*transaction) error) error { return s.run(s.db.View, f) }

// run runs f in a transaction. A damaged file may make the database panic; the panic ends the
// transaction.
func (s *Store) run(begin func(func(*bolt.Tx) error) error, f func(*transaction) error) error {
	return recovered.Call(func() error {
		return begin(func(tx *bolt.Tx) error { return f(&transaction{tx: tx, bounds: s.bounds, now: time.Now()}) })
	})
}

// Put implements [responsestore.Store]. Concurrent calls run one after another.
func (s *Store) Put(_ context.Context, owner responsestore.Owner,
	writes ...responsestore.Write) error {
	if err := responsestore.CheckWrites(writes); err != nil {
		return err
	}
	return s.update(func(t *transaction) error {
		if err := t.load(); err != nil {
			return err
		}
		if err := t.expire(); err != nil {
			return err
		}
		if err := t.put(owner, writes); err != nil {
			return err
		}
		return t.evict()
	})
}

// Get implements [responsestore.Store].
func (s *Store) Get(_ context.Context, owner responsestore.Owner,
	id string) (*responsestore.Document, error) {
	var out *responsestore.Document
	err := s.view(func(t *transaction) error {
		name := documentKey(owner, id)
		h, err := t.head(name)
		if err != nil {
			return err
		}
		out = &responsestore.Document{ID: id, Previous: string(h.Previous), IsRunning: h.IsRunning,
			JSON: slices.Clone(t.bucket(bucketBodies).Get(name))}
		return nil
	})
	return out, err
}

// Entries implements [responsestore.Store].
func (s *Store) Entries(_ context.Context, owner responsestore.Owner, id string,
	list responsestore.List, page responsestore.Page) ([]responsestore.Entry, bool, error) {
	var out []responsestore.Entry
	var hasMore bool
	err := s.view(func(t *transaction) error {
		name := documentKey(owner, id)
		_, err := t.head(name)
		if err != nil {
			return err
		}
		out, hasMore, err = t.entries(name, list, page)
		return err
	})
	return out, hasMore, err
}

// Find implements [responsestore.Store].
func (s *Store) Find(_ context.Context, owner responsestore.Owner, entryID string) (string,
	*responsestore.Entry, error) {
	var document string
	var out *responsestore.Entry
	err := s.view(func(t *transaction) error {
		at, err := t.find(owner, entryID)
		if err != nil {
			return err
		}
		if _, err := t.head(at.document); err != nil {
			return err
		}
		document = documentID(at.document)
		out, err = t.entry(at)
		return err
	})
	return document, out, err
}

// Delete implements [responsestore.Store].
func (s *Store) Delete(_ context.Context, owner responsestore.Owner, id string) error {
	return s.update(func(t *transaction) error {
		name := documentKey(owner, id)
		h, err := t.head(name)
		if err != nil {
			return err
		}
		if err := t.load(); err != nil {
			return err
		}
		return t.remove(name, h)
	})
}

// DeleteEntry implements [responsestore.Store].
func (s *Store) DeleteEntry(_ context.Context, owner responsestore.Owner, documentID,
	entryID string) error {
	return s.update(func(t *transaction) error {
		at, err := t.findIn(documentKey(owner, documentID), entryID)
		if err != nil {
			return err
		}
		if err := t.load(); err != nil {
			return err
		}
		return t.removeEntry(at)
	})
}

// Close closes the file.
func (s *Store) Close() error { return s.db.Close() }
