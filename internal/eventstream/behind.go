package eventstream

import (
	"errors"
	"io"
	"strconv"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// ReadBehind reads on behind the end of a stream, before which so many events were, to the end of
// the body. It returns an entry for each event there, and fails with a *wire.StreamError that wraps
// wire.ErrSecondStream at one of which isAnswer says that it is a piece of another answer, or with
// what reading failed with.
func (s *Scanner) ReadBehind(of string, events int,
	isAnswer func([]byte) bool) (behind report.Report, err error) {
	for ; ; events++ {
		wasDone := s.Done
		err := s.Next()
		_, isText := errors.AsType[*TextError](err)
		switch {
		case isText, err == io.EOF && s.Event.Size == 0:
			s.Release()
			return behind, nil
		case err == io.EOF: // a mark, such as that of a proxy behind that of the server
			if !wasDone { // behind an error, where it has no place of its own
				events--
			}
			continue
		case err == ErrCut:
			addBehind(&behind, events)
			s.Release()
			return behind, nil
		case err != nil:
			return behind, err
		case isAnswer(s.Event.Bytes()):
			return behind, s.Failure(of, events, wire.ErrSecondStream)
		}
		addBehind(&behind, events)
	}
}

// addBehind reports an event by its position.
func addBehind(behind *report.Report, position int) {
	behind.Add(report.Lost, "/"+strconv.Itoa(position), "it came after the end of the stream")
}
