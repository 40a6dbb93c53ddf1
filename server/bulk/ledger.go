package bulk

import (
	"context"

	"github.com/gemwire/gemwire/server/bulk/limit"
	"github.com/gemwire/gemwire/server/bulk/limit/kvledger"
	"github.com/gemwire/gemwire/server/internal/engine"
)

// Ledger returns the rate limit records in the store, which all its workers share. It waits for a
// store that is briefly not reachable, because calls that wait for a slot would fail otherwise.
func (s *Service) Ledger() limit.Ledger {
	return &patientLedger{engine: s.engine, kept: kvledger.New(s.engine.Ledger)}
}

// Engine returns the engine of the store for packages of the server.
func (s *Service) Engine() *engine.Engine { return s.engine }

// patientLedger retries while the store is not reachable.
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

// Store implements [limit.Ledger]. If a record was stored but the reply was lost, it looks like a
// change by another worker. Then the limiter reads it again, and the slots of one second are
// wasted.
func (l *patientLedger) Store(ctx context.Context, project string, record []byte,
	revision uint64) (stored uint64, err error) {
	err = l.engine.Ask(ctx, func(ctx context.Context) error {
		stored, err = l.kept.Store(ctx, project, record, revision)
		return err
	})
	return stored, err
}
