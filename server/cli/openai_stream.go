package cli

import (
	"errors"
	"io"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

func newCompletionConverter(s settings) chunkConverter[openaiapi.CreateChatCompletionStreamResponse] {
	opts := openaiOptions(s)
	if s.includeUsage {
		opts = append(opts, chat.WithUsage())
	}
	if s.lossesOnly {
		opts = append(opts, chat.WithLossesOnly())
	}
	return chat.NewStream(opts...)
}

// completionWriter writes the body of a streamed completion. One that fails ends in an error object,
// without [DONE].
type completionWriter struct{ *openai.StreamWriter }

func newCompletionWriter(out io.Writer) streamWriter[openaiapi.CreateChatCompletionStreamResponse] {
	return completionWriter{openai.NewStreamWriter(out)}
}

// Fail writes the error in the terms of the format.
func (w completionWriter) Fail(err error) {
	_, reply := chat.FromError(err)
	_ = w.StreamWriter.Fail(reply)
}

// canonicalCompletionStream reads the chunks of any server, as the conversion to a gemini-stream does. It writes an
// error that the input ends in like a chunk.
func canonicalCompletionStream(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
	stream, body := openai.NewStreamReader(in, openai.WithForeignChunks()), openai.NewStreamWriter(out)
	end := body.Done
	for chunk, err := range stream.All() {
		if failure, ok := errors.AsType[*openai.Error](err); ok {
			end = func() error { return body.Fail(&failure.Response) }
			break
		}
		if err == nil && s.strict {
			err = stream.Lost().Strict()
		}
		if err == nil {
			err = body.Write(*chunk)
		}
		if err != nil {
			return stream.Report(), err
		}
	}
	err := errors.Join(end(), stream.CheckEnd())
	return stream.Report(), s.refuseLosses(stream.Report(), err)
}
