package responsestoretest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// Bounds tests that a store accepts writes and ids up to its limits, and none beyond them.
func Bounds(t *testing.T, open Open) {
	t.Helper()
	writeOf := func(id, previous, item string) responsestore.Write {
		return responsestore.Write{
			Document: &responsestore.Document{ID: id, Previous: previous, JSON: []byte("{}")},
			Entries: []responsestore.Entry{{List: responsestore.Input, ID: item,
				JSON: []byte("{}")}},
		}
	}
	first, second := writeOf("a", "", "i"), writeOf("b", "", "i")
	one, two := []responsestore.Write{first}, []responsestore.Write{first, second}
	size := first.Size()
	longest := strings.Repeat("x", responsestore.MaxIDSize)
	for name, test := range map[string]struct {
		bounds responsestore.Bounds
		writes []responsestore.Write
		want   error
	}{
		"as many bytes as may be": {responsestore.Bounds{Bytes: size}, one, nil},
		"a byte more": {responsestore.Bounds{Bytes: size - 1}, one,
			responsestore.ErrTooLarge},
		"two of as many bytes": {responsestore.Bounds{Bytes: 2 * size}, two, nil},
		"two of a byte more": {responsestore.Bounds{Bytes: 2*size - 1}, two,
			responsestore.ErrTooLarge},
		"as many documents as may be": {responsestore.Bounds{Count: 2}, two, nil},
		"a document more": {responsestore.Bounds{Count: 1}, two,
			responsestore.ErrTooLarge},
		"the longest ids": {responsestore.Bounds{},
			[]responsestore.Write{writeOf(longest, longest, longest)}, nil},
		"a longer document's": {responsestore.Bounds{},
			[]responsestore.Write{writeOf(longest+"x", "", "i")}, responsestore.ErrID},
		"a longer one before it": {responsestore.Bounds{},
			[]responsestore.Write{writeOf("a", longest+"x", "i")}, responsestore.ErrID},
		"a longer entry's": {responsestore.Bounds{},
			[]responsestore.Write{writeOf("a", "", longest+"x")}, responsestore.ErrID},
		"no id": {responsestore.Bounds{},
			[]responsestore.Write{writeOf("", "", "i")}, responsestore.ErrID},
	} {
		store, owner := open(t, test.bounds, time.Now), responsestore.OwnerOf("key")
		if err := store.Put(t.Context(), owner, test.writes...); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
		for _, w := range test.writes {
			if _, err := store.Get(t.Context(), owner, w.DocumentID()); test.want == nil &&
				err != nil {
				t.Errorf("%s: %.10s is not kept: %v", name, w.DocumentID(), err)
			}
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
}
