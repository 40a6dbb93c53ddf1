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

// chunkConverter converts a Gemini stream chunk by chunk. The streams below pkg/transform implement
// it.
type chunkConverter[T any] interface {
	// Push converts the next chunk. Close ends the stream; err is the reason for the end. The
	// elements that they return with an error come before it.
	Push(chunk *geminiapi.GenerateContentResponse) ([]T, error)
	Close(err error) ([]T, error)
	// Report returns what was added, approximated or lost so far. Lost returns the losses only.
	Report() report.Report
	Lost() report.Report
}

// streamWriter writes the elements of a stream.
type streamWriter[T any] interface {
	// Write writes elements with one write. Without elements it writes nothing.
	Write(elements ...T) error
	// Done ends a stream that completed. Fail ends one that failed.
	Done() error
	Fail(err error)
}

// streamed makes a converter of Gemini streams to streams of another format. It writes the elements
// of a chunk before it reads the next one. In strict mode it writes nothing after a loss.
func streamed[T any](begin func(settings, io.Writer) (chunkConverter[T],
	streamWriter[T])) converter {
	return func(in io.Reader, out io.Writer, s settings) (report.Report, error) {
		chunks := newChunkReader(in)
		converter, writer := begin(s, out)
		c := &streamConversion[T]{chunks, converter, writer, s}
		err := c.run()
		report := c.report()
		if err = s.refuseLosses(report, err); err != nil {
			c.writer.Fail(err) // err may also say that nothing can be written
			return report, chunks.locate(err)
		}
		return report, c.writer.Done()
	}
}

// separate combines a converter and a writer that are independent of each other, for [streamed].
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

// report returns the part of the report that the settings ask for.
func (c *streamConversion[T]) report() report.Report {
	if c.settings.lossesOnly {
		return joined(c.chunks.Lost(), c.converter.Lost())
	}
	return joined(c.chunks.Report(), c.converter.Report())
}

// joined returns the entries of both reports. The first is nearly always empty.
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

// write writes the result of a converter call. If the stream fails, it returns that error and not
// the losses that the failure causes.
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

// lineWriter writes a stream with one element on each line.
type lineWriter[T any] struct {
	out    io.Writer
	encode func(T) ([]byte, error)
	buf    []byte
}

// newLineWriter returns a factory of writers, for [streamed].
func newLineWriter[T any](encode func(T) ([]byte, error)) func(io.Writer) streamWriter[T] {
	return func(out io.Writer) streamWriter[T] { return &lineWriter[T]{out: out, encode: encode} }
}

// Write writes the lines with one write. If an element cannot be encoded, it writes those before
// it.
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

// Done writes nothing, because the last element marks the end.
func (w *lineWriter[T]) Done() error { return nil }

// Fail writes nothing, because converters return an element for the failure.
func (w *lineWriter[T]) Fail(error) {}

// canonicalLines makes a converter from a line format to itself.
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

// blankByteOrderMark replaces a byte order mark with spaces, as [readDocument] does.
func blankByteOrderMark(in io.Reader) io.Reader {
	r := bufio.NewReader(in)
	if head, _ := r.Peek(len(byteOrderMark)); !bytes.Equal(head, byteOrderMark) {
		return r // an error comes again when r is read
	}
	_, _ = r.Discard(len(byteOrderMark)) // they are in the buffer
	return io.MultiReader(strings.NewReader(blankMark), r)
}
