package documents_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
	"github.com/gemwire/gemwire/server/store/internal/documents"
)

var owner = responsestore.OwnerOf("key")

// response returns a write of a document with an item. Its JSON has size bytes.
func response(id, previous string, size int) responsestore.Write {
	return responsestore.Write{
		Document: &responsestore.Document{ID: id, Previous: previous,
			JSON: []byte(strings.Repeat("x", size))},
		Entries: []responsestore.Entry{{List: responsestore.Items, ID: "item_" + id,
			JSON: []byte(strings.Repeat("y", size))}},
	}
}

func put(t *testing.T, s responsestore.Store, writes ...responsestore.Write) {
	t.Helper()
	if err := s.Put(t.Context(), owner, writes...); err != nil {
		t.Fatal(err)
	}
}

func TestAnotherReplicaFindsAWriteAtOnce(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	first, second := open(t, e, responsestore.Bounds{}), open(t, e, responsestore.Bounds{})
	defer func() { _, _ = first.Close(), second.Close() }()
	for i := range 200 {
		id := fmt.Sprint("resp_", i)
		put(t, first, response(id, "", 1+i*200))
		if d, err := second.Get(t.Context(), owner, id); err != nil || len(d.JSON) != 1+i*200 {
			t.Fatalf("%s: %v", id, err)
		}
		if at, _, err := second.Find(t.Context(), owner, "item_"+id); err != nil || at != id {
			t.Fatalf("the item of %s: %q, %v", id, at, err)
		}
		if err := second.Delete(t.Context(), owner, id); err != nil {
			t.Fatal(err)
		}
		if _, err := first.Get(t.Context(), owner, id); !errors.Is(err,
			responsestore.ErrNotFound) {
			t.Fatalf("the deleted %s: %v", id, err)
		}
	}
}

func TestReplicasObeyTheBoundsTogether(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	bounds := responsestore.Bounds{Count: 5}
	first, second := open(t, e, bounds), open(t, e, bounds)
	defer func() { _, _ = first.Close(), second.Close() }()
	for i := range 40 {
		put(t, []responsestore.Store{first, second}[i%2], response(fmt.Sprint(i), "", 10))
	}
	// a replica may have written before it heard of the other's last write
	put(t, first, response("last", "", 10))
	found := 0
	for i := range 40 {
		if _, err := second.Get(t.Context(), owner, fmt.Sprint(i)); err == nil {
			found++
		}
	}
	if found < 3 || found > 6 {
		t.Errorf("%d documents are left; expected about 4", found)
	}
}

func TestBoundsAndItemsOutliveARestart(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	now := time.Now()
	clock := documents.WithClock(func() time.Time { return now })
	bounds := responsestore.Bounds{Count: 4, Age: time.Hour}
	before := open(t, e, bounds, clock)
	put(t, before, response("1", "", 10))
	put(t, before, response("alone", "", 100_000))
	put(t, before, response("other", "", 10))
	now = now.Add(40 * time.Minute)
	put(t, before, response("2", "1", 600_000)) // which renews the first one
	if err := before.Close(); err != nil {
		t.Fatal(err)
	}
	after := open(t, e, bounds, clock)
	defer func() { _ = after.Close() }()
	for _, id := range []string{"1", "2", "alone"} {
		if at, _, err := after.Find(t.Context(), owner, "item_"+id); err != nil || at != id {
			t.Errorf("the item of %s: %q, %v", id, at, err)
		}
	}
	put(t, after, response("3", "", 10)) // the fifth one
	if _, err := after.Get(t.Context(), owner, "alone"); !errors.Is(err,
		responsestore.ErrNotFound) {
		t.Errorf("the oldest one: %v", err)
	}
	now = now.Add(30 * time.Minute)
	for id, want := range map[string]error{"1": nil, "2": nil,
		"other": responsestore.ErrNotFound} {
		if _, err := after.Get(t.Context(), owner, id); !errors.Is(err, want) {
			t.Errorf("%s after its age: %v; expected %v", id, err, want)
		}
	}
}

func TestADeletedOrReplacedDocumentLeavesNoPieces(t *testing.T) {
	t.Parallel()
	e := enginetest.Open(t)
	s := open(t, e, responsestore.Bounds{})
	defer func() { _ = s.Close() }()
	pieces := func() int {
		subjects, err := e.Documents.Subjects(t.Context(), engine.SubjectPiece+">")
		if err != nil {
			t.Fatal(err)
		}
		return len(subjects)
	}
	put(t, s, response("a", "", 2<<20))
	first := pieces()
	put(t, s, responsestore.Write{Document: response("a", "", 2<<20).Document})
	if again := pieces(); first == 0 || again != first {
		t.Errorf("%d pieces, and %d after the document was replaced", first, again)
	}
	if err := s.DeleteEntry(t.Context(), owner, "a", "item_a"); err != nil {
		t.Fatal(err)
	}
	if less := pieces(); less >= first {
		t.Errorf("%d pieces after an item of %d was deleted", less, first)
	}
	if err := s.Delete(t.Context(), owner, "a"); err != nil {
		t.Fatal(err)
	}
	if left := pieces(); left != 0 {
		t.Errorf("%d pieces are left", left)
	}
}
