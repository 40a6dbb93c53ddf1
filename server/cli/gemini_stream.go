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

// chunkReader reads the chunks of a Gemini stream, and knows where in the input they stood.
type chunkReader struct {
	*gemini.StreamReader
	in *input // nil where the places are not wanted
}

func newChunkReader(in io.Reader) chunkReader {
	r := chunkReader{StreamReader: gemini.NewStreamReader(in)}
	r.in, _ = in.(*input)
	return r
}

// keepSpelling keeps the text of the chunk that was read last, unless it is written as the
// description has it.
func (r chunkReader) keepSpelling() {
	if text := r.Bytes(); r.in != nil && text != nil &&
		!new(geminiapi.GenerateContentResponse).ReadPlainJSON(text) {
		r.in.written.Keep(strconv.Itoa(r.Count()-1), text)
	}
}

// all yields the chunks, and an error at last when there is one. The error that the API reports
// behind chunks does not know its location; it gets it here.
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

// locate adds the offset of the chunk that was read last to an error about its content.
func (r chunkReader) locate(err error) error {
	r.keepSpelling()
	if _, ok := errors.AsType[*normalize.PartError](err); ok {
		return &elementError{offset: r.Offset(), err: err}
	}
	return err
}

// canonicalGeminiStream writes server-sent events, whichever form the input has. An error that came
// as JSON is an event of the stream, a page or a text is none.
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

// writeServerSentEvent writes JSON of one line as an event.
func writeServerSentEvent(out io.Writer, data []byte) error {
	event := make([]byte, 0, len("data: ")+len(data)+len("\n\n"))
	event = append(append(event, "data: "...), data...)
	_, err := out.Write(append(event, "\n\n"...))
	return err
}

// merged makes a converter of a function over the response that a Gemini stream amounts to. Nothing
// is written before the stream has ended as it should.
func merged[T any](
	convert func(*geminiapi.GenerateContentResponse, settings) (*T, report.Report, error),
	encode func(*T) ([]byte, error),
) converter {
	return func(in io.Reader, out io.Writer, s settings) (report.Report, error) {
		var all recording
		chunks := newChunkReader(in)
		if chunks.in != nil {
			chunks.in.keepsChunks = true // an error tells its place when all are read
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

// recording is a stream that was read to its end.
type recording struct {
	chunks  []*geminiapi.GenerateContentResponse
	offsets []int64 // of the chunks
}

// locate looks up the chunk that an error about the merged response comes from.
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
