package signature

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// Store stores signatures by their names. It must be safe for concurrent use.
type Store interface {
	// Keep stores a signature in place of an earlier one with the name.
	Keep(ctx context.Context, name, signature string) error
	// Find returns the signature of a name, or "".
	Find(ctx context.Context, name string) (string, error)
}

// Backed is a [Store] that does not hold requests up for ever. It waits until a signature is stored
// before the id that refers to it leaves the process. So another replica finds the signature even
// if this process is killed right after that. But it waits for [waitTime] at most. After a failure
// it does not use the store for [restTime], and then waits for [shortTime] only, until the store
// answers.
type Backed struct {
	store  Store
	logger *slog.Logger

	mu     sync.Mutex
	rests  time.Time // until then the store is not used
	isDown bool      // it has failed, and has not answered since
}

const (
	// waitTime is how long a request waits for the store. A cluster that has lost its leader takes
	// 4 to 9 seconds to elect another one.
	waitTime = 15 * time.Second
	// shortTime is how long a request waits for a store that has failed.
	shortTime = 500 * time.Millisecond
	// restTime is how long the store is not used after a failure.
	restTime = 5 * time.Second
)

// concurrency is the maximum number of signatures that a request looks up at the same time.
const concurrency = 16

// NewBacked returns a store for [Memory.SetStore]. It logs failures.
func NewBacked(store Store, logger *slog.Logger) *Backed {
	return &Backed{store: store, logger: logger}
}

// ask uses the store, unless it has just failed. It reports whether the store has answered.
func (b *Backed) ask(use func(context.Context) error) bool {
	b.mu.Lock()
	rests, wait := time.Now().Before(b.rests), waitTime
	if b.isDown {
		wait = shortTime
	}
	b.mu.Unlock()
	if rests {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	err := use(ctx)
	b.mu.Lock()
	isFirst := !b.isDown
	b.isDown = err != nil
	if err != nil {
		b.rests = time.Now().Add(restTime)
	}
	b.mu.Unlock()
	if err == nil {
		return true
	}
	if isFirst && b.logger != nil {
		b.logger.Error("the store of signatures failed; signatures are in memory only",
			"error", err)
	}
	return false
}

// keep stores the signature of an entry. It does nothing for a nil store.
func (b *Backed) keep(e entry) {
	if b != nil {
		b.ask(func(ctx context.Context) error { return b.store.Keep(ctx, e.key(), e.signature) })
	}
}

// Load looks the signatures of ids up in the store, if the memory has none. Then [Memory.Find]
// finds them. An id that has none is looked up once: its signature would have been stored before
// the client received the end of the answer.
func (m *Memory) Load(ids ...string) {
	if m.backed == nil {
		return
	}
	var wanted []entry
	for _, id := range ids {
		if _, name, isNamed := strings.Cut(id, mark); isNamed {
			wanted = append(wanted, entry{name: name})
		} else if id != "" {
			wanted = append(wanted, entry{name: id, isLate: true})
		}
	}
	m.load(wanted...)
}

// load looks entries up in the store that the memory does not have.
func (m *Memory) load(wanted ...entry) {
	if m.backed == nil {
		return
	}
	var all sync.WaitGroup
	slots := make(chan struct{}, concurrency)
	for _, e := range m.missing(wanted) {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			m.fetch(e)
		})
	}
	all.Wait()
}

// missing returns the entries that the memory does not have.
func (m *Memory) missing(wanted []entry) (out []entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range wanted {
		if _, has := m.entries(e)[e.name]; !has {
			out = append(out, e)
		}
	}
	return out
}

// fetch reads an entry from the store.
func (m *Memory) fetch(e entry) {
	answered := m.backed.ask(func(ctx context.Context) (err error) {
		e.signature, err = m.backed.store.Find(ctx, e.key())
		return err
	})
	if !answered {
		return
	}
	e.isMissing = e.signature == "" && e.isLate
	if (e.isMissing || e.signature != "") && e.size() <= m.limit {
		m.replace(e)
	}
}

// whyLost says why a signature is not found.
func (m *Memory) whyLost() string {
	if m.backed != nil {
		return "the thought signature is no longer stored"
	}
	return "the thought signature was forgotten, or another replica holds it"
}
