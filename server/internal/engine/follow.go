package engine

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Latest returns the last message of a subject; see [IsNotFound] and [ErrDamaged]. The subject may
// have wildcards. Unlike [Stream.Get] it always asks the leader, so it sees all earlier writes.
func (s *Stream) Latest(ctx context.Context, subject string) (message *jetstream.RawStreamMsg,
	err error) {
	err = s.engine.Ask(ctx, func(ctx context.Context) error {
		message, err = s.last(ctx, subject)
		return err
	})
	if err != nil {
		return nil, err
	}
	return message, verifyChecksum(message.Subject, message.Header, message.Data)
}

// Follow calls received with the headers of each message, in the order of the stream, and of later
// messages until the returned function is called. It does not verify checksums, because it gets no
// data.
func (s *Stream) Follow(ctx context.Context, received func(jetstream.Msg),
	subjects ...string) (stop func(), err error) {
	var consumer jetstream.Consumer
	err = s.engine.Ask(ctx, func(ctx context.Context) error {
		consumer, err = s.stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{
			FilterSubjects: subjects, HeadersOnly: true, DeliverPolicy: jetstream.DeliverAllPolicy,
			MaxResetAttempts: -1,
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: follow the stream %s: %w", s.name, err)
	}
	reading, err := consumer.Consume(received, jetstream.ConsumeErrHandler(
		func(jetstream.ConsumeContext, error) {})) // it is repeated
	if err != nil {
		return nil, fmt.Errorf("store: follow the stream %s: %w", s.name, err)
	}
	return func() {
		reading.Stop()
		<-reading.Closed()
	}, nil
}
