package secret

import (
	"context"
	"slices"
	"sync"

	"github.com/gemwire/gemwire/pkg/gemini"
)

// Tokens is a source of access tokens that remembers those it gave last. It is made by [NewTokens],
// and safe for use by several goroutines.
type Tokens struct {
	source gemini.TokenSource

	mu     sync.Mutex
	recent []string
}

// NewTokens returns a source that asks another.
func NewTokens(source gemini.TokenSource) *Tokens { return &Tokens{source: source} }

// maxRecent is how many tokens are remembered. A token is valid for an hour.
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

// Recent returns the tokens that were given last, as a list that never changes.
func (t *Tokens) Recent() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.recent
}
