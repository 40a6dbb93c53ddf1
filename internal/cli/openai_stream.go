package cli

import (
	"errors"
	"io"

	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
)

// geminiStreamToOpenAI ends the output of a stream that fails in an error object, without [DONE], and
// in strict mode also that of a stream with a loss.
func geminiStreamToOpenAI(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
	chunks, body := newChunkStream(in), openai.NewStreamWriter(out)
	stream := toopenai.NewStream(append(openaiOptions(s), toopenai.WithUsage(s.includeUsage))...)
	for chunk, err := range stream.Chunks(chunks.all()) {
		if err == nil && s.strict {
			err = stream.Lost().Strict()
		}
		if err == nil {
			err = body.Write(chunk)
		}
		if err != nil {
			failStream(body, err) // err is what to tell, also when it is that nothing can be written
			return stream.Report(), chunks.place(err)
		}
	}
	if err := s.verdict(stream.Report(), nil); err != nil { // of a last chunk without news
		failStream(body, err)
		return stream.Report(), err
	}
	return stream.Report(), body.Done()
}

func failStream(body *openai.StreamWriter, err error) {
	_, reply := toopenai.FromError(err)
	_ = body.Fail(reply)
}

func openaiStreamToItself(in io.Reader, out io.Writer, _ settings) (transform.Report, error) {
	stream, body := openai.NewStreamReader(in), openai.NewStreamWriter(out)
	for chunk, err := range stream.All() {
		if failure, ok := errors.AsType[*openai.Error](err); ok {
			return nil, errors.Join(body.Fail(&failure.Response), stream.CheckEnd())
		}
		if err == nil {
			err = body.Write(*chunk)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, errors.Join(body.Done(), stream.CheckEnd())
}

// checkOpenAIStream accepts a stream that ends in an error object.
func checkOpenAIStream(in io.Reader) error {
	stream, count := openai.NewStreamReader(in), 0
	for chunk, err := range stream.All() {
		if _, ok := errors.AsType[*openai.Error](err); ok {
			break
		}
		if err != nil {
			return err
		}
		if err := openai.ValidateChunk(chunk); err != nil {
			return &placedError{position(count), -1, err}
		}
		count++
	}
	return stream.CheckEnd()
}
