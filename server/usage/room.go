package usage

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/gemwire/gemwire/server/internal/engine"
)

// room is where the numbers are kept. It is safe for concurrent use.
type room interface {
	// put replaces a part of a process's rows of a day.
	put(ctx context.Context, day, id string, rows []Row) error
	// days returns the days that have rows, unsorted.
	days(ctx context.Context) ([]string, error)
	// rows returns all rows of a day, of all processes.
	rows(ctx context.Context, day string) ([]Row, error)
	// tidy joins the parts of days before full, and removes days before last.
	tidy(ctx context.Context, full, last string) error
	// mark records that a process lives, and end that it has ended with everything written.
	mark(ctx context.Context, id string, m *marker) error
	end(ctx context.Context, id string) error
	markers(ctx context.Context) ([]marker, error)
}

// marker is the sign of life of a process.
type marker struct {
	Started time.Time `json:"started"`
	Beat    time.Time `json:"beat"`
	// Busiest is the largest number of requests that one write had.
	Busiest int64 `json:"busiest"`
}

// memory is a room that ends with the process.
type memory struct {
	mu    sync.Mutex
	parts map[string]map[string][]Row // by day and id
}

func newMemory() *memory { return &memory{parts: map[string]map[string][]Row{}} }

func (m *memory) put(_ context.Context, day, id string, rows []Row) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.parts[day] == nil {
		m.parts[day] = map[string][]Row{}
	}
	m.parts[day][id] = slices.Clone(rows)
	return nil
}

func (m *memory) days(context.Context) (days []string, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for day := range m.parts {
		days = append(days, day)
	}
	return days, nil
}

func (m *memory) rows(_ context.Context, day string) (rows []Row, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, part := range m.parts[day] {
		rows = append(rows, part...)
	}
	return rows, nil
}

func (m *memory) tidy(_ context.Context, _, last string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for day := range m.parts {
		if day < last {
			delete(m.parts, day)
		}
	}
	return nil
}

func (*memory) mark(context.Context, string, *marker) error { return nil }

func (*memory) end(context.Context, string) error { return nil }

func (*memory) markers(context.Context) ([]marker, error) { return nil, nil }

// ErrAway is returned while a store is not open.
var ErrAway = errors.New("usage: the store is not available")

// later is a room in a store that is opened later.
type later struct{ engine func() *engine.Engine }

// room returns the room, or [ErrAway].
func (l later) room() (*shared, error) {
	if e := l.engine(); e != nil {
		return newShared(e), nil
	}
	return nil, ErrAway
}

func (l later) put(ctx context.Context, day, id string, rows []Row) error {
	r, err := l.room()
	if err != nil {
		return err
	}
	return r.put(ctx, day, id, rows)
}

func (l later) days(ctx context.Context) ([]string, error) {
	r, err := l.room()
	if err != nil {
		return nil, err
	}
	return r.days(ctx)
}

func (l later) rows(ctx context.Context, day string) ([]Row, error) {
	r, err := l.room()
	if err != nil {
		return nil, err
	}
	return r.rows(ctx, day)
}

func (l later) tidy(ctx context.Context, full, last string) error {
	r, err := l.room()
	if err != nil {
		return err
	}
	return r.tidy(ctx, full, last)
}

func (l later) mark(ctx context.Context, id string, m *marker) error {
	r, err := l.room()
	if err != nil {
		return err
	}
	return r.mark(ctx, id, m)
}

func (l later) end(ctx context.Context, id string) error {
	r, err := l.room()
	if err != nil {
		return err
	}
	return r.end(ctx, id)
}

func (l later) markers(ctx context.Context) ([]marker, error) {
	r, err := l.room()
	if err != nil {
		return nil, err
	}
	return r.markers(ctx)
}
