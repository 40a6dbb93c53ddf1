package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// IsFull reports whether an error says that the store has no room for a write.
func IsFull(err error) bool {
	failed, ok := errors.AsType[*WriteError](err)
	return ok && failed.Full
}

// Grow lets a stream become so many bytes larger than it may be now, or smaller with a number below 0. One without a bound
// stays so.
func (s *Stream) Grow(ctx context.Context, bytes int64) error {
	s.bound.Lock()
	defer s.bound.Unlock()
	config, err := s.config(ctx)
	if err == nil && config.MaxBytes > 0 {
		config.MaxBytes += bytes
		err = s.engine.Ask(ctx, func(ctx context.Context) error {
			_, err := s.engine.js.UpdateStream(ctx, config)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("bulk: change the bound of the stream %s: %w", s.name, err)
	}
	return nil
}

// config returns how the server has the stream now.
func (s *Stream) config(ctx context.Context) (config jetstream.StreamConfig, err error) {
	err = s.engine.Ask(ctx, func(ctx context.Context) error {
		found, err := s.engine.js.Stream(ctx, s.name)
		if err == nil {
			config = found.CachedInfo().Config
		}
		return err
	})
	return config, err
}
