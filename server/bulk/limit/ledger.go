package limit

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// Ledger holds a record for each project, shared by all workers. It must be safe for concurrent
// use.
type Ledger interface {
	// Load returns the record of a project and its revision, or nil and 0 if the project has no
	// record.
	Load(ctx context.Context, project string) (record []byte, revision uint64, err error)
	// Store replaces the record with the given revision, or creates it for revision 0. It returns
	// the new revision. Its error is [ErrChanged] if another worker has changed the record. It does
	// not keep record.
	Store(ctx context.Context, project string, record []byte, revision uint64) (uint64, error)
}

// ErrChanged is returned if a record no longer has the expected revision.
var ErrChanged = errors.New("limit: another worker has changed the record")

// Memory is a Ledger for the workers of one process. [NewMemory] makes it.
type Memory struct {
	mu      sync.Mutex
	records map[string]memoryRecord
}

type memoryRecord struct {
	content  []byte
	revision uint64
}

// NewMemory returns an empty ledger.
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
