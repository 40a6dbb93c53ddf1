package chat

import (
	"errors"
	"io"
	"slices"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/wire"
)

// copyStream reads the chunks of any server, as package reverse does. An error at the end of the
// input is written like a chunk. The mark [DONE] is added for servers that send none.
func copyStream(out io.Writer, in io.Reader, strict bool) (report.Report, error) {
	stream, body := openai.NewStreamReader(in, openai.WithForeignChunks()),
		openai.NewStreamWriter(out)
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
		if err == nil && strict {
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
	return slices.Concat(stream.Report(), added), err
}

// openChoices holds the choices of a stream by index. The value is true while the choice has no
// finish reason.
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

// haveEnded reports whether there are choices and each has a finish reason.
func (o openChoices) haveEnded() bool {
	for _, isOpen := range o {
		if isOpen {
			return false
		}
	}
	return len(o) > 0
}
