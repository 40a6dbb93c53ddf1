package filestore

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// put performs writes and renews their documents.
func (t *transaction) put(owner responsestore.Owner, writes []responsestore.Write) error {
	var size int64
	for i := range writes {
		h, err := t.write(owner, &writes[i])
		if err != nil {
			return err
		}
		size += h.Size
	}
	if size > t.bounds.Bytes || len(writes) > t.bounds.Count {
		return responsestore.ErrTooLarge
	}
	return t.renew(owner, writes)
}

// write performs one write and returns the head of its document.
func (t *transaction) write(owner responsestore.Owner, w *responsestore.Write) (*head, error) {
	name := documentKey(owner, w.DocumentID())
	h, err := t.head(name)
	isNew := errors.Is(err, responsestore.ErrNotFound)
	switch {
	case isNew && w.Document == nil:
		return nil, err
	case isNew:
		h = &head{}
	case err != nil:
		return nil, err
	}
	before := h.Size
	h.Written = t.now.UnixNano()
	if h.Last == nil {
		h.Last = map[responsestore.List]int{}
	}
	if d := w.Document; d != nil {
		h.Previous, h.IsRunning = []byte(d.Previous), d.IsRunning
		h.Size += d.Size() - h.BodySize
		h.BodySize = d.Size()
		if err := t.bucket(bucketBodies).Put(name, d.JSON); err != nil {
			return nil, err
		}
	}
	for i := range w.Entries {
		if err := t.add(name, h, &w.Entries[i]); err != nil {
			return nil, err
		}
	}
	count := 0
	if isNew {
		count = 1
	}
	if err := t.grow(count, h.Size-before); err != nil {
		return nil, err
	}
	return h, t.putHead(name, h)
}

// add adds an entry to its list.
func (t *transaction) add(document []byte, h *head, e *responsestore.Entry) error {
	h.Last[e.List]++
	h.Size += e.Size()
	key := location{document, e.List, h.Last[e.List]}.key()
	if err := t.bucket(bucketEntries).Put(key, encodeEntry(e)); err != nil || e.ID == "" {
		return err
	}
	return t.nameEntry(document, e.ID, key)
}

// renew marks the written documents, and the chains that they continue, as the newest. The oldest
// document of a chain comes first.
func (t *transaction) renew(owner responsestore.Owner, writes []responsestore.Write) error {
	renewed := map[string]bool{}
	for i := range writes {
		chain, err := t.chain(owner, writes[i].DocumentID(), renewed)
		if err != nil {
			return err
		}
		for _, name := range slices.Backward(chain) {
			if err := t.touch(name); err != nil {
				return err
			}
		}
	}
	for i := range writes {
		if err := t.touch(documentKey(owner, writes[i].DocumentID())); err != nil {
			return err
		}
	}
	return nil
}

// chain returns the documents that one continues, the nearest first, up to those that are already
// renewed.
func (t *transaction) chain(owner responsestore.Owner, id string,
	renewed map[string]bool) (chain [][]byte, err error) {
	h, err := t.head(documentKey(owner, id))
	for err == nil && len(h.Previous) > 0 && !renewed[string(h.Previous)] {
		name := documentKey(owner, string(h.Previous))
		renewed[string(h.Previous)] = true
		if h, err = t.head(name); err == nil {
			chain = append(chain, name)
		}
	}
	if errors.Is(err, responsestore.ErrNotFound) { // where the chain begins, or what is left of it
		err = nil
	}
	return chain, err
}

// touch marks a document as the one written last.
func (t *transaction) touch(document []byte) error {
	h, err := t.head(document)
	if err != nil {
		return err
	}
	order := t.bucket(bucketByWriting)
	if h.Number > 0 {
		if err := order.Delete(numberKey(h.Number)); err != nil {
			return err
		}
	}
	if h.Number, err = order.NextSequence(); err != nil {
		return err
	}
	h.Written = t.now.UnixNano()
	if err := order.Put(numberKey(h.Number), document); err != nil {
		return err
	}
	return t.putHead(document, h)
}

func numberKey(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
