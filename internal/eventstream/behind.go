package eventstream

import (
	"errors"
	"io"
	"strconv"

	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// ReadBehind reads from the end of a stream to the end of the body. events is the number of events
// before the end. ReadBehind returns an entry for each event that follows. It fails with a
// *wire.StreamError that wraps wire.ErrSecondStream if isAnswer reports that an event is a piece of
// another answer, or with the error of the underlying reader.
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
		case err == io.EOF: // a mark, for example of a proxy, after the mark of the server
			if !wasDone { // after an error, where it has no position of its own
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
