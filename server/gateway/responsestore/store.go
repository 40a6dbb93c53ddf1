package responsestore

import (
	"context"
	"crypto/sha256"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// Store keeps documents. It is safe for use by several goroutines. What it takes and gives is not
// shared: neither side changes it afterwards.
type Store interface {
	// Put writes all of writes or, with an error, none of them. The error is [ErrNotFound] for
	// entries of a document that is not there, and [ErrTooLarge] for what the bounds never admit.
	Put(ctx context.Context, owner Owner, writes ...Write) error
	// Get returns a document, or [ErrNotFound].
	Get(ctx context.Context, owner Owner, id string) (*Document, error)
	// Entries returns a page of a list, and whether there are more behind it. Its error is
	// [ErrNotFound] where there is no such document; a list that was never written has no entries.
	Entries(ctx context.Context, owner Owner, id string, list List, page Page) (entries []Entry,
		hasMore bool, err error)
	// Find returns the entry of an id, of several the one written last, and the id of its document;
	// or [ErrNotFound].
	Find(ctx context.Context, owner Owner, entryID string) (documentID string, entry *Entry,
		err error)
	// Delete deletes a document with its lists. Its error is [ErrNotFound] where there is none.
	Delete(ctx context.Context, owner Owner, id string) error
	// DeleteEntry deletes the entry of an id from a document, of several in a list the last one,
	// whether or not another document has one of that id, too. Its error is [ErrNotFound] where
	// there is none.
	DeleteEntry(ctx context.Context, owner Owner, documentID, entryID string) error
	// Close frees what the store holds. Nothing is called behind it.
	Close() error
}

var (
	// ErrNotFound is returned for what is not there: it never was, is another owner's, was deleted,
	// or is beyond the bounds.
	ErrNotFound = errors.New("responsestore: not found")
	// ErrTooLarge is returned for documents that have more bytes than all are allowed together.
	ErrTooLarge = errors.New("responsestore: larger than the store")
	// ErrID is returned for documents and entries whose id is too long, and for documents without
	// one.
	ErrID = errors.New("responsestore: an id has between 1 and 512 bytes")
)

// MaxIDSize is how many bytes an id may have.
const MaxIDSize = 512

// Owner is whose a document is.
type Owner [sha256.Size]byte

// OwnerOf returns the owner that a credential stands for, as a hash: a store never sees the
// credential. The empty one is for all who need none.
func OwnerOf(credential string) Owner { return sha256.Sum256([]byte(credential)) }

// Document is a response or a conversation.
type Document struct {
	// ID is how clients name it.
	ID string
	// Previous is the id of the document that it continues, "" for none.
	Previous string
	// IsRunning is whether it is not complete yet. After a crash nobody completes it.
	IsRunning bool
	// JSON is what clients get of it.
	JSON jsontext.Value
}

// List is one of a document's lists.
type List string

// The lists.
const (
	// Input is what a response was asked with, item by item.
	Input List = "input"
	// Output is what it answers, item by item.
	Output List = "output"
	// Events are those of its stream, in their order: the one with the sequence number 0 has the
	// position 1.
	Events List = "events"
	// Items are those of a conversation.
	Items List = "items"
)

// Valid reports whether it is one of the lists.
func (l List) Valid() bool { return l == Input || l == Output || l == Events || l == Items }

// Entry is an element of a list.
type Entry struct {
	// List is the one that it is in.
	List List
	// ID is how clients name it, "" for none.
	ID string
	// Position counts from 1. It is set by the store.
	Position int
	// JSON is the entry.
	JSON jsontext.Value
}

// Write is what is written of one document.
type Write struct {
	// Document takes the place of the one of its id, whose lists stay. Nil leaves the document as
	// it is.
	Document *Document
	// ID is that of the document where Document is nil.
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

// CheckWrites returns why no store takes writes: [ErrID] for ids that are not as they should be,
// and other errors for a list that there is not, and for two writes of one document. It is for
// those who implement [Store].
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
	errList  = errors.New("responsestore: there is no such list")
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

// Page is a part of a list. The zero value is all of it.
type Page struct {
	// After is the position behind which it begins, 0 for the first entry, or the last one of a
	// descending page.
	After int
	// Limit is how many entries it may have, 0 for any number.
	Limit int
	// IsDescending is whether the entry written last comes first.
	IsDescending bool
}

// Includes reports whether an entry at a position is behind the one after which the page begins.
func (p Page) Includes(position int) bool {
	if p.IsDescending {
		return p.After == 0 || position < p.After
	}
	return position > p.After
}
