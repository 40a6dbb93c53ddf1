package cli

import (
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
)

// geminiStreamToItself writes server-sent events, whichever form the input has. An error that the API
// reports is an event of the stream.
func geminiStreamToItself(in io.Reader, out io.Writer, _ settings) (transform.Report, error) {
	chunks := newChunkStream(in)
	for chunk, err := range chunks.all() {
		if reply, ok := errors.AsType[*gemini.Error](err); ok && reply.FromAPI() {
			chunk, err = gemini.DecodeResponse(reply.RawBody())
		}
		if err != nil {
			return nil, err
		}
		data, err := gemini.EncodeResponse(chunk)
		if err != nil {
			return nil, &placedError{position(chunks.reader.Count() - 1), chunks.reader.Offset(), err}
		}
		if err := writeServerSentEvent(out, data); err != nil {
			return nil, err
		}
	}
	return nil, nil
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
func merged(convert func(r *geminiapi.GenerateContentResponse, s settings) ([]byte, transform.Report, error)) converter {
	return func(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
		var all recording
		chunks := newChunkStream(in)
		for chunk, err := range chunks.all() {
			if err != nil {
				return nil, err
			}
			all.chunks = append(all.chunks, chunk)
			all.offsets = append(all.offsets, chunks.reader.Offset())
		}
		response := normalize.MergeChunks(all.chunks...)
		document, report, err := convert(response, s)
		if err != nil {
			return report, all.place(err)
		}
		report = append(mergeReport(all.chunks, response), report...)
		if err := s.verdict(report, nil); err != nil {
			return report, err
		}
		_, err = out.Write(append(document, '\n'))
		return report, err
	}
}

// recording is a stream that was read to its end.
type recording struct {
	chunks  []*geminiapi.GenerateContentResponse
	offsets []int64 // of the chunks
}

// place looks up the chunk that an error about the merged response comes from.
func (r *recording) place(err error) error {
	if _, ok := errors.AsType[*normalize.PartError](err); !ok {
		return err
	}
	stream := normalize.NewStream()
	for i, chunk := range r.chunks {
		if _, err := stream.Push(chunk); err != nil {
			return &placedError{offset: r.offsets[i], err: err}
		}
	}
	return err
}

func encodeMerged(r *geminiapi.GenerateContentResponse, _ settings) ([]byte, transform.Report, error) {
	document, err := gemini.EncodeResponse(r)
	return document, nil, err
}

// checkGeminiStream accepts a stream that the API ended with an error, as [checkGeminiResponse] does
// an error in place of a response.
func checkGeminiStream(in io.Reader) error {
	chunks := newChunkStream(in)
	response, err := normalize.Accumulate(normalize.Events(chunks.all(), normalize.WithToolCallIDs(toolCallID)))
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		response, err = blocked.Response, nil
	}
	if reply, ok := errors.AsType[*gemini.Error](err); ok && reply.FromAPI() {
		err = nil
	}
	if err != nil {
		return chunks.place(err)
	}
	return normalize.Validate(response)
}
