package responsestore_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
)

// A bound is honest only if what counts against it is about what the process takes. It runs alone,
// because the heap belongs to the whole process.
func TestTheCountedSizeIsAboutTheSizeInMemory(t *testing.T) {
	s := responsestore.NewMemory(responsestore.Bounds{})
	heap := func() int64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapAlloc)
	}
	write := func(id string, entries int) responsestore.Write {
		w := responsestore.Write{Document: &responsestore.Document{ID: id, JSON: []byte("{}")}}
		for i := range entries {
			w.Entries = append(w.Entries, responsestore.Entry{List: responsestore.Items,
				ID: fmt.Sprint(id, i), JSON: []byte(`{"role":"user"}`)})
		}
		return w
	}
	for _, test := range []struct{ documents, entries int }{{1, 100_000}, {5_000, 1}} {
		var counted int64
		before := heap()
		for i := range test.documents {
			w := write(fmt.Sprintf("doc_%d_%d", test.documents, i), test.entries)
			counted += w.Size()
			if err := s.Put(t.Context(), responsestore.OwnerOf(""), w); err != nil {
				t.Fatal(err)
			}
		}
		taken := heap() - before
		t.Logf("%+v: %d bytes are counted, %d taken", test, counted, taken)
		if taken > counted*5/4 {
			t.Errorf("%+v: %d bytes are counted, and %d taken", test, counted, taken)
		}
	}
	runtime.KeepAlive(s)
}
