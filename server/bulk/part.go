package bulk

import (
	"context"
	"fmt"

	"github.com/gemwire/gemwire/server/bulk/line"
	"github.com/go-json-experiment/json"
)

// partNotes is the note of an item that has parts: the note of each part by its name.
type partNotes struct {
	Parts map[string][]byte `json:"parts"`
}

// Part returns an item for some lines of this item, with a note of its own under a name. It is for
// executors that work at some lines separately. Parts of the same item must not run concurrently.
func (i *Item) Part(name string, lines []line.Line) *Item {
	part := *i
	part.Lines = lines
	part.keeper.note = func() []byte {
		notes, _ := i.partNotes() // an unreadable note is reported when it is replaced
		return notes.Parts[name]
	}
	part.keeper.setNote = func(ctx context.Context, note []byte, discarded line.Usage) error {
		notes, err := i.partNotes()
		if err != nil {
			return err
		}
		if notes.Parts == nil {
			notes.Parts = map[string][]byte{}
		}
		notes.Parts[name] = note
		whole, err := json.Marshal(&notes, json.Deterministic(true))
		if err != nil {
			return err
		}
		return i.keeper.setNote(ctx, whole, discarded)
	}
	return &part
}

func (i *Item) partNotes() (notes partNotes, err error) {
	note := i.keeper.note()
	if len(note) == 0 {
		return notes, nil
	}
	if err := json.Unmarshal(note, &notes); err != nil {
		return notes, fmt.Errorf("bulk: the note of an item with parts: %w", err)
	}
	return notes, nil
}
