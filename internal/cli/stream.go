package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
)

// chunkStream reads the chunks of a Gemini stream, and knows where in the input they stood.
type chunkStream struct{ reader *gemini.StreamReader }

func newChunkStream(in io.Reader) chunkStream {
	return chunkStream{gemini.NewStreamReader(in)}
}

// all yields the chunks with their positions, and an error at last when there is one. The error that
// the API reports behind chunks does not know its place; it gets it here.
func (s chunkStream) all() iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for chunk, err := range s.reader.All() {
			if _, ok := errors.AsType[*gemini.Error](err); ok && s.reader.Count() > 0 {
				err = &placedError{pointer: position(s.reader.Count()), offset: -1, err: err}
			}
			if !yield(chunk, err) {
				return
			}
		}
	}
}

// place adds the offset of the chunk that was read last to an error about its content.
func (s chunkStream) place(err error) error {
	if _, ok := errors.AsType[*normalize.PartError](err); ok {
		return &placedError{offset: s.reader.Offset(), err: err}
	}
	return err
}

// position is the JSON pointer of the element of a stream with so many before it.
func position(before int) string { return fmt.Sprintf("/%d", before) }

// placedError is an error about one element of a stream, which counts from its beginning.
type placedError struct {
	pointer string // of the element
	offset  int64  // of the element, -1 when it is not known or err has one of the whole input
	err     error
}

func (e *placedError) Error() string { return e.err.Error() }
func (e *placedError) Unwrap() error { return e.err }

// writer returns where a conversion that streams has to write: in strict mode nothing is written
// after a loss. The report has the losses, and may have what else grows at its end.
func (s settings) writer(out io.Writer, report func() transform.Report) io.Writer {
	if !s.strict {
		return out
	}
	return &strictWriter{out: out, report: report}
}

// verdict returns the error of a conversion that streams: its own, or in strict mode its losses.
func (s settings) verdict(report transform.Report, err error) error {
	if _, lost := errors.AsType[*transform.LossError](err); s.strict && (err == nil || lost) {
		return report.Strict()
	}
	return err
}

// strictWriter writes as long as the report has no loss.
type strictWriter struct {
	out    io.Writer
	report func() transform.Report
	seen   int // entries of the report, none of them a loss
}

// Write implements [io.Writer].
func (w *strictWriter) Write(p []byte) (int, error) {
	report := w.report()
	if err := report[w.seen:].Strict(); err != nil {
		return 0, err
	}
	w.seen = len(report)
	return w.out.Write(p)
}

// blankByteOrderMark writes spaces over a byte order mark, as [readDocument] does.
func blankByteOrderMark(in io.Reader) io.Reader {
	r := bufio.NewReader(in)
	if head, _ := r.Peek(len(byteOrderMark)); !bytes.Equal(head, byteOrderMark) {
		return r // an error comes again when r is read
	}
	blank := strings.Repeat(" ", len(byteOrderMark))
	_, _ = r.Discard(len(blank)) // they are in the buffer
	return io.MultiReader(strings.NewReader(blank), r)
}
