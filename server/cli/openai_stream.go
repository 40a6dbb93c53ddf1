package cli

import (
	"errors"
	"io"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/gemwire/gemwire/pkg/wire"
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
// error that the input ends in like a chunk. It adds the mark [DONE] for servers that send none.
func canonicalCompletionStream(in io.Reader, out io.Writer, s settings) (report.Report, error) {
	stream, body := openai.NewStreamReader(in, openai.WithForeignChunks()), openai.NewStreamWriter(out)
	end := body.Done
	open := openChoices{}
	var added report.Report
	for chunk, err := range stream.All() {
		if failure, ok := errors.AsType[*openai.Error](err); ok {
			end = func() error { return body.Fail(&failure.Response) }
			break
		}
		if errors.Is(err, wire.ErrTruncated) && open.haveEnded() {
			added.Add(report.Added, "", "the stream has no mark [DONE]")
			break
		}
		if err == nil && s.strict {
			err = stream.Lost().Strict()
		}
		if err == nil {
			open.add(chunk)
			err = body.Write(*chunk)
		}
		if err != nil {
			return stream.Report(), err
		}
	}
	err := errors.Join(end(), stream.CheckEnd())
	report := slices.Concat(stream.Report(), added)
	return report, s.refuseLosses(report, err)
}

// openChoices are the choices of a stream by their index: true for those without a finish reason so far.
type openChoices map[int]bool

func (o openChoices) add(chunk *openaiapi.CreateChatCompletionStreamResponse) {
	for i := range chunk.Choices {
		choice := &chunk.Choices[i]
		if jsonx.Deref(choice.FinishReason) != "" {
			o[choice.Index] = false
		} else if _, isKnown := o[choice.Index]; !isKnown {
			o[choice.Index] = true
		}
	}
}

// haveEnded reports whether there are choices, and each has a finish reason.
func (o openChoices) haveEnded() bool {
	for _, isOpen := range o {
		if isOpen {
			return false
		}
	}
	return len(o) > 0
}
