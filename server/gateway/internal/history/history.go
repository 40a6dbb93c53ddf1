// Package history has what requests of the Responses API continue: the items of earlier responses
// and of conversations, and items that are named by their ids, out of a store.
//
// What is kept of a response is its own input and its output, and which response it continues. So
// the items before a request are those of the whole chain, the oldest response first; they hold all
// that Gemini has to be sent again, thought signatures included.
package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/gateway/internal/resourceid"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// History is what is kept for an owner. It is for one request: it counts what that reads.
type History struct {
	Store responsestore.Store
	Owner responsestore.Owner
	// Limit is how many bytes the items of [History.Before], [History.Conversation] and
	// [History.Resolve] may have together, 0 for any number: a short request may name many items,
	// and each as often as it likes.
	Limit int64

	read int64
}

// Read returns how many bytes the items have that were read so far.
func (h *History) Read() int64 { return h.read }

// ErrTooLong is returned for more items than [History.Limit] allows.
var ErrTooLong = errors.New("history: the items have too many bytes")

// documentPrefixes are how the ids of what is kept begin.
var documentPrefixes = map[Kind]string{KindResponse: "resp_", KindConversation: "conv_"}

// NewDocumentID returns an id for a document of a kind that nothing else has.
func NewDocumentID(kind Kind) string { return NewID(documentPrefixes[kind]) }

// Names reports whether an id is one of a kind of documents. What is kept of the other kind is
// never found by it.
func (k Kind) Names(id string) bool {
	return strings.HasPrefix(id, documentPrefixes[k]) && resourceid.Valid(id)
}

// MissingError is returned for what is not kept, or not any more.
type MissingError struct {
	// Kind is what is missing.
	Kind Kind
	// ID is its id.
	ID string
	// Index is the place in the input of an item that names it, -1 for none.
	Index int
}

// Kind is what can be missing.
type Kind string

// The kinds.
const (
	KindResponse     Kind = "response"
	KindConversation Kind = "conversation"
	KindItem         Kind = "item"
)

// Error names what is missing.
func (e *MissingError) Error() string { return fmt.Sprintf("history: there is no %s %q", e.Kind, e.ID) }

// ErrUnfinished is returned for a response that is still made.
var ErrUnfinished = errors.New("history: the response is not complete yet")

// missing makes a *MissingError of what a store does not find.
func missing(err error, kind Kind, id string) error {
	if errors.Is(err, responsestore.ErrNotFound) {
		return &MissingError{Kind: kind, ID: id, Index: -1}
	}
	return err
}

// Before returns the items of a response and of all that it continues, in their order. The error is
// a *[MissingError] for the response in the chain that is not there, [ErrUnfinished], or
// [ErrTooLong].
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
		// the last one first
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

// Conversation returns the items of a conversation. The error is a *[MissingError] where there is
// none.
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

// Resolve returns items with those that references name in their place. The items themselves stay
// as they are. The error is a *[MissingError] for a reference to what is not there, or
// [ErrTooLong].
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

// isReference reports whether an item only names another one: by its type, or as an id and nothing
// else.
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

// Entries returns items as a list has them.
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

// Query asks for a page of items.
type Query struct {
	// After is the id of the item behind which the page begins, "" for the first one.
	After string
	// Limit is how many items it has.
	Limit int
	// IsAscending is whether the oldest item comes first.
	IsAscending bool
}

// Page is a list of items as clients get it.
type Page struct {
	Object  string           `json:"object"`
	Data    []jsontext.Value `json:"data"`
	FirstID *string          `json:"first_id"`
	LastID  *string          `json:"last_id"`
	HasMore bool             `json:"has_more"`
}

// List returns a page of a document's items. The error is a *[MissingError] for a document that is
// not there, of a kind, and for an item behind which nothing can begin.
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

// find returns an item of a document's list. Another document may have one of the same id by now,
// so that the list is searched.
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
