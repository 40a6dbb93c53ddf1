package filestore

import (
	"bytes"
	"fmt"
	"slices"
)

// expire removes documents that are too old.
func (t *transaction) expire() error {
	return t.removeWhile(t.isExpired)
}

// evict removes the oldest documents while the store is above its bounds.
func (t *transaction) evict() error {
	return t.removeWhile(func(*head) bool {
		return t.totals.Count > t.bounds.Count || t.totals.Bytes > t.bounds.Bytes
	})
}

// removeWhile removes documents, the oldest first, while a function returns true.
func (t *transaction) removeWhile(isOver func(*head) bool) error {
	for {
		number, name := t.bucket(bucketByWriting).Cursor().First()
		if number == nil {
			return nil
		}
		h, err := t.anyHead(name)
		if err != nil {
			return err
		}
		if h == nil {
			return fmt.Errorf("%w: a document is missing", errDamaged)
		}
		if !isOver(h) {
			return nil
		}
		if err := t.remove(slices.Clone(name), h); err != nil {
			return err
		}
	}
}

// remove removes a document with its lists.
func (t *transaction) remove(document []byte, h *head) error {
	for _, key := range t.entryKeys(document) {
		at, err := locationOf(key)
		if err != nil {
			return err
		}
		if err := t.deleteEntry(at); err != nil {
			return err
		}
	}
	if err := t.bucket(bucketByWriting).Delete(numberKey(h.Number)); err != nil {
		return err
	}
	if err := t.bucket(bucketBodies).Delete(document); err != nil {
		return err
	}
	if err := t.bucket(bucketHeads).Delete(document); err != nil {
		return err
	}
	return t.grow(-1, -h.Size)
}

// entryKeys returns the keys of all entries of a document.
func (t *transaction) entryKeys(document []byte) (keys [][]byte) {
	cursor := t.bucket(bucketEntries).Cursor()
	for key, _ := cursor.Seek(document); bytes.HasPrefix(key, document); key, _ = cursor.Next() {
		keys = append(keys, slices.Clone(key))
	}
	return keys
}

// deleteEntry deletes an entry of a document that is being removed. Its id then refers to another
// entry.
func (t *transaction) deleteEntry(at location) error {
	e, err := t.entry(at)
	if err != nil {
		return err
	}
	if err := t.bucket(bucketEntries).Delete(at.key()); err != nil || e.ID == "" {
		return err
	}
	return t.unnameEntry(at, e.ID, nil)
}

// removeEntry removes one entry of a document that stays.
func (t *transaction) removeEntry(at location) error {
	h, err := t.head(at.document)
	if err != nil {
		return err
	}
	e, err := t.entry(at)
	if err != nil {
		return err
	}
	if err := t.bucket(bucketEntries).Delete(at.key()); err != nil {
		return err
	}
	if err := t.renameEntry(at, e.ID); err != nil {
		return err
	}
	h.Size -= e.Size()
	if err := t.putHead(at.document, h); err != nil {
		return err
	}
	return t.grow(0, -e.Size())
}
