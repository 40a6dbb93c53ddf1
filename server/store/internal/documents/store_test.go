package documents_test

import (
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/goleak"

	"github.com/gemwire/gemwire/server/gateway/responsestore"
	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/internal/engine/enginetest"
	"github.com/gemwire/gemwire/server/internal/responsestoretest"
	"github.com/gemwire/gemwire/server/store/internal/documents"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// places open an engine that is empty, each in another place.
var places = map[string]func(t testing.TB) *engine.Engine{
	"in a folder": enginetest.Open,
	"on a server": func(t testing.TB) *engine.Engine {
		s := enginetest.Server(t, &server.Options{StoreDir: t.TempDir(), SyncAlways: true})
		return enginetest.OpenAt(t, s.ClientURL(), 1)
	},
	"on a server that takes short messages": func(t testing.TB) *engine.Engine {
		s := enginetest.Server(t, &server.Options{StoreDir: t.TempDir(), SyncAlways: true,
			MaxPayload: 16 << 10, MaxPending: 1 << 20})
		return enginetest.OpenAt(t, s.ClientURL(), 1)
	},
}

func open(t testing.TB, e *engine.Engine, bounds responsestore.Bounds,
	opts ...documents.Option) *documents.Store {
	t.Helper()
	s, err := documents.Open(t.Context(), e, bounds, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheStoreKeepsItsPromise(t *testing.T) {
	t.Parallel()
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			open := func(t testing.TB, bounds responsestore.Bounds,
				now func() time.Time) responsestore.Store {
				return open(t, place(t), bounds, documents.WithClock(now))
			}
			test(t, open)
		})
	}
}

func test(t *testing.T, open responsestoretest.Open) {
	t.Helper()
	responsestoretest.Run(t, open)
	responsestoretest.Bounds(t, open)
	s := open(t, responsestore.Bounds{Count: 50}, time.Now)
	responsestoretest.Crowd(t, s)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A cluster takes a while to make streams, so the tests have one set of them and owners of their
// own.
func TestTheStoreKeepsItsPromiseOnACluster(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it takes a while until a cluster has leaders")
	}
	cluster := enginetest.NewCluster(t, 3)
	var mu sync.Mutex
	responsestoretest.Run(t, func(t testing.TB, bounds responsestore.Bounds,
		now func() time.Time) responsestore.Store {
		mu.Lock() // one test at a time
		t.Cleanup(mu.Unlock)
		e := enginetest.OpenAt(t, cluster.Address, 3)
		if err := e.Documents.Purge(t.Context(), ">"); err != nil {
			t.Fatal(err)
		}
		return open(t, e, bounds, documents.WithClock(now))
	})
}

// FuzzAFolderDoesWhatMemoryDoes performs the same steps with both stores and compares the results.
func FuzzAFolderDoesWhatMemoryDoes(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x30\x08\x01\x42\x40\x0c\x01\x02\x00\x0e\x01\x42\x40"))
	f.Add([]byte("\x04\x01\x02\x80\x00\x82\x03\xff\x0b\x01\x02\x00\x0d\x01\x00\x00\x0a\x01\x00\x00\x0f\x02\x00\x41"))
	f.Add([]byte("\x00\x00\x01\xff\x00\x01\x02\xff\x00\x02\x03\xff\x00\x03\x04\xff\x00\x04\x05\xff\x0d\x00\x00\x00\x0d\x04\x00\x00"))
	f.Fuzz(func(t *testing.T, script []byte) {
		if len(script) > 200 {
			return
		}
		bounds := responsestore.Bounds{Count: 5, Bytes: 20_000, TotalBytes: 30_000}
		s := open(t, enginetest.Open(t), bounds)
		defer func() { _ = s.Close() }()
		responsestoretest.Differ(t, s, responsestore.NewMemory(bounds), script)
	})
}
