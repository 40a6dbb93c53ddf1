package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go/jetstream"
)

// builder makes or updates streams, tables and consumers. All its requests are idempotent.
type builder struct {
	js       jetstream.JetStream
	settings Settings
	// forgets makes taken messages available again at once. No other process may be connected then.
	forgets bool
	ask     func(ctx context.Context, ask func(context.Context) error) error
}

// setUp makes everything that does not exist yet.
func (b *builder) setUp(ctx context.Context) error {
	if err := b.makeStreams(ctx); err != nil {
		return err
	}
	for name, filter := range consumers {
		if err := b.makeConsumer(ctx, name, filter); err != nil {
			return err
		}
	}
	if b.forgets {
		return b.remakeOwn(ctx)
	}
	return nil
}

// makeStreams makes all streams at the same time. A cluster takes a second to make one. If several
// processes make the same one, some get no reply, and ask again after [silenceTime].
func (b *builder) makeStreams(ctx context.Context) error {
	all := configs(b.settings.MaxBytes)
	failures := make([]error, len(all))
	var making sync.WaitGroup
	for i, config := range all {
		config.Replicas = b.settings.Replicas
		making.Go(func() {
			err := b.ask(ctx, func(ctx context.Context) error { return b.makeStream(ctx, config) })
			if err != nil {
				failures[i] = fmt.Errorf("store: make the stream %s: %w", config.Name, err)
			}
		})
	}
	making.Wait()
	return cmp.Or(failures...)
}

// makeStream makes a stream, or updates its settings. A process that only reads jobs, and sets
// neither the replicas nor the limit, leaves these unchanged.
func (b *builder) makeStream(ctx context.Context, config jetstream.StreamConfig) error {
	found, err := b.js.Stream(ctx, config.Name)
	switch {
	case err == nil:
		has := found.CachedInfo().Config
		config.Replicas = max(config.Replicas, has.Replicas)
		if b.settings.MaxBytes == 0 {
			config.MaxBytes, config.Metadata = has.MaxBytes, has.Metadata
		}
	case !errors.Is(err, jetstream.ErrStreamNotFound):
		return err
	}
	_, err = b.js.CreateOrUpdateStream(ctx, config)
	return err
}

func (b *builder) makeConsumer(ctx context.Context, name, filter string) error {
	if b.forgets {
		err := b.ask(ctx,
			func(ctx context.Context) error { return b.js.DeleteConsumer(ctx, streamWork, name) })
		if err != nil && !IsNotFound(err) {
			return fmt.Errorf("store: reset the consumer %s: %w", name, err)
		}
	}
	err := b.ask(ctx, func(ctx context.Context) error {
		_, err := b.js.CreateOrUpdateConsumer(ctx, streamWork, consumerConfig(name, filter))
		return err
	})
	if err != nil {
		return fmt.Errorf("store: make the consumer %s: %w", name, err)
	}
	return nil
}

// consumerConfig returns the configuration of a consumer of work.
func consumerConfig(name, filter string) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable: name, FilterSubject: filter, AckPolicy: jetstream.AckExplicitPolicy,
		AckWait:       AckWait,
		MaxAckPending: -1, // what waits for a quota must not keep others waiting
	}
}
