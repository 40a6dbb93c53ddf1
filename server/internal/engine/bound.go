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

// metadataBound is the metadata key of the limit in the settings. The stream's own limit may be
// raised.
const metadataBound = "gemwire-bound"

// Grow raises the limit of a stream by a number of bytes, or lowers it for a negative number, but
// not below the limit in the settings. A process that opens the store resets the limit to the
// settings. A stream without a limit stays so.
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
		return fmt.Errorf("store: change the limit of the stream %s: %w", s.name, err)
	}
	return nil
}

// changed returns the new limit of a stream; see [Stream.Grow].
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

// Trim removes the oldest messages of a stream that is larger than a number of bytes. A limit of
// the stream itself would make servers reserve that size.
func (s *Stream) Trim(ctx context.Context, bytes uint64) error {
	err := s.engine.Ask(ctx, func(ctx context.Context) error {
		info, err := s.stream.Info(ctx)
		if err != nil || info.State.Bytes <= bytes {
			return err
		}
		// so that it is not due again soon
		share := 0.9 * float64(bytes) / float64(info.State.Bytes)
		return s.stream.Purge(ctx,
			jetstream.WithPurgeKeep(max(1, uint64(share*float64(info.State.Msgs)))))
	})
	if err != nil {
		return fmt.Errorf("store: trim the stream %s: %w", s.name, err)
	}
	return nil
}

// config returns the stream's current configuration on the server.
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
