package cli

import (
	"cmp"
	"errors"
	"io"
	"iter"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/validation"
)

// eventReader reads the events of a stream whose events have types.
type eventReader[E any] interface {
	All() iter.Seq2[*E, error]
	CheckEnd() error
	Report() transform.Report
	Lost() transform.Report
}

// canonicalEvents makes a converter of a stream of events to itself. fail writes an error that the input ends in; it
// reports false for one that is none of the server's.
func canonicalEvents[E any](read func(io.Reader) eventReader[E], write func(io.Writer) (write func(*E) error, fail func(error) (bool, error))) converter {
	return func(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
		stream := read(in)
		writeEvent, fail := write(out)
		for event, err := range stream.All() {
			if err == nil && s.strict {
				err = stream.Lost().Strict()
			}
			if err == nil {
				err = writeEvent(event)
			} else if isServers, failure := fail(err); isServers {
				return stream.Report(), s.refuseLosses(stream.Report(), cmp.Or(failure, stream.CheckEnd()))
			}
			if err != nil {
				return stream.Report(), err
			}
		}
		err := stream.CheckEnd()
		return stream.Report(), s.refuseLosses(stream.Report(), err)
	}
}

// eventSequence holds the events of a stream to their order.
type eventSequence[E any] interface {
	Push(event *E) []validation.Violation
	Close() []validation.Violation
}

// checkEvents makes a check of a stream of events: of each event, and of their order. A stream that ends in an error of
// the server's, which isServers tells, is right.
func checkEvents[E any](read func(io.Reader) eventReader[E], validate func(*E) error, sequence func() eventSequence[E], isServers func(error) bool) func(io.Reader) error {
	return func(in io.Reader) error {
		stream, order, count := read(in), sequence(), 0
		for event, err := range stream.All() {
			if err != nil && isServers(err) {
				return cmp.Or(stream.CheckEnd(), stream.Report().Strict())
			}
			if err != nil {
				return err
			}
			if err := validate(event); err != nil {
				return &elementError{position(count), -1, err}
			}
			if err := asError(order.Push(event)); err != nil { // whose pointers begin with the position
				return err
			}
			count++
		}
		return cmp.Or(stream.CheckEnd(), asError(order.Close()), stream.Report().Strict())
	}
}

// asError returns what is wrong as an error, nil for nothing.
func asError(violations []validation.Violation) error {
	if len(violations) == 0 {
		return nil
	}
	return &validation.Error{Prefix: "the events are not in order", Violations: violations}
}

// isA reports whether an error is one of a type.
func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
