package bulk

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/gemwire/gemwire/pkg/bulk/internal/engine"
	"github.com/gemwire/gemwire/pkg/bulk/limit"
)

// Ledger keeps the records of rate limits in the store, for all workers on it.
func (s *Service) Ledger() limit.Ledger { return &ledger{engine: s.engine} }

// ledger is a table whose keys are projects in hexadecimal digits, as those may have any name.
type ledger struct{ engine *engine.Engine }

// Load implements [limit.Ledger].
func (l *ledger) Load(ctx context.Context, project string) ([]byte, uint64, error) {
	entry, err := l.engine.Ledger.Get(ctx, ledgerKey(project))
	if engine.IsNotFound(err) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("bulk: read the ledger: %w", err)
	}
	return entry.Value(), entry.Revision(), nil
}

// Store implements [limit.Ledger].
func (l *ledger) Store(ctx context.Context, project string, record []byte, revision uint64) (uint64, error) {
	revision, err := l.engine.Ledger.Update(ctx, ledgerKey(project), record, revision)
	if engine.IsConflict(err) {
		return 0, limit.ErrChanged
	}
	if err != nil {
		return 0, l.engine.WriteFailure(ctx, err)
	}
	return revision, nil
}

func ledgerKey(project string) string { return "project." + hex.EncodeToString([]byte(project)) }
