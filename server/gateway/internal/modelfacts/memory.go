// Package modelfacts remembers what the table of models says about the models that requests ask
// for.
package modelfacts

import (
	"sync"
	"time"

	"github.com/gemwire/gemwire/pkg/gemini/models"
)

// Memory has the facts about models that were asked for lately. The zero value is ready to use. It
// may be used by many goroutines.
type Memory struct {
	mu    sync.RWMutex
	known map[question]*models.Model
}

type question struct {
	name    string
	service models.Backends
	day     int64
}

const (
	// mostModels is how many models are remembered.
	mostModels = 256
	// longestName is the longest name that is remembered. Clients choose the names.
	longestName = 200
)

// At is the same as [models.At] for the begin of a day in UTC. The result must not be changed.
func (m *Memory) At(name string, service models.Backends, when time.Time) *models.Model {
	begin := when.Truncate(24 * time.Hour)
	if len(name) > longestName {
		return new(models.At(name, service, begin))
	}
	q := question{name, service, begin.Unix()}
	m.mu.RLock()
	found := m.known[q]
	m.mu.RUnlock()
	if found != nil {
		return found
	}
	found = new(models.At(name, service, begin))
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) >= mostModels {
		m.known = map[question]*models.Model{}
	}
	m.known[q] = found
	return found
}
