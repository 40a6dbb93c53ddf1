package bulk

import (
	"github.com/gemwire/gemwire/pkg/bulk/limit"
	"github.com/gemwire/gemwire/pkg/bulk/limit/kvledger"
)

// Ledger keeps the records of rate limits in the store, for all workers on it.
func (s *Service) Ledger() limit.Ledger { return kvledger.New(s.engine.Ledger) }
