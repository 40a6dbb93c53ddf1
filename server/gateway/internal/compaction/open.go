package compaction

import (
	"fmt"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// ItemError is the error of an item that is not possible where it is.
type ItemError struct {
	// Index is the index of the item. Member is the pointer below the item, or "".
	Index  int
	Member string
	// Err is the reason, for the client.
	Err error
}

// Error returns the reason.
func (e *ItemError) Error() string { return fmt.Sprintf("compaction: item %d: %v", e.Index, e.Err) }

// Unwrap returns the reason.
func (e *ItemError) Unwrap() error { return e.Err }

// errEnd refuses a trigger before the end, and errEmpty an item without a content.
var (
	errEnd   = &OpenError{"a compaction_trigger must be the last item"}
	errEmpty = &OpenError{"must be set, with the text that the gateway sent"}
)

// Open returns a conversation with the items that its compaction items stand for. The first known
// items are the ones that the server remembers; the client has not chosen them. asks reports that
// the last item asks to shorten the conversation. The error is an *[ItemError].
func Open(items []openaiapi.ResponseItem, known int, s *Sealer,
	owner responsestore.Owner) (out []Item, asks bool, err error) {
	opened := make(map[int]*Content)
	first := 0 // items before it are not needed
	for i := len(items) - 1; i >= 0 && first == 0; i-- {
		switch items[i].Type {
		case openaiapi.ResponseItemTypeCompactionTrigger:
			if i >= known && i < len(items)-1 {
				return nil, false, &ItemError{Index: i, Err: errEnd}
			}
		case openaiapi.ResponseItemTypeCompaction:
			text := jsonx.Deref(items[i].EncryptedContent)
			c, err := s.Open(owner, text)
			if text == "" {
				err = errEmpty
			}
			if err != nil {
				return nil, false, &ItemError{Index: i, Member: "/encrypted_content", Err: err}
			}
			opened[i] = c
			if c.StandsForAll || i < known && isTriggered(items, i) {
				first = i
			}
		}
	}
	seen := seenItems{anywhere: map[string]bool{}, before: map[string]bool{}}
	for i := first; i < len(items); i++ {
		if opened[i] == nil && isInstruction(&items[i]) {
			seen.anywhere[keyOf(&items[i])] = true
		}
	}
	out = slices.Grow(out, len(items)-first)
	for i := first; i < len(items); i++ {
		switch {
		case items[i].Type == openaiapi.ResponseItemTypeCompactionTrigger:
			asks = i >= known
		case opened[i] != nil:
			out = seen.restore(out, opened[i], i)
		default:
			item := Item{ResponseItem: items[i], From: i}
			if isUsers(&item) && len(opened) > 0 {
				seen.before[keyOf(&items[i])] = true
			}
			out = append(out, item)
		}
	}
	return out, asks, nil
}

// isTriggered reports whether an item was made for a trigger, with all items before it. The client
// has put other compaction items where they are.
func isTriggered(items []openaiapi.ResponseItem, i int) bool {
	return i > 0 && items[i-1].Type == openaiapi.ResponseItemTypeCompactionTrigger
}

// seenItems are items that need not be restored, because the client has sent them again.
type seenItems struct {
	anywhere map[string]bool // instructions
	before   map[string]bool // messages of the user
}

// restore adds the items that a compaction item stands for.
func (s *seenItems) restore(out []Item, c *Content, from int) []Item {
	for _, item := range c.Items() {
		if isUsers(&item) && s.before[keyOf(&item.ResponseItem)] {
			continue
		}
		if isInstruction(&item.ResponseItem) {
			key := keyOf(&item.ResponseItem)
			if s.anywhere[key] {
				continue
			}
			s.anywhere[key] = true // of an earlier compaction item
		}
		item.From = from
		out = append(out, item)
	}
	return out
}
