package metrics

import (
	"sync"

	"github.com/gemwire/gemwire/pkg/gateway/internal/credential"
)

// maxLabels is how many names of a kind become labels.
const maxLabels = 200

// other stands for all names beyond that.
const other = "other"

// labels bounds how many names there are: a series is kept for each for ever, and clients choose names of models.
type labels struct {
	mu    sync.RWMutex
	known map[string]bool
}

func newLabels() *labels { return &labels{known: make(map[string]bool, 16)} }

// of returns the name, or other for one that is too many.
func (l *labels) of(name string) string {
	l.mu.RLock()
	known, full := l.known[name], len(l.known) >= maxLabels
	l.mu.RUnlock()
	switch {
	case known:
		return name
	case full, credential.Blank(name) != name: // which a client took for the name of a model
		return other
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.known) >= maxLabels && !l.known[name] {
		return other
	}
	l.known[name] = true
	return name
}
