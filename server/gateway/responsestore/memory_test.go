package responsestore_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/responsestoretest"
)

func openMemory(_ testing.TB, bounds responsestore.Bounds,
	now func() time.Time) responsestore.Store {
	return responsestore.NewMemory(bounds, responsestore.WithClock(now))
}

func TestMemoryKeepsWhatAStoreKeeps(t *testing.T) {
	t.Parallel()
	responsestoretest.Run(t, openMemory)
}

func TestMemoryObeysItsBounds(t *testing.T) {
	t.Parallel()
	responsestoretest.Bounds(t, openMemory)
}

func TestMemoryIsForManyAtATime(t *testing.T) {
	t.Parallel()
	responsestoretest.Crowd(t, responsestore.NewMemory(responsestore.Bounds{Count: 50}))
}

func TestStoredMemoryIsNotShared(t *testing.T) {
	t.Parallel()
	s := responsestore.NewMemory(responsestore.Bounds{})
	owner := responsestore.OwnerOf("")
	text := []byte(`"a"`)
	write := responsestore.Write{Document: &responsestore.Document{ID: "a", JSON: text},
		Entries: []responsestore.Entry{{List: responsestore.Input, JSON: text}}}
	if err := s.Put(t.Context(), owner, write); err != nil {
		t.Fatal(err)
	}
	text[1] = 'b'
	write.Document.ID = "b"
	d, err := s.Get(t.Context(), owner, "a")
	if err != nil || d.ID != "a" || string(d.JSON) != `"a"` {
		t.Errorf("%+v, %v", d, err)
	}
	entries, _, err := s.Entries(t.Context(), owner, "a", responsestore.Input, responsestore.Page{})
	if err != nil || string(entries[0].JSON) != `"a"` {
		t.Errorf("%+v, %v", entries, err)
	}
}

// A replaced document counts once.
func TestADocumentOfTheSizeOfTheStoreMayBeReplaced(t *testing.T) {
	t.Parallel()
	write := func(size int) responsestore.Write {
		return responsestore.Write{Document: &responsestore.Document{ID: "a",
			JSON: make([]byte, size)}}
	}
	largest := write(1_000)
	bounds, owner := responsestore.Bounds{Bytes: largest.Size()}, responsestore.OwnerOf("key")
	s := responsestore.NewMemory(bounds)
	for _, size := range []int{1_000, 1_000, 10, 1_000} {
		if err := s.Put(t.Context(), owner, write(size)); err != nil {
			t.Errorf("a document of %d bytes in the place of another: %v", size, err)
		}
	}
	if err := s.Put(t.Context(), owner, write(1_001)); !errors.Is(err,
		responsestore.ErrTooLarge) {
		t.Errorf("a byte more: %v; want ErrTooLarge", err)
	}
}

func BenchmarkMemoryPut(b *testing.B) {
	s := responsestore.NewMemory(responsestore.Bounds{Count: 1000})
	owner := responsestore.OwnerOf("key")
	body := make([]byte, 2000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		id := fmt.Sprint("resp_", i)
		w := responsestore.Write{
			Document: &responsestore.Document{ID: id, JSON: body},
			Entries: []responsestore.Entry{{List: responsestore.Input, ID: id + "in", JSON: body},
				{List: responsestore.Output, ID: id + "out", JSON: body}},
		}
		if err := s.Put(b.Context(), owner, w); err != nil {
			b.Fatal(err)
		}
	}
}
