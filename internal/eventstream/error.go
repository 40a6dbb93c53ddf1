package eventstream

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gemwire/gemwire/internal/transporterror"
	"github.com/gemwire/gemwire/pkg/wire"
)

// errNoEvent is [wire.ErrEventTooLarge] for a body whose first event never begins.
var errNoEvent = fmt.Errorf("%w: no event has begun", wire.ErrEventTooLarge)

// Failure returns an error about the failure of Next, or about the current event. delivered is the
// number of events before it.
func (s *Scanner) Failure(of string, delivered int, err error) *wire.StreamError {
	_, isMalformed := errors.AsType[*wire.MalformedError](err)
	switch {
	case isMalformed:
	case errors.Is(err, ErrCut):
		return s.Truncated(of, delivered, "the last event is incomplete")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF): // a connection that broke off
		out := s.Truncated(of, delivered, "the body was cut off")
		out.Err = fmt.Errorf("%w: %w", wire.ErrTruncated, io.ErrUnexpectedEOF)
		return out
	}
	problem := strings.TrimPrefix(transporterror.Text(err), of+": ")
	switch {
	case errors.Is(err, errNoEvent):
		problem = fmt.Sprintf("no event begins within %d bytes", s.fillerLimit())
	case errors.Is(err, wire.ErrEventTooLarge):
		problem = fmt.Sprintf("larger than the limit of %d bytes", s.MaxSize)
	}
	return &wire.StreamError{Wire: of, Event: delivered + 1, Offset: s.Event.Offset,
		Problem: problem, Err: err, MultiLine: s.Event.Joined}
}

// Truncated returns the error about a stream that stops too early. delivered is the number of its
// events, and problem says what is missing.
func (s *Scanner) Truncated(of string, delivered int, problem string) *wire.StreamError {
	return &wire.StreamError{Wire: of, Event: delivered + 1, Offset: s.Consumed(), Problem: problem,
		Err: wire.ErrTruncated}
}
