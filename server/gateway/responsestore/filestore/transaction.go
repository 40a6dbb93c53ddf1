package filestore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-json-experiment/json"
	bolt "go.etcd.io/bbolt"
)

// transaction is a transaction of the database.
type transaction struct {
	tx     *bolt.Tx
	bounds responsestore.Bounds
	now    time.Time
	totals totals // where it is loaded
}

// totals are the sums over all documents.
type totals struct {
	Count int   `json:"count"`
	Bytes int64 `json:"bytes"`
}

// head is the store's own data about a document.
type head struct {
	Previous  []byte `json:"previous,omitzero"` // which need not be UTF-8
	IsRunning bool   `json:"running,omitzero"`
	// Written is the time of the last write, in nanoseconds since 1970. Number is the sequence
	// number of that write.
	Written int64  `json:"written"`
	Number  uint64 `json:"number"`
	// Size is the size of the document with its lists, BodySize without them.
	Size     int64 `json:"size"`
	BodySize int64 `json:"body_size"`
	// Last are the last assigned positions.
	Last map[responsestore.List]int `json:"last,omitzero"`
}

// errDamaged is returned for a file whose contents this package did not write.
var errDamaged = errors.New("the file is damaged")

var (
	keyFormat = []byte("format")
	keyTotals = []byte("totals")
)

// format is the version of the data in the buckets.
const format = "gemwire responses 1"

// checkFormat refuses a file of another version.
func (t *transaction) checkFormat() error {
	meta := t.bucket(bucketMeta)
	switch found := meta.Get(keyFormat); {
	case found == nil:
		return meta.Put(keyFormat, []byte(format))
	case string(found) != format:
		return fmt.Errorf("the file is of the format %.40q; expected %q", found, format)
	default:
		return nil
	}
}

func (t *transaction) bucket(name string) *bolt.Bucket { return t.tx.Bucket([]byte(name)) }

// load reads the totals.
func (t *transaction) load() error {
	data := t.bucket(bucketMeta).Get(keyTotals)
	if data == nil {
		return nil
	}
	return damaged(json.Unmarshal(data, &t.totals))
}

// grow adds documents and bytes to the totals.
func (t *transaction) grow(count int, size int64) error {
	t.totals.Count += count
	t.totals.Bytes += size
	data, err := json.Marshal(&t.totals)
	if err != nil {
		return err
	}
	return t.bucket(bucketMeta).Put(keyTotals, data)
}

func damaged(err error) error {
	if err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	return nil
}

// head returns the head of a document, or ErrNotFound.
func (t *transaction) head(document []byte) (*head, error) {
	h, err := t.anyHead(document)
	if err == nil && (h == nil || t.isExpired(h)) {
		return nil, responsestore.ErrNotFound
	}
	return h, err
}

// anyHead returns the head of a document even beyond its age, or nil.
func (t *transaction) anyHead(document []byte) (*head, error) {
	data := t.bucket(bucketHeads).Get(document)
	if data == nil {
		return nil, nil
	}
	h := &head{}
	if err := json.Unmarshal(data, h); err != nil {
		return nil, damaged(err)
	}
	return h, nil
}

func (t *transaction) isExpired(h *head) bool {
	return !time.Unix(0, h.Written).After(t.now.Add(-t.bounds.Age))
}

func (t *transaction) putHead(document []byte, h *head) error {
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return t.bucket(bucketHeads).Put(document, data)
}

// entries returns a page of a list.
func (t *transaction) entries(document []byte, list responsestore.List,
	page responsestore.Page) (out []responsestore.Entry, hasMore bool, err error) {
	prefix := append(slices.Clone(document), listLetters[list])
	cursor := t.bucket(bucketEntries).Cursor()
	next := cursor.Next
	key, value := cursor.Seek(location{document, list, page.After + 1}.key())
	if page.IsDescending {
		next = cursor.Prev
		key, value = seekBefore(cursor, location{document, list, page.After}, page.After == 0)
	}
	for ; bytes.HasPrefix(key, prefix); key, value = next() {
		if page.Limit > 0 && len(out) == page.Limit {
			return out, true, nil
		}
		at, err := locationOf(key)
		if err != nil {
			return nil, false, err
		}
		e, err := decodeEntry(at, value)
		if err != nil {
			return nil, false, err
		}
		out = append(out, *e)
	}
	return out, false, nil
}

// seekBefore seeks the last entry of a list, or the last one before a location.
func seekBefore(cursor *bolt.Cursor, at location, isFromEnd bool) (key, value []byte) {
	if isFromEnd {
		at.position = maxPosition
	}
	if key, _ := cursor.Seek(at.key()); key == nil {
		return cursor.Last()
	}
	return cursor.Prev()
}

const maxPosition = 1<<63 - 1

// encodeEntry returns the value of an entry.
func encodeEntry(e *responsestore.Entry) []byte {
	value := binary.AppendUvarint(make([]byte, 0, 2+len(e.ID)+len(e.JSON)), uint64(len(e.ID)))
	return append(append(value, e.ID...), e.JSON...)
}

// decodeEntry returns a copy of the entry at a location.
func decodeEntry(at location, value []byte) (*responsestore.Entry, error) {
	length, n := binary.Uvarint(value)
	if n <= 0 || length > uint64(len(value)-n) {
		return nil, fmt.Errorf("%w: the length of an id", errDamaged)
	}
	id, rest := value[n:n+int(length)], value[n+int(length):]
	return &responsestore.Entry{List: at.list, ID: string(id), Position: at.position,
		JSON: slices.Clone(rest)}, nil
}

// find returns the location of the entry with an id, or ErrNotFound.
func (t *transaction) find(owner responsestore.Owner, entryID string) (location, error) {
	key := t.bucket(bucketEntryIDs).Get(entryIDKey(owner, entryID))
	if entryID == "" || key == nil {
		return location{}, responsestore.ErrNotFound
	}
	return locationOf(slices.Clone(key))
}

// findIn returns the location of a document's last entry with an id, or ErrNotFound. The id itself
// may refer to another document's entry.
func (t *transaction) findIn(document []byte, entryID string) (location, error) {
	if _, err := t.head(document); err != nil {
		return location{}, err
	}
	keys := t.entryKeys(document)
	for _, key := range slices.Backward(keys) {
		at, err := locationOf(key)
		if err != nil {
			return location{}, err
		}
		e, err := t.entry(at)
		if err != nil {
			return location{}, err
		}
		if entryID != "" && e.ID == entryID {
			return at, nil
		}
	}
	return location{}, responsestore.ErrNotFound
}

// entry returns the entry at a location.
func (t *transaction) entry(at location) (*responsestore.Entry, error) {
	value := t.bucket(bucketEntries).Get(at.key())
	if value == nil {
		return nil, fmt.Errorf("%w: an entry is missing", errDamaged)
	}
	return decodeEntry(at, value)
}
