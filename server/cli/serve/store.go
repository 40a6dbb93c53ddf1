package serve

import (
	"context"
	"fmt"

	"github.com/gemwire/gemwire/server/gateway"
	"github.com/gemwire/gemwire/server/store"
)

// setUpStore opens the store, and gives its rooms to the gateway. Without the setting store the
// gateway keeps nothing.
func (s *server) setUpStore(ctx context.Context) error {
	if s.settings.Store == "" {
		return nil
	}
	opts, err := s.settings.StoreOptions()
	if err != nil {
		return err
	}
	if s.store, err = store.Open(ctx, append(opts, store.WithLogger(s.log))...); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if s.responses, err = s.store.Documents(ctx); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	s.lasting = append(s.lasting, gateway.WithResponseStore(s.responses))
	if signatures := s.store.Signatures(); signatures != nil {
		s.lasting = append(s.lasting, gateway.WithSignatureStore(signatures))
	}
	return s.setUpBatches(ctx)
}

// closeStore closes the rooms, and then the store.
func (s *server) closeStore() {
	if s.jobs != nil {
		if err := s.jobs.Close(); err != nil {
			s.log.Error("closing the batch store failed", "error", err.Error())
		}
	}
	if s.responses != nil { // to which the end of the gateway may write
		if err := s.responses.Close(); err != nil {
			s.log.Error("closing the response store failed", "error", err.Error())
		}
	}
	if s.store != nil {
		if err := s.store.Close(); err != nil {
			s.log.Error("closing the store failed", "error", err.Error())
		}
	}
}
