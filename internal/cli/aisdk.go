package cli

import (
	"errors"
	"io"
	"strconv"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	wire "github.com/gemwire/gemwire/pkg/aisdk"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/agent"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
)

func geminiStreamToAISDK(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
	stream := aisdk.NewStream(aisdk.WithToolCallIDs(toolCallID), aisdk.WithSourceIDs(counter()))
	chunks := newChunkStream(in)
	err := stream.Write(s.writer(out, stream.Lost), chunks.all())
	return stream.Report(), s.verdict(stream.Report(), chunks.place(err))
}

// counter returns a function that makes ids: equal inputs give equal outputs.
func counter() func() string {
	next := 0
	return func() string {
		next++
		return strconv.Itoa(next - 1)
	}
}

// agentToAISDK writes one stream of parts, as a host of the agent would: it ends with the first request
// that the client has to answer. The rest of the input is for the stream after the answer.
func agentToAISDK(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
	stream := agent.NewStream(blankByteOrderMark(in), agent.WithTextIDs(counter()))
	out = s.writer(out, stream.Report)
	for part, err := range stream.Parts() {
		if err == nil {
			err = wire.WritePart(out, part)
		}
		if err != nil {
			return stream.Report(), s.verdict(stream.Report(), err)
		}
	}
	err := stream.Discard()
	return stream.Report(), s.verdict(stream.Report(), err)
}

func aisdkToItself(in io.Reader, out io.Writer, _ settings) (transform.Report, error) {
	return nil, eachPart(in, func(line []byte) error {
		_, err := out.Write(append(line, '\n'))
		return err
	})
}

func checkAISDK(in io.Reader) error {
	return eachPart(in, func([]byte) error { return nil })
}

// eachPart calls take with the canonical form of each part. A stream of parts has one finish, at its end.
func eachPart(in io.Reader, take func(line []byte) error) error {
	finished, count := false, 0
	for part, err := range wire.ReadParts(blankByteOrderMark(in)) {
		if fault, ok := errors.AsType[*wire.PartError](err); ok {
			return &placedError{position(count), fault.Offset, err}
		}
		if err != nil {
			return err
		}
		if finished {
			return &placedError{position(count), -1, errors.New("it comes behind finish, which ends the stream")}
		}
		line, err := wire.EncodePart(part)
		if err != nil {
			return &placedError{position(count), -1, err}
		}
		if err := take(line); err != nil {
			return err
		}
		_, finished = part.(aisdkapi.Finish)
		count++
	}
	if !finished {
		return &placedError{position(count), -1, errors.New("the stream is truncated: its last part is not finish")}
	}
	return nil
}
