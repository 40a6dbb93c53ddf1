// Package history reads from a store what requests continue: the items of earlier responses and of
// conversations, items that a request names by their ids, and the steps of earlier interactions.
//
// A stored response has its own input and output, and the id of the response that it continues. So
// the items before a request come from the whole chain, the oldest response first. They contain
// everything that Gemini needs again, including thought signatures.
package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// History is the stored data of an owner. It serves one request, and counts the bytes that the
// request reads.
type History struct {
	Store responsestore.Store
	Owner responsestore.Owner
	// Limit is the maximum total size in bytes of the items of [History.Before],
	// [History.Conversation] and [History.Resolve], or 0 for no limit. Without a limit a short
	// request could name many items, and each of them many times.
	Limit int64

	read int64
}

// Read returns the total size in bytes of the items that were read so far.
func (h *History) Read() int64 { return h.read }

// ErrTooLong is returned if the items are larger than [History.Limit].
var ErrTooLong = errors.New("history: the items are too large")

// documentPrefixes are the id prefixes of stored documents.
var documentPrefixes = map[Kind]string{KindResponse: "resp_", KindConversation: "conv_",
	KindInteraction: "interaction_"}

// NewDocumentID returns a unique id for a document of a kind.
func NewDocumentID(kind Kind) string { return NewID(documentPrefixes[kind]) }

// Names reports whether an id belongs to a kind of documents. Such an id never finds a document of
// the other kind.
func (k Kind) Names(id string) bool {
	return strings.HasPrefix(id, documentPrefixes[k]) && IsID(id)
}

// MissingError is returned for data that is not stored, or no longer stored.
type MissingError struct {
	// Kind is the kind of the missing item.
	Kind Kind
	// ID is its id.
	ID string
	// Index is the index of the input item that names it, or -1.
	Index int
}

// Kind is a kind of stored data.
type Kind string

// The kinds.
const (
	KindResponse     Kind = "response"
	KindConversation Kind = "conversation"
	KindInteraction  Kind = "interaction"
	KindItem         Kind = "item"
)

// Error returns the kind and the id.
func (e *MissingError) Error() string {
	return fmt.Sprintf("history: %s %q does not exist", e.Kind, e.ID)
}

// ErrUnfinished is returned for a response or an interaction that is still in progress.
var ErrUnfinished = errors.New("history: it is not complete yet")

// missing converts ErrNotFound of a store to a *MissingError.
func missing(err error, kind Kind, id string) error {
	if errors.Is(err, responsestore.ErrNotFound) {
		return &MissingError{Kind: kind, ID: id, Index: -1}
	}
	return err
}

// Before returns the items of a response and of the chain that it continues, in order. The error is
// a *[MissingError] for a missing response of the chain, [ErrUnfinished], or [ErrTooLong].
func (h *History) Before(ctx context.Context, responseID string) ([]openaiapi.ResponseItem, error) {
	var steps [][]openaiapi.ResponseItem
	seen := map[string]bool{}
	for id := responseID; id != "" && !seen[id]; {
		seen[id] = true
		if !KindResponse.Names(id) {
			return nil, &MissingError{Kind: KindResponse, ID: id, Index: -1}
		}
		document, err := h.Store.Get(ctx, h.Owner, id)
		if err != nil {
			return nil, missing(err, KindResponse, id)
		}
		if document.IsRunning {
			return nil, ErrUnfinished
		}
		// from the last to the first
		for _, list := range []responsestore.List{responsestore.Output, responsestore.Input} {
			items, err := h.items(ctx, id, list)
			if err != nil {
				return nil, missing(err, KindResponse, id)
			}
			steps = append(steps, items)
		}
		id = document.Previous
	}
	slices.Reverse(steps)
	return slices.Concat(steps...), nil
}

// Conversation returns the items of a conversation. The error is a *[MissingError] if the
// conversation does not exist.
func (h *History) Conversation(ctx context.Context, id string) ([]openaiapi.ResponseItem, error) {
	if !KindConversation.Names(id) {
		return nil, &MissingError{Kind: KindConversation, ID: id, Index: -1}
	}
	items, err := h.items(ctx, id, responsestore.Items)
	return items, missing(err, KindConversation, id)
}

// items decodes a list.
func (h *History) items(ctx context.Context, id string,
	list responsestore.List) ([]openaiapi.ResponseItem, error) {
	entries, _, err := h.Store.Entries(ctx, h.Owner, id, list, responsestore.Page{})
	if err != nil {
		return nil, err
	}
	items := make([]openaiapi.ResponseItem, len(entries))
	for i := range entries {
		if err := h.decode(&entries[i], &items[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// decode decodes an item, and counts its bytes.
func (h *History) decode(entry *responsestore.Entry, item *openaiapi.ResponseItem) error {
	h.read += int64(len(entry.JSON))
	if h.Limit > 0 && h.read > h.Limit {
		return ErrTooLong
	}
	if err := json.Unmarshal(entry.JSON, item); err != nil {
		return fmt.Errorf("history: the item %s: %w", entry.ID, err)
	}
	return nil
}

// Resolve replaces references by the items that they name. It does not change the given items. The
// error is a *[MissingError] for a reference to a missing item, or [ErrTooLong].
func (h *History) Resolve(ctx context.Context,
	items []openaiapi.ResponseItem) ([]openaiapi.ResponseItem, error) {
	if !slices.ContainsFunc(items, isReference) {
		return items, nil
	}
	out := slices.Clone(items)
	for i := range out {
		if !isReference(out[i]) {
			continue
		}
		id := out[i].ID
		_, entry, err := h.Store.Find(ctx, h.Owner, id)
		if errors.Is(err, responsestore.ErrNotFound) {
			return nil, &MissingError{Kind: KindItem, ID: id, Index: i}
		}
		if err != nil {
			return nil, err
		}
		out[i] = openaiapi.ResponseItem{}
		if err := h.decode(entry, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// isReference reports whether an item only refers to another item: by its type, or because it has
// an id and nothing else.
func isReference(item openaiapi.ResponseItem) bool {
	if item.Type == openaiapi.ResponseItemTypeItemReference {
		return true
	}
	if item.Type != "" || item.ID == "" {
		return false
	}
	item.ID = ""
	return item.IsEmpty()
}

// Entries returns items as entries of a list.
func Entries(list responsestore.List, items []openaiapi.ResponseItem) ([]responsestore.Entry,
	error) {
	entries := make([]responsestore.Entry, len(items))
	for i := range items {
		text, err := json.Marshal(&items[i], jsonx.Canonical)
		if err != nil {
			return nil, fmt.Errorf("history: %w", err)
		}
		entries[i] = responsestore.Entry{List: list, ID: items[i].ID, JSON: text}
	}
	return entries, nil
}

// Query selects a page of items.
type Query struct {
	// After is the id of the item after which the page begins, or "" for the first page.
	After string
	// Limit is the number of items on the page.
	Limit int
	// IsAscending puts the oldest item first.
	IsAscending bool
}

// Page is a list of items as clients receive it.
type Page struct {
	Object  string           `json:"object"`
	Data    []jsontext.Value `json:"data"`
	FirstID *string          `json:"first_id"`
	LastID  *string          `json:"last_id"`
	HasMore bool             `json:"has_more"`
}

// List returns a page of a document's items. The error is a *[MissingError] for a missing document
// of the kind, and for a missing item in [Query.After].
func (h *History) List(ctx context.Context, kind Kind, id string, list responsestore.List,
	q Query) (*Page, error) {
	if !kind.Names(id) {
		return nil, &MissingError{Kind: kind, ID: id, Index: -1}
	}
	asked := responsestore.Page{Limit: q.Limit, IsDescending: !q.IsAscending}
	if q.After != "" {
		after, err := h.find(ctx, id, list, q.After)
		if err != nil {
			return nil, err
		}
		asked.After = after.Position
	}
	entries, hasMore, err := h.Store.Entries(ctx, h.Owner, id, list, asked)
	if err != nil {
		return nil, missing(err, kind, id)
	}
	page := &Page{Object: "list", Data: make([]jsontext.Value, len(entries)), HasMore: hasMore}
	for i := range entries {
		page.Data[i] = entries[i].JSON
	}
	if len(entries) > 0 {
		page.FirstID, page.LastID = &entries[0].ID, &entries[len(entries)-1].ID
	}
	return page, nil
}

// find returns an item of a document's list. It searches the list, because another document may
// have an item with the same id.
func (h *History) find(ctx context.Context, id string, list responsestore.List,
	itemID string) (*responsestore.Entry, error) {
	entries, _, err := h.Store.Entries(ctx, h.Owner, id, list, responsestore.Page{})
	if err != nil {
		return nil, missing(err, KindItem, itemID)
	}
	for i := range entries {
		if entries[i].ID == itemID {
			return &entries[i], nil
		}
	}
	return nil, &MissingError{Kind: KindItem, ID: itemID, Index: -1}
}

// Item returns an item of a document's list.
func (h *History) Item(ctx context.Context, id string, list responsestore.List,
	itemID string) (jsontext.Value, error) {
	entry, err := h.find(ctx, id, list, itemID)
	if err != nil {
		return nil, err
	}
	return entry.JSON, nil
}
