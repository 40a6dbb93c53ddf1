package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrConflict says that the last message of a subject is not the one that was expected.
var ErrConflict = errors.New("bulk: somebody else has written")

// WriteError is a write that the store did not take, or of which nobody knows whether it did.
type WriteError struct {
	// Full reports that there is no room.
	Full bool
	Err  error
}

// Error says what the store said.
func (e *WriteError) Error() string { return "bulk: write to the store: " + e.Err.Error() }

// Unwrap returns the error of the store.
func (e *WriteError) Unwrap() error { return e.Err }

// Append writes a message behind the one of its subject that has the sequence last, 0 for the first of a subject, and
// returns its sequence. It is on the disk then. The error is [ErrConflict] where another message is the last one, and a
// *WriteError for a store that does not take it.
func (e *Engine) Append(ctx context.Context, message *nats.Msg, last uint64) (uint64, error) {
	if err := e.room.claim(len(message.Data)); err != nil {
		return 0, err
	}
	ack, err := e.js.PublishMsg(ctx, message, jetstream.WithExpectLastSequencePerSubject(last))
	if err != nil {
		return 0, e.WriteFailure(ctx, err)
	}
	return ack.Sequence, nil
}

// WriteFailure says what an error of a write means; see [Engine.Append].
func (e *Engine) WriteFailure(ctx context.Context, err error) error {
	switch code := apiCode(err); {
	case err == nil || ctx.Err() != nil:
		return err
	case code == jetstream.JSErrCodeStreamWrongLastSequence || code == jetstream.JSErrCodeStreamWrongLastSequenceConstant:
		return fmt.Errorf("%w: %w", ErrConflict, err)
	case code == codeStoreFailed || code == codeInsufficientResources:
		return &WriteError{Full: true, Err: err}
	}
	// A server whose disk failed says nothing at all, and takes no more writes until it starts again.
	if e.host != nil {
		e.host.fail()
	}
	if full := e.room.check(); full != nil {
		return full
	}
	return &WriteError{Err: err}
}

// Error codes of NATS that its client has no name for: a stream that is at its bound, and a server without resources.
const (
	codeStoreFailed           jetstream.ErrorCode = 10077
	codeInsufficientResources jetstream.ErrorCode = 10023
)

func apiCode(err error) jetstream.ErrorCode {
	if api := (jetstream.JetStreamError)(nil); errors.As(err, &api) && api.APIError() != nil {
		return api.APIError().ErrorCode
	}
	return 0
}

// IsConflict reports whether a write to a table failed as somebody else was faster.
func IsConflict(err error) bool {
	code := apiCode(err)
	return errors.Is(err, ErrConflict) || errors.Is(err, jetstream.ErrKeyExists) ||
		code == jetstream.JSErrCodeStreamWrongLastSequence || code == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}

// IsNotFound reports whether there is no such key, message or consumer.
func IsNotFound(err error) bool {
	return errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrMsgNotFound) ||
		errors.Is(err, jetstream.ErrConsumerNotFound)
}

// AppendAsync writes the first message of a subject without waiting until it is on the disk. Its errors are for
// [Engine.WriteFailure].
func (e *Engine) AppendAsync(message *nats.Msg) (jetstream.PubAckFuture, error) {
	if err := e.room.claim(len(message.Data)); err != nil {
		return nil, err
	}
	return e.js.PublishMsgAsync(message, jetstream.WithExpectLastSequencePerSubject(0))
}
