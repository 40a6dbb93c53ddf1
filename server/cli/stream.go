package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/report"
)

// chunkConverter converts a Gemini stream chunk by chunk, as the streams below pkg/transform do.
type chunkConverter[T any] interface {
	// Push converts the next chunk, and Close ends the stream, err being why there are no more
	// chunks. What they return beside an error comes first.
	Push(chunk *geminiapi.GenerateContentResponse) ([]T, error)
	Close(err error) ([]T, error)
	// Report returns what was added, approximated or lost so far, and Lost the losses alone.
	Report() report.Report
	Lost() report.Report
}

// streamWriter writes the elements of a stream.
type streamWriter[T any] interface {
	// Write writes elements in one call, and nothing for none of them.
	Write(elements ...T) error
	// Done ends a stream that came to its end, and Fail one that failed.
	Done() error
	Fail(err error)
}

// streamed makes a converter of Gemini streams to streams of another format. What a chunk says is
// written before the next one is read. In strict mode nothing is written after a loss.
func streamed[T any](begin func(settings, io.Writer) (chunkConverter[T],
	streamWriter[T])) converter {
	return func(in io.Reader, out io.Writer, s settings) (report.Report, error) {
		chunks := newChunkReader(in)
		converter, writer := begin(s, out)
		c := &streamConversion[T]{chunks, converter, writer, s}
		err := c.run()
		report := c.report()
		if err = s.refuseLosses(report, err); err != nil {
			c.writer.Fail(err) // err is what to report, also when it is that nothing can be written
			return report, chunks.locate(err)
		}
		return report, c.writer.Done()
	}
}

// separate makes a beginning of a converter and a writer that do not know each other, for
// [streamed].
func separate[T any](newConverter func(settings) chunkConverter[T],
	newWriter func(io.Writer) streamWriter[T]) func(settings, io.Writer) (chunkConverter[T],
	streamWriter[T]) {
	return func(s settings, out io.Writer) (chunkConverter[T], streamWriter[T]) {
		return newConverter(s), newWriter(out)
	}
}

// streamConversion is the conversion of one stream.
type streamConversion[T any] struct {
	chunks    chunkReader
	converter chunkConverter[T]
	writer    streamWriter[T]
	settings  settings
}

// report returns what is asked for of the report.
func (c *streamConversion[T]) report() report.Report {
	if c.settings.lossesOnly {
		return joined(c.chunks.Lost(), c.converter.Lost())
	}
	return joined(c.chunks.Report(), c.converter.Report())
}

// joined returns the entries of both reports, of which the first is nearly always empty.
func joined(first, second report.Report) report.Report {
	if len(first) == 0 {
		return second
	}
	return slices.Concat(first, second)
}

func (c *streamConversion[T]) run() error {
	for chunk, err := range c.chunks.all() {
		if err != nil {
			return c.write(c.converter.Close(err))
		}
		if err := c.write(c.converter.Push(chunk)); err != nil {
			return err
		}
	}
	return c.write(c.converter.Close(nil))
}

// write writes what a call of the converter returned. What is lost because the stream fails is no
// reason to hide why it does.
func (c *streamConversion[T]) write(elements []T, err error) error {
	if c.settings.strict && err == nil {
		if refused := cmp.Or(c.chunks.Lost().Strict(),
			c.converter.Lost().Strict()); refused != nil {
			return refused
		}
	}
	if writeErr := c.writer.Write(elements...); writeErr != nil {
		return writeErr
	}
	return err
}

// lineWriter writes a stream of which each element is a line.
type lineWriter[T any] struct {
	out    io.Writer
	encode func(T) ([]byte, error)
	buf    []byte
}

// newLineWriter returns a maker of writers, for [streamed].
func newLineWriter[T any](encode func(T) ([]byte, error)) func(io.Writer) streamWriter[T] {
	return func(out io.Writer) streamWriter[T] { return &lineWriter[T]{out: out, encode: encode} }
}

// Write writes the lines in one call. If an element cannot be encoded, those before it are written.
func (w *lineWriter[T]) Write(elements ...T) error {
	w.buf = w.buf[:0]
	var failed error
	for _, element := range elements {
		var line []byte
		if line, failed = w.encode(element); failed != nil {
			break
		}
		w.buf = append(append(w.buf, line...), '\n')
	}
	if len(w.buf) > 0 {
		if _, err := w.out.Write(w.buf); err != nil {
			return err
		}
	}
	return failed
}

// Done writes nothing: the last element says that it is.
func (w *lineWriter[T]) Done() error { return nil }

// Fail writes nothing: converters return an element that says so.
func (w *lineWriter[T]) Fail(error) {}

// canonicalLines makes a converter of a format of lines to itself.
func canonicalLines[T any](read func(io.Reader) iter.Seq2[T, error],
	encode func(T) ([]byte, error)) converter {
	return func(in io.Reader, out io.Writer, _ settings) (report.Report, error) {
		lines := newLineWriter(encode)(out)
		for element, err := range read(blankByteOrderMark(in)) {
			if err == nil {
				err = lines.Write(element)
			}
			if err != nil {
				return nil, err
			}
		}
		return nil, nil
	}
}

// blankByteOrderMark writes spaces over a byte order mark, as [readDocument] does.
func blankByteOrderMark(in io.Reader) io.Reader {
	r := bufio.NewReader(in)
	if head, _ := r.Peek(len(byteOrderMark)); !bytes.Equal(head, byteOrderMark) {
		return r // an error comes again when r is read
	}
	_, _ = r.Discard(len(byteOrderMark)) // they are in the buffer
	return io.MultiReader(strings.NewReader(blankMark), r)
}
