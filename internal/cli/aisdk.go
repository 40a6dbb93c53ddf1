package cli

import (
	"errors"
	"io"
	"iter"
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

func agentToAISDK(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
	var report transform.Report
	out = s.writer(out, &report)
	stream := aisdk.NewAgentStream(blankByteOrderMark(in), aisdk.WithTextIDs(counter()), aisdk.WithReport(&report))
	for part, err := range agentParts(stream) {
		if err == nil {
			err = aisdk.WritePart(out, part)
		}
		if err != nil {
			return report, s.verdict(report, err)
		}
	}
	return report, s.verdict(report, nil)
}

// agentParts yields the parts of all turns. A turn that holds nothing but its finish is the end of
// an input whose last turn had one already.
func agentParts(stream *aisdk.AgentStream) iter.Seq2[aisdk.Part, error] {
	return func(yield func(aisdk.Part, error) bool) {
		for first := true; first || stream.RelayRequest() != nil; first = false {
			empty := !first
			for part, err := range stream.Parts() {
				if _, ok := part.(aisdk.Finish); ok && empty {
					continue
				}
				empty = false
				if !yield(part, err) || err != nil {
					return
				}
			}
		}
	}
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

// eachPart calls take with the canonical form of each part. A stream of parts ends in a finish.
func eachPart(in io.Reader, take func(line []byte) error) error {
	finished, count := false, 0
	for part, err := range aisdk.ReadParts(blankByteOrderMark(in)) {
		if fault, ok := errors.AsType[*aisdk.PartError](err); ok {
			return &placedError{position(count), fault.Offset, err}
		}
		if err != nil {
			return err
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
