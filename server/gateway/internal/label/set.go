package label

import (
	"strings"
	"sync"

	"github.com/gemwire/gemwire/internal/redact"
)

// Set is a bounded set of names that are used as labels. A metric series exists for each name until
// the process ends, so [MaxNames] and [MaxSize] limit the set. [NewSet] makes it. It is safe for
// concurrent use.
type Set struct {
	mu    sync.RWMutex
	names map[string]bool
}

// NewSet returns an empty set.
func NewSet() *Set { return &Set{names: make(map[string]bool, 16)} }

// Find returns the label of a name, which is [Other] if the set does not have the name. The empty
// name is its own label.
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

// Add returns the label of a name, and adds the name to the set if there is room. It does not add a
// name that looks like a credential.
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
