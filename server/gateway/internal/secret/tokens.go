package secret

import (
	"context"
	"slices"
	"sync"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// Tokens is a source of access tokens that remembers the latest tokens. [NewTokens] makes it. It is
// safe for concurrent use.
type Tokens struct {
	source gemini.TokenSource

	mu     sync.Mutex
	recent []string
}

// NewTokens returns a source that gets its tokens from another one.
func NewTokens(source gemini.TokenSource) *Tokens { return &Tokens{source: source} }

// maxRecent is the number of remembered tokens. A token is valid for an hour.
const maxRecent = 4

// Token implements [gemini.TokenSource].
func (t *Tokens) Token(ctx context.Context) (string, error) {
	token, err := t.source.Token(ctx)
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.Contains(t.recent, token) {
		t.recent = append(slices.Clone(t.recent[max(0, len(t.recent)+1-maxRecent):]), token)
	}
	return token, nil
}

// Recent returns the latest tokens. The returned list never changes.
func (t *Tokens) Recent() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.recent
}
