package cli

import (
	"errors"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/report"
)

// chunkReader reads the chunks of a Gemini stream, and records their locations in the input.
type chunkReader struct {
	*gemini.StreamReader
	in *input // nil where the places are not wanted
}

func newChunkReader(in io.Reader) chunkReader {
	r := chunkReader{StreamReader: gemini.NewStreamReader(in)}
	r.in, _ = in.(*input)
	return r
}

// keepSpelling stores the text of the last chunk, unless it has the spelling of the API
// description.
func (r chunkReader) keepSpelling() {
	if text := r.Bytes(); r.in != nil && text != nil &&
		!new(geminiapi.GenerateContentResponse).ReadPlainJSON(text) {
		r.in.written.Keep(strconv.Itoa(r.Count()-1), text)
	}
}

// all yields the chunks, and then the error if there is one. It adds the location to an API error
// that comes after chunks, because that error does not know it.
func (r chunkReader) all() iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for chunk, err := range r.All() {
			if reply, ok := errors.AsType[*gemini.Error](err); ok {
				err = &replyError{reply}
				if r.Count() > 0 {
					err = &elementError{position(r.Count()), -1, err}
				}
			}
			if err == nil && r.in != nil && r.in.keepsChunks {
				r.keepSpelling()
			}
			if !yield(chunk, err) {
				return
			}
		}
		if err := r.CheckEnd(); err != nil {
			yield(nil, err)
		}
	}
}

// locate adds the offset of the last chunk to an error about its content.
func (r chunkReader) locate(err error) error {
	r.keepSpelling()
	if _, ok := errors.AsType[*normalize.PartError](err); ok {
		return &elementError{offset: r.Offset(), err: err}
	}
	return err
}

// canonicalGeminiStream writes server-sent events for every form of input. An error in JSON is an
// event of the stream. An error in HTML or plain text is not.
func canonicalGeminiStream(in io.Reader, out io.Writer, s settings) (report.Report, error) {
	chunks := newChunkReader(in)
	for chunk, err := range chunks.all() {
		if reply, ok := errors.AsType[*gemini.Error](err); ok {
			if envelope := reply.Envelope(); envelope != nil {
				chunk, err = envelope, nil
			}
		}
		if err != nil {
			return nil, err
		}
		data, err := gemini.EncodeResponse(chunk)
		if err != nil {
			return nil, &elementError{position(chunks.Count() - 1), chunks.Offset(), err}
		}
		if s.strict && chunks.Lost() != nil {
			break
		}
		if err := writeServerSentEvent(out, data); err != nil {
			return nil, err
		}
	}
	return chunks.Report(), s.refuseLosses(chunks.Report(), nil)
}

// writeServerSentEvent writes single-line JSON as an event.
func writeServerSentEvent(out io.Writer, data []byte) error {
	event := make([]byte, 0, len("data: ")+len(data)+len("\n\n"))
	event = append(append(event, "data: "...), data...)
	_, err := out.Write(append(event, "\n\n"...))
	return err
}

// merged makes a converter from a function over the accumulated response of a Gemini stream. It
// writes nothing before the stream has completed.
func merged[T any](
	convert func(*geminiapi.GenerateContentResponse, settings) (*T, report.Report, error),
	encode func(*T) ([]byte, error),
) converter {
	return func(in io.Reader, out io.Writer, s settings) (report.Report, error) {
		var all recording
		chunks := newChunkReader(in)
		if chunks.in != nil {
			chunks.in.keepsChunks = true // when all chunks are read, an error has its location
		}
		for chunk, err := range chunks.all() {
			if err != nil {
				return chunks.Report(), err
			}
			all.chunks = append(all.chunks, chunk)
			all.offsets = append(all.offsets, chunks.Offset())
		}
		whole := normalize.Merge(all.chunks...)
		converted, report, err := convert(whole.Response, s)
		report = whole.InChunks(report)
		if err != nil {
			return report, all.locate(err)
		}
		report = slices.Concat(chunks.Report(), whole.Report, report)
		return report, writeDocument(out, converted, encode, report, s)
	}
}

// recording is a stream that was read completely.
type recording struct {
	chunks  []*geminiapi.GenerateContentResponse
	offsets []int64 // of the chunks
}

// locate finds the chunk that caused an error about the merged response.
func (r *recording) locate(err error) error {
	if _, ok := errors.AsType[*normalize.PartError](err); !ok {
		return err
	}
	stream := normalize.NewStream()
	for i, chunk := range r.chunks {
		if _, err := stream.Push(chunk); err != nil {
			return &elementError{offset: r.offsets[i], err: err}
		}
	}
	return err
}
