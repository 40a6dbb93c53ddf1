package eventstream

import (
	"errors"
	"io"
	"strconv"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// ReadAfterEnd reads from the end of a stream to the end of the body. events is the number of
// events before the end. ReadAfterEnd returns an entry for each event that follows. It fails with a
// *wire.StreamError that wraps wire.ErrSecondStream if isAnswer reports that an event is a piece of
// another answer, or with the error of the underlying reader.
func (s *Scanner) ReadAfterEnd(of string, events int,
	isAnswer func([]byte) bool) (after report.Report, err error) {
	for ; ; events++ {
		wasDone := s.Done
		err := s.Next()
		_, isText := errors.AsType[*TextError](err)
		switch {
		case isText, err == io.EOF && s.Event.Size == 0:
			s.Release()
			return after, nil
		case err == io.EOF: // a mark, for example of a proxy, after the mark of the server
			if !wasDone { // after an error, where it has no position of its own
				events--
			}
			continue
		case err == ErrCut:
			addAfterEnd(&after, events)
			s.Release()
			return after, nil
		case err != nil:
			return after, err
		case isAnswer(s.Event.Bytes()):
			return after, s.Failure(of, events, wire.ErrSecondStream)
		}
		addAfterEnd(&after, events)
	}
}

// addAfterEnd reports an event by its position.
func addAfterEnd(after *report.Report, position int) {
	after.Add(report.Lost, "/"+strconv.Itoa(position), "it came after the end of the stream")
}
