// Package store keeps the resources of a fake server in memory: by name, in the order of arrival,
// until they expire, and up to a maximum number.
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

// Store keeps values of one kind. It is safe for concurrent use. Values are replaced and never
// changed, so a reader may keep using a value. A Store must not be copied; [New] makes one.
type Store[T any] struct {
	kind  string
	limit int

	mu      sync.Mutex
	count   int // the number of ids
	entries []entry[T]
}

type entry[T any] struct {
	name    string
	value   T
	expires time.Time // the zero time means never
}

// New returns a store for values of a kind, which ids depend on. Beyond limit it drops the oldest
// values.
func New[T any](kind string, limit int) *Store[T] {
	return &Store[T]{kind: kind, limit: limit}
}

// NewID returns an unused id of lower-case letters and digits. The sequence of ids is the same in
// each store of the kind.
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

// Put adds or replaces a value. The zero time means that it never expires.
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

// Get returns a value, and false if it does not exist or has expired.
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

// All returns all values, oldest first.
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

// Delete deletes a value, and returns false if it does not exist.
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

// Page selects a page of a list.
type Page struct {
	// Prefix is the prefix of the names of its elements.
	Prefix string
	// Size is the maximum number of elements.
	Size int
	// Token is the token from the previous page; "" is the first page.
	Token string
}

// List returns the values of a page, newest first, and the token of the next page, or "". It
// returns false for a token that it did not issue.
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

// Token returns the token of the page after the named resource, in the form of the servers: the
// base64 of a message with the name as its first field.
func Token(name string) string {
	message := binary.AppendUvarint([]byte{nameField}, uint64(len(name)))
	return base64.StdEncoding.EncodeToString(append(message, name...))
}

// nameField is the tag of the first field of a protocol buffer, which is a string.
const nameField = 0x0a

// NameIn returns the name in a token, or "" for the empty token. It returns false for an invalid
// one.
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
