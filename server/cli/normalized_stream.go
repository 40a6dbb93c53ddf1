package cli

import (
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// eventConverter is a normalised stream for readers of its events. For them a refused prompt is not
// a failure.
type eventConverter struct{ stream *normalize.Stream }

func newEventConverter(s settings) chunkConverter[normalize.Event] {
	opts := []normalize.Option{normalize.WithToolCallIDs(toolCallID)}
	if s.lossesOnly {
		opts = append(opts, normalize.WithLossesOnly())
	}
	return eventConverter{normalize.NewStream(opts...)}
}

func (c eventConverter) Push(chunk *geminiapi.GenerateContentResponse) ([]normalize.Event, error) {
	events, err := c.stream.Push(chunk)
	return events, exceptBlocked(err)
}

func (c eventConverter) Close(err error) ([]normalize.Event, error) {
	events, err := c.stream.Close(err)
	return events, exceptBlocked(err)
}

func (c eventConverter) Report() report.Report { return c.stream.EventReport() }

func (c eventConverter) Lost() report.Report { return c.stream.EventLost() }

func exceptBlocked(err error) error {
	if _, ok := errors.AsType[*normalize.BlockedError](err); ok {
		return nil
	}
	return err
}

func encodeEvent(event normalize.Event) ([]byte, error) { return normalize.EncodeEvent(&event) }

// accumulated accumulates a normalised stream to a response. The response has no candidates if the
// prompt was refused.
func accumulated(in io.Reader, out io.Writer, s settings) (report.Report, error) {
	var a normalize.Accumulator
	count, err := addEvents(&a, in)
	if err != nil {
		return nil, err
	}
	response, err := a.Response()
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		response, err = blocked.Response, nil
	}
	if failure, ok := errors.AsType[*normalize.Error](err); ok {
		err = errors.New(notAnAnswer + failure.Message)
	}
	if err != nil {
		return nil, &elementError{position(count - 1), -1, err}
	}
	report := response.Report()
	return report, writeDocument(out, response, normalize.Encode, report, s)
}

// addEvents adds the events of a normalised stream and counts them.
func addEvents(a *normalize.Accumulator, in io.Reader) (count int, err error) {
	for event, err := range normalize.ReadEvents(blankByteOrderMark(in)) {
		if err != nil {
			return count, err
		}
		a.Add(*event)
		count++
	}
	return count, nil
}

func checkNormalizedStream(in io.Reader) error {
	var a normalize.Accumulator
	if _, err := addEvents(&a, in); err != nil {
		return err
	}
	response, err := a.Response()
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		response, err = blocked.Response, nil
	}
	if err != nil { // a stream may end in an error, before an answer begins
		return normalize.Validate(response)
	}
	return validateAnswer(response)
}
