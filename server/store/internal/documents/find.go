package documents

import (
	"context"
	"errors"
	"slices"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// Find implements [responsestore.Store].
func (s *Store) Find(ctx context.Context, owner responsestore.Owner, entryID string) (string,
	*responsestore.Entry, error) {
	var document string
	var entry *responsestore.Entry
	err := within(ctx, func(ctx context.Context) (err error) {
		if entryID == "" {
			return responsestore.ErrNotFound
		}
		// the index may not have what another process has just written
		if err := s.sync(ctx); err != nil {
			return err
		}
		for _, at := range s.index.find(keyOf(owner, "").owner, hashOf(entryID)) {
			document, entry, err = s.entryAt(ctx, at, entryID)
			if !errors.Is(err, responsestore.ErrNotFound) && !errors.Is(err, errReplaced) {
				return err
			}
		}
		return responsestore.ErrNotFound
	})
	if err != nil {
		return "", nil, err
	}
	return document, entry, nil
}

// entryAt returns the entry at a place of the index, and the id of its document. It returns
// ErrNotFound if the entry is gone or has another id.
func (s *Store) entryAt(ctx context.Context, at found, id string) (string, *responsestore.Entry,
	error) {
	h, _, err := s.head(ctx, at.key)
	if err != nil {
		return "", nil, err
	}
	if at.part != "" && !slices.Contains(h.blobs(), at.part) {
		return "", nil, responsestore.ErrNotFound
	}
	entries, err := s.entriesOf(ctx, at.key, h, at.part)
	if err != nil {
		return "", nil, err
	}
	for i := range entries {
		if e := &entries[i]; e.ID == id && e.added == at.added {
			return h.ID, &e.Entry, nil
		}
	}
	return "", nil, responsestore.ErrNotFound
}
