package bulk

import (
	"context"

	"github.com/gemwire/gemwire/server/bulk/internal/engine"
	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/limit/kvledger"
)

// Ledger keeps the records of rate limits in the store, for all workers on it. A store that is away
// for a moment is waited for, as calls that wait for their turn would fail otherwise.
func (s *Service) Ledger() limit.Ledger {
	return &patientLedger{engine: s.engine, kept: kvledger.New(s.engine.Ledger)}
}

// patientLedger asks again while the store is away.
type patientLedger struct {
	engine *engine.Engine
	kept   *kvledger.Ledger
}

// Load implements [limit.Ledger].
func (l *patientLedger) Load(ctx context.Context, project string) (record []byte, revision uint64,
	err error) {
	err = l.engine.Ask(ctx, func(ctx context.Context) error {
		record, revision, err = l.kept.Load(ctx, project)
		return err
	})
	return record, revision, err
}

// Store implements [limit.Ledger]. A record that was stored although the answer was lost is one
// that another worker changed: the limiter reads it, and the slots of a second are wasted.
func (l *patientLedger) Store(ctx context.Context, project string, record []byte,
	revision uint64) (stored uint64, err error) {
	err = l.engine.Ask(ctx, func(ctx context.Context) error {
		stored, err = l.kept.Store(ctx, project, record, revision)
		return err
	})
	return stored, err
}
