package cli

import (
	"cmp"
	"errors"
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/go-json-experiment/json/jsontext"
)

// geminiStreamToNormalizedStream writes the error event of a stream that fails like the others. A
// prompt that was refused is no failure.
func geminiStreamToNormalizedStream(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
	chunks, stream := newChunkStream(in), normalize.NewStream(normalize.WithToolCallIDs(toolCallID))
	err := writeEvents(out, chunks.all(), stream)
	report := stream.EventReport()
	switch {
	case err == nil || isBlocked(err):
		return report, s.verdict(report, nil)
	default:
		return report, chunks.place(err)
	}
}

// writeEvents writes the events of a stream as its chunks come.
func writeEvents(out io.Writer, chunks iter.Seq2[*geminiapi.GenerateContentResponse, error], stream *normalize.Stream) error {
	for chunk, err := range chunks {
		if err != nil {
			return writeLast(out, stream, err)
		}
		events, failure := stream.Push(chunk)
		if err := cmp.Or(writeAll(out, events), failure); err != nil {
			return err
		}
	}
	return writeLast(out, stream, nil)
}

// writeLast ends a stream and writes its last events.
func writeLast(out io.Writer, stream *normalize.Stream, err error) error {
	events, failure := stream.Close(err)
	return cmp.Or(writeAll(out, events), failure)
}

func writeAll(out io.Writer, events []normalize.Event) error {
	for i := range events {
		if err := writeEvent(out, &events[i]); err != nil {
			return err
		}
	}
	return nil
}

func isBlocked(err error) bool {
	_, ok := errors.AsType[*normalize.BlockedError](err)
	return ok
}

// writeEvent writes an event and a line end in one call.
func writeEvent(out io.Writer, event *normalize.Event) error {
	line, err := normalize.EncodeEvent(event)
	if err != nil {
		return err
	}
	_, err = out.Write(append(line, '\n'))
	return err
}

func normalizedStreamToItself(in io.Reader, out io.Writer, _ settings) (transform.Report, error) {
	for event, err := range readEvents(in) {
		if err != nil {
			return nil, err
		}
		if err := writeEvent(out, event); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func normalizedStreamToNormalized(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
	response, err := accumulate(in)
	if err != nil {
		return nil, err
	}
	document, report, err := encodeNormalized(response)
	if err != nil {
		return report, err
	}
	if err := s.verdict(report, nil); err != nil {
		return report, err
	}
	_, err = out.Write(append(document, '\n'))
	return report, err
}

// accumulate makes a response of the lines of a normalised stream, without candidates if the prompt
// was refused.
func accumulate(in io.Reader) (*normalize.Response, error) {
	var a normalize.Accumulator
	count := 0
	for event, err := range readEvents(in) {
		if err != nil {
			return nil, err
		}
		a.Add(*event)
		count++
	}
	response, err := a.Response()
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		response, err = blocked.Response, nil
	}
	if err != nil {
		return nil, &placedError{position(count - 1), -1, err}
	}
	return response, nil
}

// readEvents reads the events of a normalised stream up to the last one, which has to say that it is.
func readEvents(in io.Reader) iter.Seq2[*normalize.Event, error] {
	return func(yield func(*normalize.Event, error) bool) {
		// What may be in an event is for its decoder to say.
		lines := jsontext.NewDecoder(blankByteOrderMark(in), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		ended := false
		for count := 0; ; count++ {
			event, offset, err := readEvent(lines, count)
			switch {
			case err == io.EOF && ended:
				return
			case err == io.EOF:
				err = &placedError{position(count), offset, errNoLastEvent}
			case err == nil && ended:
				err = &placedError{position(count), offset, errBehindLastEvent}
			}
			if !yield(event, err) || err != nil {
				return
			}
			ended = event.Type == normalize.EventDone || event.Type == normalize.EventError
		}
	}
}

var (
	errNoLastEvent     = errors.New("the stream is truncated: no event is done or error")
	errBehindLastEvent = errors.New("an event behind the one that ends the stream")
)

// readEvent returns an event and its offset, and [io.EOF] as it is when there are no more of them.
func readEvent(lines *jsontext.Decoder, count int) (event *normalize.Event, offset int64, err error) {
	value, err := lines.ReadValue()
	offset = lines.InputOffset() - int64(len(value))
	if _, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return nil, offset, &placedError{position(count), -1, err} // it knows its offset
	}
	if err != nil {
		return nil, offset, err
	}
	if event, err = normalize.DecodeEvent(value); err != nil {
		return nil, offset, &placedError{position(count), offset, err}
	}
	return event, offset, nil
}

func checkNormalizedStream(in io.Reader) error {
	var a normalize.Accumulator
	for event, err := range readEvents(in) {
		if err != nil {
			return err
		}
		a.Add(*event)
	}
	response, err := a.Response()
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		response = blocked.Response
	}
	return normalize.Validate(response) // a stream may end in an error
}
