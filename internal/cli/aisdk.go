package cli

import (
	"errors"
	"io"
	"strconv"

	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
)

func geminiStreamToAISDK(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
	var report transform.Report
	chunks := newChunkStream(in)
	err := aisdk.WriteGemini(s.writer(out, &report), chunks.all(),
		aisdk.WithToolCallIDs(toolCallID), aisdk.WithSourceIDs(counter()), aisdk.WithGeminiReport(&report))
	return report, s.verdict(report, chunks.place(err))
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
	var report transform.Report
	out = s.writer(out, &report)
	stream := aisdk.NewAgentStream(blankByteOrderMark(in), aisdk.WithTextIDs(counter()), aisdk.WithReport(&report))
	for part, err := range stream.Parts() {
		if err == nil {
			err = aisdk.WritePart(out, part)
		}
		if err != nil {
			return report, s.verdict(report, err)
		}
	}
	return report, s.verdict(report, stream.Discard())
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
	for part, err := range aisdk.ReadParts(blankByteOrderMark(in)) {
		if fault, ok := errors.AsType[*aisdk.PartError](err); ok {
			return &placedError{position(count), fault.Offset, err}
		}
		if err != nil {
			return err
		}
		if finished {
			return &placedError{position(count), -1, errors.New("it comes behind finish, which ends the stream")}
		}
		line, err := aisdk.EncodePart(part)
		if err != nil {
			return &placedError{position(count), -1, err}
		}
		if err := take(line); err != nil {
			return err
		}
		_, finished = part.(aisdk.Finish)
		count++
	}
	if !finished {
		return &placedError{position(count), -1, errors.New("the stream is truncated: its last part is not finish")}
	}
	return nil
}
