package answer

import (
	"cmp"
	"errors"
	"iter"

	"github.com/gemwire/gemwire/pkg/wire"
)

// Stream converts chunks of type C into events of type T.
type Stream[C, T any] interface {
	Push(c C) ([]T, error)
	Close(err error) ([]T, error)
}

// Each converts a whole stream of chunks. It passes the result of each call to take before it reads
// the next chunk. It stops when take fails.
func Each[C, T any](s Stream[C, T], chunks iter.Seq2[C, error],
	take func(events []T, failure error) error) error {
	for c, failure := range chunks {
		if failure != nil {
			out, err := s.Close(failure)
			return take(out, err)
		}
		out, err := s.Push(c)
		if err := take(out, err); err != nil {
			return err
		}
	}
	out, err := s.Close(nil)
	return take(out, err)
}

// Events converts a whole stream of chunks, event by event. An error is the last pair, with a zero
// event.
func Events[C, T any](s Stream[C, T], chunks iter.Seq2[C, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		_ = Each(s, chunks, func(events []T, failure error) error {
			for i := range events {
				if !yield(events[i], nil) {
					return errLeft
				}
			}
			if failure != nil {
				var none T
				yield(none, failure)
			}
			return failure
		})
	}
}

// errLeft ends the conversion of a stream whose loop was left early.
var errLeft = errors.New("the loop was left")

// Body writes the body of a stream in a form.
type Body[T any] interface {
	// Write writes events. It returns a *wire.EncodeError for an event that cannot be written as
	// JSON.
	Write(events ...T) error
	// Fail ends the body and reports to the client why the stream failed.
	Fail(failure error) error
}

// Write converts a whole stream of chunks to a body. If the stream fails, or an event cannot be
// written, Write ends the body with Fail and returns the error. If the underlying writer fails, it
// stops.
func Write[C, T any](s Stream[C, T], chunks iter.Seq2[C, error], body Body[T]) error {
	return Each(s, chunks, func(events []T, failure error) error {
		err := body.Write(events...)
		if _, isUnwritten := errors.AsType[*wire.EncodeError](err); err != nil && !isUnwritten {
			return err
		}
		if failure = cmp.Or(err, failure); failure == nil {
			return nil
		}
		if err := body.Fail(failure); err != nil {
			return errors.Join(failure, err)
		}
		return failure
	})
}
