package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// PriorityOwn is the priority in the subjects of jobs with a queue of their own. The consumers of
// the other priorities do not see their ranges.
const PriorityOwn = "own"

// ownPrefix is the prefix of the consumers of such jobs.
const ownPrefix = "own-"

// OwnConsumer returns the consumer of a job with its own queue, and makes it if it does not exist.
func (e *Engine) OwnConsumer(ctx context.Context, job string) (consumer jetstream.Consumer,
	err error) {
	err = e.Ask(ctx, func(ctx context.Context) error {
		consumer, err = e.js.CreateOrUpdateConsumer(ctx, streamWork,
			consumerConfig(ownPrefix+job, SubjectWork+PriorityOwn+"."+job+".>"))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: make the consumer of job %s: %w", job, err)
	}
	return consumer, nil
}

// DropOwnConsumer removes the consumer of a job. Removing a missing one is not an error.
func (e *Engine) DropOwnConsumer(ctx context.Context, job string) error {
	err := e.Ask(ctx, func(ctx context.Context) error {
		return e.js.DeleteConsumer(ctx, streamWork, ownPrefix+job)
	})
	if err != nil && !IsNotFound(err) {
		return fmt.Errorf("store: remove the consumer of job %s: %w", job, err)
	}
	return nil
}

// remakeOwn makes the consumers of jobs with their own queue again, so that messages that a dead
// process has taken are available at once.
func (b *builder) remakeOwn(ctx context.Context) error {
	own := map[string]string{}
	err := b.ask(ctx, func(ctx context.Context) error {
		stream, err := b.js.Stream(ctx, streamWork)
		if err != nil {
			return err
		}
		list := stream.ListConsumers(ctx)
		for info := range list.Info() {
			if strings.HasPrefix(info.Name, ownPrefix) {
				own[info.Name] = info.Config.FilterSubject
			}
		}
		return list.Err()
	})
	if err != nil {
		return fmt.Errorf("store: list the consumers: %w", err)
	}
	for name, filter := range own {
		if err := b.makeConsumer(ctx, name, filter); err != nil {
			return err
		}
	}
	return nil
}
