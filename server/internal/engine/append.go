package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrConflict is returned if the last message of a subject is not the expected one.
var ErrConflict = errors.New("store: another process has written")

// WriteError is returned if the store did not accept a write, or if that is unknown.
type WriteError struct {
	// Full reports that there is no room.
	Full bool
	Err  error
}

// Error returns the store's message.
func (e *WriteError) Error() string {
	if e.Full {
		return "store: the store is full: " + e.Err.Error()
	}
	return "store: the store refused a write: " + e.Err.Error()
}

// Unwrap returns the error of the store.
func (e *WriteError) Unwrap() error { return e.Err }

// Append writes a message after the message of its subject with the sequence last, or the first
// message of a subject for 0. It returns the new sequence. The message is then on the disk, with a
// checksum. The error is [ErrConflict] if another message is the last one, and a *WriteError if the
// store does not accept the write.
func (s *Stream) Append(ctx context.Context, message *nats.Msg, last uint64) (sequence uint64,
	err error) {
	if err := s.engine.room.claim(len(message.Data)); err != nil {
		return 0, err
	}
	addChecksum(message)
	return s.append(ctx, message, last, false)
}

// append writes a message. isSecond says that the message may already be written.
func (s *Stream) append(ctx context.Context, message *nats.Msg, last uint64,
	isSecond bool) (sequence uint64, err error) {
	e := s.engine
	err = e.Ask(ctx, func(ctx context.Context) error {
		if isSecond { // the first may have been written, and its answer lost
			if sequence, err = s.written(ctx, message, last); sequence != 0 || err != nil {
				return err
			}
		}
		sequence, err = s.publish(ctx, message, last)
		if isSecond && isConflict(apiCode(err)) { // the first may have come late
			err = errors.Join(errUnsure, err)
		}
		isSecond = true
		return err
	})
	if err != nil {
		return 0, e.writeFailure(ctx, err)
	}
	return sequence, nil
}

func (s *Stream) publish(ctx context.Context, message *nats.Msg, last uint64) (uint64, error) {
	ack, err := s.engine.js.PublishMsg(ctx, message,
		jetstream.WithExpectLastSequencePerSubject(last), jetstream.WithRetryAttempts(0))
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// errUnsure is a conflict that may be with the same message. The next try reads the existing
// message.
var errUnsure = errors.New("store: the store may have the message already")

// written returns the sequence of a message that may have been written, or 0 if it was not.
func (s *Stream) written(ctx context.Context, message *nats.Msg, last uint64) (uint64, error) {
	found, err := s.last(ctx, message.Subject)
	switch {
	case IsNotFound(err), err == nil && found.Sequence == last:
		return 0, nil
	case err != nil:
		return 0, err
	case found.Sequence > last && bytes.Equal(found.Data, message.Data) &&
		hasHeaders(found.Header, message.Header):
		return found.Sequence, nil
	}
	return 0, ErrConflict
}

// hasHeaders reports whether a message has the given headers. It may have others.
func hasHeaders(has, given nats.Header) bool {
	for name := range maps.Keys(given) {
		if !slices.Equal(has[name], given[name]) {
			return false
		}
	}
	return true
}

// Replace writes the last message of a subject, whatever was there. It is then on the disk, with a
// checksum. The error is a *WriteError if the store does not accept the write.
func (s *Stream) Replace(ctx context.Context, message *nats.Msg) error {
	e := s.engine
	if err := e.room.claim(len(message.Data)); err != nil {
		return err
	}
	addChecksum(message)
	err := e.Ask(ctx, func(ctx context.Context) error {
		_, err := e.js.PublishMsg(ctx, message, jetstream.WithRetryAttempts(0))
		return err
	})
	if err != nil {
		return e.writeFailure(ctx, err)
	}
	return nil
}

// CreateSoon writes the only message of a subject. The returned function waits for the write and
// returns the errors of [Stream.Append]. Until then the message must not be changed.
func (s *Stream) CreateSoon(ctx context.Context, message *nats.Msg) (wait func() error, err error) {
	e := s.engine
	if err := e.room.claim(len(message.Data)); err != nil {
		return nil, err
	}
	addChecksum(message)
	future, err := e.js.PublishMsgAsync(message, jetstream.WithExpectLastSequencePerSubject(0))
	if err != nil { // such as that too much is on the way
		return func() error { _, err := s.append(ctx, message, 0, false); return err }, nil
	}
	return func() error {
		silence := time.NewTimer(silenceTime)
		defer silence.Stop()
		select {
		case <-future.Ok():
			return nil
		case err := <-future.Err():
			if isConflict(apiCode(err)) {
				return e.writeFailure(ctx, err)
			}
		case <-silence.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		_, err := s.append(ctx, message, 0, true) // it is unknown whether it was written
		return err
	}, nil
}

// writeFailure converts an error of a write; see [Stream.Append].
func (e *Engine) writeFailure(ctx context.Context, err error) error {
	switch code := apiCode(err); {
	case errors.Is(err, ErrConflict) || ctx.Err() != nil:
		return err
	case errors.Is(err, nats.ErrMaxPayload):
		return fmt.Errorf("store: the server accepts messages of at most %d bytes: %w",
			e.conn.MaxPayload(), err)
	case isConflict(code):
		return fmt.Errorf("%w: %w", ErrConflict, err)
	case code == codeStoreFailed || code == codeInsufficientResources:
		return &WriteError{Full: true, Err: err}
	}
	// A server whose disk failed does not answer, and accepts no more writes until it is restarted.
	if e.host != nil {
		e.host.fail()
	}
	if full := e.room.check(); full != nil {
		return full
	}
	return &WriteError{Err: err}
}

// NATS error codes that its client has no names for: a stream at its limit, and a server without
// resources.
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

func isConflict(code jetstream.ErrorCode) bool {
	return code == jetstream.JSErrCodeStreamWrongLastSequence ||
		code == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}

// IsNotFound reports whether an error says that a key, message or consumer does not exist.
func IsNotFound(err error) bool {
	return errors.Is(err, jetstream.ErrKeyNotFound) || errors.Is(err, jetstream.ErrMsgNotFound) ||
		errors.Is(err, jetstream.ErrConsumerNotFound)
}
