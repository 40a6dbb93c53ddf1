package eventstream

import (
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/internal/codec"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// Wire has the facts about a vendor's streams that a [Reader] needs.
type Wire struct {
	// Payload names the wire and what an event holds, for errors.
	Payload codec.Payload
	// HasMark reports that streams end in the mark [DONE].
	HasMark bool
	// Missing describes the end that a truncated stream does not have.
	Missing string
	// IsAnswer reports whether the data of an event are a piece of an answer.
	IsAnswer func(data []byte) bool
}

// Reader reads the events of a stream, which are of type T, until the vendor's end of it. A
// vendor's StreamReader has a Reader and hands its own methods on to it.
type Reader[T any] struct {
	// Scanner cuts the body into events.
	Scanner Scanner
	// Count is the number of events so far.
	Count int
	// Data are the data of the event that Next read last, nil if it read none.
	Data []byte
	// Ended reports that the last event was the proper end. Next then returns io.EOF.
	Ended bool
	// Reported is an error of the server that does not end the stream by itself. Next returns it if
	// the body ends.
	Reported error

	wire     *Wire
	err      error // that ended the stream
	failed   bool  // The server reported err.
	replaced report.Report
	afterEnd report.Report
}

// NewReader returns a reader of the stream in r. It reads nothing yet.
func NewReader[T any](r io.Reader, wire *Wire, maxSize int64) Reader[T] {
	return Reader[T]{Scanner: New(r, maxSize), wire: wire}
}

// Next returns the next event, by decode. decode fails with a *wire.MalformedError, with
// wire.ErrSecondStream, or with the error that the server reports. After an error, Next returns the
// same error again.
func (r *Reader[T]) Next(decode func(data []byte) (*T, error)) (*T, error) {
	if r.err != nil {
		return nil, r.err
	}
	event, err := r.read(decode)
	r.err = err
	return event, err
}

func (r *Reader[T]) read(decode func(data []byte) (*T, error)) (*T, error) {
	r.Data = nil
	if r.Ended {
		return nil, io.EOF
	}
	if err := r.Scanner.Next(); err != nil {
		if err == io.EOF && r.Scanner.Done {
			r.Data = []byte(DoneMark)
		}
		return nil, r.failure(err)
	}
	r.Data = r.Scanner.Event.Bytes()
	r.replaced = append(r.replaced, report.ReplacedText("/"+strconv.Itoa(r.Count), r.Data)...)
	event, err := decode(r.Data)
	if _, isMalformed := errors.AsType[*wire.MalformedError](err); isMalformed ||
		err == wire.ErrSecondStream {
		return nil, r.fault(err)
	}
	r.Count++
	r.failed = err != nil
	return event, err
}

// failure turns what the scanner ends with into what Next returns.
func (r *Reader[T]) failure(err error) error {
	if damage, ok := errors.AsType[*ByteError](err); ok {
		return r.fault(codec.NewByteError(r.wire.Payload, damage.Byte))
	}
	_, isText := errors.AsType[*TextError](err)
	switch {
	case err == io.EOF && r.Scanner.Done && r.wire.HasMark:
		r.Count++
		return io.EOF
	case err == io.EOF && r.Reported != nil:
		r.failed = true
		return r.Reported
	case err == io.EOF, isText:
		return r.Scanner.Truncated(r.wire.Payload.Wire, r.Count, r.wire.Missing)
	case err == ErrCut, err == wire.ErrEventTooLarge:
		return r.fault(err)
	default:
		return err
	}
}

// fault returns the error about the event at hand.
func (r *Reader[T]) fault(err error) error {
	return r.Scanner.Failure(r.wire.Payload.Wire, r.Count, err)
}

// CheckEnd reads to the end of the body if an event ended the stream, and reports each event there.
// It fails with a *wire.StreamError that wraps wire.ErrSecondStream at a piece of another answer,
// or with what reading failed with.
func (r *Reader[T]) CheckEnd() error {
	if !r.failed && r.err != io.EOF {
		return nil
	}
	after, err := r.Scanner.ReadAfterEnd(r.wire.Payload.Wire, r.Count, r.wire.IsAnswer)
	r.afterEnd = append(r.afterEnd, after...)
	if _, isFound := errors.AsType[*wire.StreamError](err); err == nil || isFound {
		return err
	}
	return r.failure(err)
}

// Report returns what of the body is in no event so far: skipped lines, halves of surrogate pairs,
// what decoding reported, and events after the end.
func (r *Reader[T]) Report(decoded report.Report) report.Report {
	return slices.Concat(r.Scanner.Report(), r.replaced, decoded, r.afterEnd)
}

// Lost returns the entries of Report that are losses.
func (r *Reader[T]) Lost(decoded report.Report) report.Report {
	return slices.Concat(r.Scanner.Report(), decoded.Of(report.Lost), r.afterEnd)
}

// All returns an iterator over the events that next returns. If next fails, the error is in the
// last pair, with a nil event. At the proper end there is no such pair.
func All[T any](next func() (*T, error)) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for {
			event, err := next()
			if err == io.EOF || !yield(event, err) || err != nil {
				return
			}
		}
	}
}
