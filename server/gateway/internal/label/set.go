package label

import (
	"strings"
	"sync"

	"github.com/gemwire/gemwire/internal/redact"
)

// Set holds the names of one kind that are labels. A series of metrics exists for each name until
// the process ends, so the set is bounded: by [MaxNames] and [MaxSize]. It is made by [NewSet], and
// safe for use by several goroutines.
type Set struct {
	mu    sync.RWMutex
	names map[string]bool
}

// NewSet returns a set without names.
func NewSet() *Set { return &Set{names: make(map[string]bool, 16)} }

// Find returns the label of a name: [Other] if the set does not have it. The empty name is its own
// label.
func (s *Set) Find(name string) string {
	if name == "" {
		return ""
	}
	name = Text(name)
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.names[name] {
		return name
	}
	return Other
}

// Add returns the label of a name, which is added to the set if there is room. A credential in the
// place of a name is not added.
func (s *Set) Add(name string) string {
	known := s.Find(name)
	if known != Other {
		return known
	}
	clean := Text(name)
	if strings.Contains(clean, redact.Mark) {
		return Other
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.names) >= MaxNames && !s.names[clean] {
		return Other
	}
	s.names[clean] = true
	return clean
}
