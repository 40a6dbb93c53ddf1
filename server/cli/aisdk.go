package cli

import (
	"errors"
	"io"
	"strconv"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	aisdkwire "github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/agent"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
)

func newPartConverter(s settings) chunkConverter[aisdkapi.Part] {
	opts := []aisdk.Option{aisdk.WithToolCallIDs(toolCallID), aisdk.WithSourceIDs(counter())}
	if s.lossesOnly {
		opts = append(opts, aisdk.WithLossesOnly())
	}
	return aisdk.NewStream(opts...)
}

// partWriter writes AI SDK parts. A stream that fails ends with an error and a finish part. The
// writer adds them if the converter has not, because the converter does not know of a refused loss.
type partWriter struct{ *aisdkwire.StreamWriter }

func newPartWriter(out io.Writer) streamWriter[aisdkapi.Part] {
	return partWriter{aisdkwire.NewStreamWriter(out)}
}

// Done writes nothing, because the last part marks the end.
func (w partWriter) Done() error { return nil }

func (w partWriter) Fail(err error) { _ = w.StreamWriter.Fail(err.Error()) }

func encodePart(part aisdkapi.Part) ([]byte, error) { return aisdkwire.EncodePart(part) }

// counter returns a function that makes consecutive ids, so equal inputs give equal outputs.
func counter() func() string {
	next := 0
	return func() string {
		next++
		return strconv.Itoa(next - 1)
	}
}

// agentToParts writes one stream of parts, as an agent's host does: the stream ends with the first
// request that the client has to answer. The rest of the input belongs to the stream after the
// answer.
func agentToParts(in io.Reader, out io.Writer, s settings) (report.Report, error) {
	stream, writer := agent.NewStream(blankByteOrderMark(in), agent.WithTextIDs(counter())),
		aisdkwire.NewStreamWriter(out)
	for part, err := range stream.Parts() {
		if err != nil {
			return stream.Report(), s.refuseLosses(stream.Report(), err)
		}
		if refusal := s.refuseLosses(stream.Report(), nil); refusal != nil {
			return stream.Report(), errors.Join(refusal, writer.Fail(refusal.Error()))
		}
		if err := writer.Write(part); err != nil {
			return stream.Report(), err
		}
	}
	err := stream.Discard()
	return stream.Report(), s.refuseLosses(stream.Report(), err)
}

func checkAISDK(in io.Reader) error {
	_, err := canonicalLines(aisdkwire.ReadStream, encodePart)(in, io.Discard, settings{})
	return err
}
