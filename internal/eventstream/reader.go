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

// Wire has the properties of a vendor's streams that a [Reader] needs.
type Wire struct {
	// Payload names the API and the content of an event. Errors contain this name.
	Payload codec.Payload
	// HasMark reports that streams end with the mark [DONE].
	HasMark bool
	// Missing names what a truncated stream lacks at its end.
	Missing string
	// IsAnswer reports whether the data of an event is a piece of an answer.
	IsAnswer func(data []byte) bool
}

// Reader reads the events of a stream, of type T, until the stream ends as the vendor defines it.
// Each vendor's StreamReader wraps a Reader.
type Reader[T any] struct {
	// Scanner cuts the body into events.
	Scanner Scanner
	// Count is the number of events so far.
	Count int
	// Data is the data of the event that Next read last. It is nil if Next has read none.
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

// NewReader returns a reader of the stream in r. It does not read yet.
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

// failure converts the error of the scanner to the error that Next returns.
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

// fault returns the error about the current event.
func (r *Reader[T]) fault(err error) error {
	return r.Scanner.Failure(r.wire.Payload.Wire, r.Count, err)
}

// CheckEnd reads to the end of the body if an event has ended the stream, and reports each later
// event. It fails with a *wire.StreamError that wraps wire.ErrSecondStream if a later event is a
// piece of another answer. It also fails if reading fails.
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

// Report returns entries for everything of the body that no event contains so far: skipped lines,
// halves of surrogate pairs, events after the end, and the entries of the decoder.
func (r *Reader[T]) Report(decoded report.Report) report.Report {
	return slices.Concat(r.Scanner.Report(), r.replaced, decoded, r.afterEnd)
}

// Lost returns the entries of Report that are losses.
func (r *Reader[T]) Lost(decoded report.Report) report.Report {
	return slices.Concat(r.Scanner.Report(), decoded.Of(report.Lost), r.afterEnd)
}

// All returns an iterator over the events that next returns. If next fails, the last pair has the
// error and a nil event. If the stream ends properly, no pair has an error.
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
