package engine

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/nats-io/nats.go/jetstream"
)

// IsFull reports whether an error says that the store has no room for a write.
func IsFull(err error) bool {
	failed, ok := errors.AsType[*WriteError](err)
	return ok && failed.Full
}

// metadataBound has the bound that the settings give a stream, while others may have raised it.
const metadataBound = "gemwire-bound"

// Grow lets a stream become so many bytes larger than it may be now, or smaller with a number below
// 0, but not below what the settings say: who opens the store meanwhile sets the bound to that. A
// stream without a bound stays so.
func (s *Stream) Grow(ctx context.Context, bytes int64) error {
	s.bound.Lock()
	defer s.bound.Unlock()
	config, err := s.config(ctx)
	if err == nil && config.MaxBytes > 0 {
		config.MaxBytes = changed(config, bytes)
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

// changed returns the bound of a stream that is to become larger or smaller; see [Stream.Grow].
func changed(config jetstream.StreamConfig, bytes int64) int64 {
	bound := config.MaxBytes + bytes
	if bytes >= 0 {
		return bound
	}
	settings, err := strconv.ParseInt(config.Metadata[metadataBound], 10, 64)
	if err != nil {
		settings = 1 // of a stream that others made; 0 would be no bound at all
	}
	return max(bound, min(settings, config.MaxBytes))
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
