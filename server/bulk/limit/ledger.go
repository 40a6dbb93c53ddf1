package limit

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// Ledger keeps a record for each project, for all workers. It is safe for use by several
// goroutines.
type Ledger interface {
	// Load returns the record of a project and its revision: nil and 0 where there is none.
	Load(ctx context.Context, project string) (record []byte, revision uint64, err error)
	// Store puts a record in the place of the one of that revision, or of none for 0, and returns
	// its revision. Its error is [ErrChanged] where another worker was faster. It does not keep
	// record.
	Store(ctx context.Context, project string, record []byte, revision uint64) (uint64, error)
}

// ErrChanged says that a record is no longer the one of the revision that was to be replaced.
var ErrChanged = errors.New("limit: another worker has changed the record")

// Memory is a Ledger for the workers of one process. It is made by [NewMemory].
type Memory struct {
	mu      sync.Mutex
	records map[string]memoryRecord
}

type memoryRecord struct {
	content  []byte
	revision uint64
}

// NewMemory returns a ledger that is empty.
func NewMemory() *Memory { return &Memory{records: map[string]memoryRecord{}} }

// Load implements [Ledger].
func (m *Memory) Load(_ context.Context, project string) ([]byte, uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := m.records[project]
	return slices.Clone(found.content), found.revision, nil
}

// Store implements [Ledger].
func (m *Memory) Store(_ context.Context, project string, record []byte, revision uint64) (uint64,
	error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := m.records[project]
	if found.revision != revision {
		return 0, ErrChanged
	}
	m.records[project] = memoryRecord{content: append(found.content[:0], record...),
		revision: revision + 1}
	return revision + 1, nil
}
