// Package ledger shares the limits of package quota in a store.
package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/gemwire/gemwire/server/internal/engine"
	"github.com/gemwire/gemwire/server/quota"
)

// OnEngine returns the ledger in a store, or nil for a store in memory.
func OnEngine(e *engine.Engine) quota.Ledger {
	if e == nil {
		return nil
	}
	return &engineLedger{e.Limits}
}

// Later returns the ledger in a store that may be opened later. Until then engine returns nil.
func Later(engine func() *engine.Engine) quota.Ledger { return laterLedger{engine} }

type laterLedger struct{ engine func() *engine.Engine }

func (l laterLedger) Load(ctx context.Context, name string) ([]byte, uint64, error) {
	e := l.engine()
	if e == nil {
		return nil, 0, quota.ErrUnavailable
	}
	return (&engineLedger{e.Limits}).Load(ctx, name)
}

func (l laterLedger) Store(ctx context.Context, name string, record []byte,
	revision uint64) (uint64, error) {
	e := l.engine()
	if e == nil {
		return 0, quota.ErrUnavailable
	}
	return (&engineLedger{e.Limits}).Store(ctx, name, record, revision)
}

type engineLedger struct{ table *engine.Table }

// key returns the key of a limit, whose name may have any characters.
func key(name string) string {
	sum := sha256.Sum256([]byte(name))
	return "limit." + hex.EncodeToString(sum[:16])
}

func (l *engineLedger) Load(ctx context.Context, name string) ([]byte, uint64, error) {
	entry, err := l.table.Get(ctx, key(name))
	if engine.IsNotFound(err) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("quota: %w", err)
	}
	return entry.Value(), entry.Revision(), nil
}

func (l *engineLedger) Store(ctx context.Context, name string, record []byte,
	revision uint64) (uint64, error) {
	revision, err := l.table.Put(ctx, key(name), record, revision)
	if errors.Is(err, engine.ErrConflict) {
		return 0, quota.ErrChanged
	}
	if err != nil {
		return 0, fmt.Errorf("quota: %w", err)
	}
	return revision, nil
}
