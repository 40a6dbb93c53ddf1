package responsestoretest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/google/go-cmp/cmp"
)

// Differ performs the same operations on two stores, which the bytes of a script define, and checks
// that their results are equal.
func Differ(t *testing.T, a, b responsestore.Store, script []byte) {
	t.Helper()
	for i := 0; i+4 <= len(script); i += 4 {
		step := step(script[i : i+4])
		got, want := step.do(t, a), step.do(t, b)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("step %d, %v: (-second +first)\n%s", i/4, step, diff)
		}
	}
}

// step is one operation: what, for which owner and document, with which other document, and its
// size.
type step []byte

func (s step) owner() responsestore.Owner {
	return [...]responsestore.Owner{alice, bob}[s[1]>>7]
}

func (s step) id(b byte) string { return fmt.Sprint("id", b%8) }

func (s step) list() responsestore.List {
	return [...]responsestore.List{responsestore.Input, responsestore.Output, responsestore.Events,
		responsestore.Items}[s[2]>>6]
}

func (s step) write() responsestore.Write {
	id := s.id(s[1])
	size := int(s[3]) * 20
	w := responsestore.Write{ID: id,
		Entries: []responsestore.Entry{{List: s.list(), ID: s.id(s[2]), JSON: make([]byte, size)}}}
	if s[3]%3 == 0 {
		w.Entries[0].ID = ""
	}
	if s[0]%16 < 8 {
		w.ID, w.Document = "",
			&responsestore.Document{ID: id, Previous: s.id(s[2]), IsRunning: s[3]%2 == 0,
				JSON: make([]byte, size/2)}
	}
	return w
}

// do performs a step and returns its visible results.
func (s step) do(t *testing.T, store responsestore.Store) []any {
	ctx, owner, id := t.Context(), s.owner(), s.id(s[1])
	switch s[0] % 16 {
	case 0, 1, 2, 3, 8, 9:
		return seen(store.Put(ctx, owner, s.write()))
	case 4:
		other := step{0, s[1] + 1, s[2], s[3]}
		return seen(store.Put(ctx, owner, s.write(), other.write()))
	case 10:
		return seen(store.Delete(ctx, owner, id))
	case 11:
		return seen(store.DeleteEntry(ctx, owner, id, s.id(s[2])))
	case 12:
		document, entry, err := store.Find(ctx, owner, s.id(s[2]))
		return seen(err, document, entry)
	case 13:
		d, err := store.Get(ctx, owner, id)
		return seen(err, d)
	default:
		page := responsestore.Page{After: int(s[3] % 8), Limit: int(s[3] >> 6),
			IsDescending: s[0]%2 == 0}
		entries, hasMore, err := store.Entries(ctx, owner, id, s.list(), page)
		return seen(err, len(entries), hasMore, append([]responsestore.Entry{}, entries...))
	}
}

// seen returns the kind of an error and the values that came with it.
func seen(err error, others ...any) []any {
	for _, kind := range []error{responsestore.ErrNotFound, responsestore.ErrTooLarge,
		responsestore.ErrFull, responsestore.ErrID} {
		if errors.Is(err, kind) {
			return append(others, kind.Error())
		}
	}
	if err != nil {
		return append(others, "another error")
	}
	return others
}
