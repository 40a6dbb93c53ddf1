// Package store keeps the resources of a fake server in memory: by name, in the order in which they
// came, until they expire, and no more than so many.
package store

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Store keeps values of one kind. It is safe for concurrent use. A value is replaced and never
// changed, so that who has read it may go on reading. A Store must not be copied; it is made by
// [New].
type Store[T any] struct {
	kind  string
	limit int

	mu      sync.Mutex
	count   int // of the ids that were given
	entries []entry[T]
}

type entry[T any] struct {
	name    string
	value   T
	expires time.Time // the zero time is never
}

// New returns a store of values of a kind, which ids depend on. Of more than limit the oldest are
// dropped.
func New[T any](kind string, limit int) *Store[T] {
	return &Store[T]{kind: kind, limit: limit}
}

// NewID returns an id of lower-case letters and digits that no other resource of this store has.
// The first, second and so on are the same in each store of the kind.
func (s *Store[T]) NewID(length int) string {
	s.mu.Lock()
	s.count++
	digest := sha256.Sum256([]byte(s.kind + strconv.Itoa(s.count)))
	s.mu.Unlock()
	id := make([]byte, length)
	for i := range id {
		const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
		id[i] = alphabet[int(digest[i%len(digest)]+byte(i/len(digest)))%len(alphabet)]
	}
	return string(id)
}

// Put adds a value, or replaces it, until it expires; the zero time is never.
func (s *Store[T]) Put(name string, value T, expires time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropExpired()
	if i := s.index(name); i >= 0 {
		s.entries[i].value, s.entries[i].expires = value, expires
		return
	}
	if len(s.entries) >= s.limit {
		s.entries = slices.Delete(s.entries, 0, 1)
	}
	s.entries = append(s.entries, entry[T]{name, value, expires})
}

// Get returns a value, and false when there is none by that name, or no longer.
func (s *Store[T]) Get(name string) (T, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropExpired()
	if i := s.index(name); i >= 0 {
		return s.entries[i].value, true
	}
	var none T
	return none, false
}

// All returns all values, the oldest first.
func (s *Store[T]) All() []T {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropExpired()
	values := make([]T, len(s.entries))
	for i, e := range s.entries {
		values[i] = e.value
	}
	return values
}

// Delete drops a value, and returns false when there is none by that name.
func (s *Store[T]) Delete(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropExpired()
	i := s.index(name)
	if i < 0 {
		return false
	}
	s.entries = slices.Delete(s.entries, i, i+1)
	return true
}

// Page is a part of a list.
type Page struct {
	// Prefix is what the names of its elements begin with.
	Prefix string
	// Size is how many there are at most.
	Size int
	// Token is that of the page before; "" is the first page.
	Token string
}

// List returns the values of a page, the newest first, and the token of the next one, "" for none.
// It returns false for a token that it has not given.
func (s *Store[T]) List(page Page) (values []T, next string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dropExpired()
	last, ok := NameIn(page.Token)
	if !ok {
		return nil, "", false
	}
	begun := last == ""
	for _, e := range slices.Backward(s.entries) {
		switch {
		case !begun:
			begun = e.name == last
		case !strings.HasPrefix(e.name, page.Prefix):
		case len(values) == page.Size:
			return values, Token(last), true
		default:
			values, last = append(values, e.value), e.name
		}
	}
	return values, "", begun
}

func (s *Store[T]) index(name string) int {
	return slices.IndexFunc(s.entries, func(e entry[T]) bool { return e.name == name })
}

func (s *Store[T]) dropExpired() {
	now := time.Now()
	s.entries = slices.DeleteFunc(s.entries,
		func(e entry[T]) bool { return !e.expires.IsZero() && !now.Before(e.expires) })
}

// Token returns the token of the page behind the resource of a name, as the servers make it: the
// base64 of a message with the name as its first field.
func Token(name string) string {
	message := binary.AppendUvarint([]byte{nameField}, uint64(len(name)))
	return base64.StdEncoding.EncodeToString(append(message, name...))
}

// nameField is the tag of the first field of a protocol buffer, which is a text.
const nameField = 0x0a

// NameIn returns the name in a token, "" for the empty token, and false for what is none.
func NameIn(token string) (name string, ok bool) {
	if token == "" {
		return "", true
	}
	message, err := base64.StdEncoding.DecodeString(token)
	if err != nil || len(message) < 2 || message[0] != nameField {
		return "", false
	}
	length, n := binary.Uvarint(message[1:])
	rest := message[1+max(n, 0):]
	return string(rest), n > 0 && uint64(len(rest)) == length && length > 0
}
