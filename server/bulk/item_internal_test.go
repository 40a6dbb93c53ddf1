package bulk

import (
	"bytes"
	"testing"

	"github.com/gemwire/gemwire/server/bulk/line"
)

func TestAnItemForATestKeepsItsNote(t *testing.T) {
	t.Parallel()
	item := NewItem(&Job{ID: "job"}, 0, nil, nil, nil)
	if note := item.Note(); note != nil {
		t.Errorf("at first: %q", note)
	}
	first, second := []byte("one"), []byte("two")
	if err := item.SetNote(t.Context(), first); err != nil || !bytes.Equal(item.Note(), first) {
		t.Errorf("%q, %v; want %q", item.Note(), err, first)
	}
	if err := item.Discard(t.Context(), second, line.Usage{InputTokens: 1}); err != nil ||
		!bytes.Equal(item.Note(), second) {
		t.Errorf("%q, %v; want %q", item.Note(), err, second)
	}
}
