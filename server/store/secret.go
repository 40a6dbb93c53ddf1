package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/server/internal/record"
)

// secretSize is the number of bytes of a secret.
const secretSize = 32

// secret is a secret as it is stored.
type secret struct {
	Bytes []byte `json:"bytes"`
}

// Secret returns a random secret with a name, which all processes with the store share. The first
// call makes it. It is nil for a store in memory.
func (s *Store) Secret(ctx context.Context, name string) ([]byte, error) {
	if s.engine == nil {
		return nil, nil
	}
	table := record.NewTable[secret](s.engine.Keys, "secret")
	made := &secret{make([]byte, secretSize)}
	_, _ = rand.Read(made.Bytes) // it never fails
	err := table.Create(ctx, name, made)
	if err == nil {
		return made.Bytes, nil
	}
	if !errors.Is(err, record.ErrExists) {
		return nil, fmt.Errorf("store: make a secret: %w", err)
	}
	found, _, err := table.Get(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("store: read a secret: %w", err)
	}
	return found.Bytes, nil
}
