package filestore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// An id refers to the entry that was written last. Entries of other documents with the same id are
// kept in the order of writing. They take its place when that entry is deleted.

// nameEntry makes an id refer to an entry of a document, which is the one written last.
func (t *transaction) nameEntry(document []byte, id string, entry []byte) error {
	ids, name := t.bucket(bucketEntryIDs), entryIDKey(ownerOf(document), id)
	if named := slices.Clone(ids.Get(name)); named != nil {
		at, err := locationOf(named)
		if err != nil {
			return err
		}
		if !bytes.Equal(at.document, document) {
			if err := t.putEarlier(at.document, id, named); err != nil {
				return err
			}
		}
	}
	key, _ := earlierKey(document, id)
	if err := t.bucket(bucketEarlier).Delete(key); err != nil {
		return err
	}
	return ids.Put(name, entry)
}

// putEarlier keeps a document's entry for an id that now refers to an entry of another document.
func (t *transaction) putEarlier(document []byte, id string, entry []byte) error {
	earlier := t.bucket(bucketEarlier)
	number, err := earlier.NextSequence()
	if err != nil {
		return err
	}
	key, _ := earlierKey(document, id)
	return earlier.Put(key, append(numberKey(number), entry...))
}

// renameEntry makes the id of a deleted entry refer to its document's other entry with that id.
func (t *transaction) renameEntry(at location, id string) error {
	left, err := t.findIn(at.document, id)
	switch {
	case errors.Is(err, responsestore.ErrNotFound):
		return t.unnameEntry(at, id, nil)
	case err != nil:
		return err
	}
	return t.unnameEntry(at, id, left.key())
}

// unnameEntry removes an entry from its id. The id then refers to another entry of the same
// document, if there is one, or else to an entry of another document.
func (t *transaction) unnameEntry(at location, id string, left []byte) error {
	ids, name := t.bucket(bucketEntryIDs), entryIDKey(ownerOf(at.document), id)
	earlier := t.bucket(bucketEarlier)
	if !bytes.Equal(ids.Get(name), at.key()) {
		key, _ := earlierKey(at.document, id)
		kept := slices.Clone(earlier.Get(key))
		switch {
		case len(kept) < numberSize || !bytes.Equal(kept[numberSize:], at.key()):
			return nil // another entry of the document is named
		case left == nil:
			return earlier.Delete(key)
		}
		return earlier.Put(key, append(kept[:numberSize:numberSize], left...))
	}
	if left != nil {
		return ids.Put(name, left)
	}
	key, entry := t.lastEarlier(at.document, id)
	if key == nil {
		return ids.Delete(name)
	}
	if err := earlier.Delete(key); err != nil {
		return err
	}
	return ids.Put(name, entry)
}

const numberSize = 8

// lastEarlier returns the waiting entry with an id that was written last, and its key. It returns
// nil if no such entry exists.
func (t *transaction) lastEarlier(document []byte, id string) (key, entry []byte) {
	_, prefix := earlierKey(document, id)
	var last uint64
	cursor := t.bucket(bucketEarlier).Cursor()
	for k, v := cursor.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = cursor.Next() {
		if len(v) < numberSize {
			continue
		}
		if number := binary.BigEndian.Uint64(v); number >= last {
			last, key, entry = number, slices.Clone(k), slices.Clone(v[numberSize:])
		}
	}
	return key, entry
}
