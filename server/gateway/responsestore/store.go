package responsestore

import (
	"context"
	"crypto/sha256"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// Store stores documents. It must be safe for concurrent use. Neither the caller nor the store
// changes data that it has passed to the other.
type Store interface {
	// Put performs all writes, or none of them if it returns an error. The error is [ErrNotFound]
	// for entries of a document that does not exist, and [ErrTooLarge] for data above the bounds.
	Put(ctx context.Context, owner Owner, writes ...Write) error
	// Get returns a document, or [ErrNotFound].
	Get(ctx context.Context, owner Owner, id string) (*Document, error)
	// Entries returns a page of a list, and whether more entries follow. The error is [ErrNotFound]
	// if the document does not exist. A list that was never written is empty.
	Entries(ctx context.Context, owner Owner, id string, list List, page Page) (entries []Entry,
		hasMore bool, err error)
	// Find returns the entry with an id and the id of its document, or [ErrNotFound]. If several
	// entries have the id, it returns the one written last.
	Find(ctx context.Context, owner Owner, entryID string) (documentID string, entry *Entry,
		err error)
	// Delete deletes a document with its lists, or returns [ErrNotFound].
	Delete(ctx context.Context, owner Owner, id string) error
	// DeleteEntry deletes the entry with an id from a document, or returns [ErrNotFound]. If
	// several entries of a list have the id, it deletes the last one. Entries of other documents
	// with the id stay.
	DeleteEntry(ctx context.Context, owner Owner, documentID, entryID string) error
	// Close frees the store's resources. No method may be called after Close.
	Close() error
}

var (
	// ErrNotFound is returned for missing data: it never existed, belongs to another owner, was
	// deleted, or was removed by the bounds.
	ErrNotFound = errors.New("responsestore: not found")
	// ErrTooLarge is returned for documents that are larger than the bound on the total size.
	ErrTooLarge = errors.New("responsestore: larger than the store")
	// ErrFull is returned if [Bounds.TotalBytes] leaves no room, and the owner has nothing to
	// remove.
	ErrFull = errors.New("responsestore: the store is full of other owners' data")
	// ErrUnavailable is returned if the store does not answer, or accepts no writes.
	ErrUnavailable = errors.New("responsestore: the store is not available")
	// ErrID is returned for documents and entries whose id is too long, and for documents without
	// an id.
	ErrID = errors.New("responsestore: an id must have between 1 and 512 bytes")
)

// MaxIDSize is the maximum length of an id in bytes.
const MaxIDSize = 512

// Owner identifies the owner of a document.
type Owner [sha256.Size]byte

// OwnerOf returns the owner for a credential, as a hash. So a store never sees the credential. The
// empty credential is for all clients that need none.
func OwnerOf(credential string) Owner { return sha256.Sum256([]byte(credential)) }

// Document is a response or a conversation.
type Document struct {
	// ID is the document's id for clients.
	ID string
	// Previous is the id of the document that it continues, or "" for none.
	Previous string
	// IsRunning reports that it is not complete yet. After a crash it stays incomplete.
	IsRunning bool
	// JSON is the document that clients receive.
	JSON jsontext.Value
}

// List is one of a document's lists.
type List string

// The lists.
const (
	// Input has the input items of a response.
	Input List = "input"
	// Output has the output items of a response.
	Output List = "output"
	// Events are the events of its stream, in their order. The event with sequence number 0 has the
	// position 1.
	Events List = "events"
	// Items are the items of a conversation.
	Items List = "items"
)

// Valid reports whether l is one of the lists that this package defines.
func (l List) Valid() bool { return l == Input || l == Output || l == Events || l == Items }

// Entry is an element of a list.
type Entry struct {
	// List is the list of the entry.
	List List
	// ID is the entry's id for clients, or "" for none.
	ID string
	// Position counts from 1. The store sets it.
	Position int
	// JSON is the entry.
	JSON jsontext.Value
}

// Write is a change of one document.
type Write struct {
	// Document replaces the document with its id. The lists stay. Nil leaves the document
	// unchanged.
	Document *Document
	// ID is the document's id if Document is nil.
	ID string
	// Entries are added at the end of their lists.
	Entries []Entry
}

// DocumentID returns the id of the document that is written.
func (w *Write) DocumentID() string {
	if w.Document != nil {
		return w.Document.ID
	}
	return w.ID
}

// CheckWrites returns an error for writes that no store can perform: [ErrID] for invalid ids, and
// other errors for an unknown list and for two writes of one document. It is for implementations of
// [Store].
func CheckWrites(writes []Write) error {
	for i := range writes {
		if err := writes[i].check(); err != nil {
			return err
		}
		for j := range i {
			if writes[j].DocumentID() == writes[i].DocumentID() {
				return errTwice
			}
		}
	}
	return nil
}

var (
	errList  = errors.New("responsestore: unknown list")
	errTwice = errors.New("responsestore: two writes of one document")
)

func (w *Write) check() error {
	if id := w.DocumentID(); id == "" || len(id) > MaxIDSize {
		return ErrID
	}
	if w.Document != nil && len(w.Document.Previous) > MaxIDSize {
		return ErrID
	}
	for i := range w.Entries {
		if len(w.Entries[i].ID) > MaxIDSize {
			return ErrID
		}
		if !w.Entries[i].List.Valid() {
			return errList
		}
	}
	return nil
}

// Page selects a part of a list. The zero value selects the whole list.
type Page struct {
	// After is the position after which the page begins. 0 is the first entry, or the last one of a
	// descending page.
	After int
	// Limit is the maximum number of entries, or 0 for no limit.
	Limit int
	// IsDescending puts the entry written last first.
	IsDescending bool
}

// Includes reports whether a position follows the position after which the page begins.
func (p Page) Includes(position int) bool {
	if p.IsDescending {
		return p.After == 0 || position < p.After
	}
	return position > p.After
}
