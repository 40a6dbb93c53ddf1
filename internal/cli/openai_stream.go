package cli

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"

	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// geminiStreamToOpenAI ends the output of a stream that fails in an error object, without [DONE], and
// in strict mode also that of a stream with a loss.
func geminiStreamToOpenAI(in io.Reader, out io.Writer, s settings) (transform.Report, error) {
	chunks, body := newChunkStream(in), openai.NewStreamWriter(out)
	stream := openai.NewStream(append(openaiOptions(s), openai.WithUsage(s.includeUsage))...)
	for chunk, err := range stream.Chunks(chunks.all()) {
		if err == nil && s.strict {
			err = stream.Lost().Strict()
		}
		if err == nil {
			err = body.Write(chunk)
		}
		if err != nil {
			_ = body.Fail(err) // err is what to tell, also when it is that nothing can be written
			return stream.Report(), chunks.place(err)
		}
	}
	if err := s.verdict(stream.Report(), nil); err != nil { // of a last chunk without news
		_ = body.Fail(err)
		return stream.Report(), err
	}
	return stream.Report(), body.Done()
}

func openaiStreamToItself(in io.Reader, out io.Writer, _ settings) (transform.Report, error) {
	for event, err := range readCompletionEvents(in) {
		if err != nil {
			return nil, err
		}
		if err := writeServerSentEvent(out, event.data); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// checkOpenAIStream accepts a stream that ends in an error object.
func checkOpenAIStream(in io.Reader) error {
	count := 0
	for event, err := range readCompletionEvents(in) {
		if err != nil {
			return err
		}
		if event.chunk != nil {
			if err := openai.ValidateChunk(event.chunk); err != nil {
				return &placedError{position(count), -1, err}
			}
		}
		count++
	}
	return nil
}

// completionEvent is an event of a streamed completion in its canonical form: a chunk or, with chunk
// nil, an error object or [DONE].
type completionEvent struct {
	data  []byte
	chunk *openaiapi.CreateChatCompletionStreamResponse
}

var completionDone = []byte("[DONE]")

var (
	errNoDone     = errors.New("the stream is truncated: neither [DONE] nor an error is there")
	errBehindDone = errors.New("an event behind the one that ends the stream")
)

// readCompletionEvents reads the events of a streamed completion up to the last one, which has to be
// an error or [DONE].
func readCompletionEvents(in io.Reader) iter.Seq2[completionEvent, error] {
	return func(yield func(completionEvent, error) bool) {
		ended, count := false, 0
		for line, err := range readDataLines(in) {
			if err != nil {
				yield(completionEvent{}, err)
				return
			}
			event, err := decodeCompletionEvent(line.data)
			if ended {
				err = errBehindDone
			}
			if err != nil {
				yield(completionEvent{}, &placedError{position(count), line.offset, err})
				return
			}
			if !yield(event, nil) {
				return
			}
			ended = event.chunk == nil
			count++
		}
		if !ended {
			yield(completionEvent{}, &placedError{position(count), -1, errNoDone})
		}
	}
}

func decodeCompletionEvent(data []byte) (completionEvent, error) {
	if bytes.Equal(data, completionDone) {
		return completionEvent{data: completionDone}, nil
	}
	var failure struct {
		Error jsontext.Value `json:"error"`
	}
	if err := json.Unmarshal(data, &failure); err == nil && failure.Error != nil {
		reply := &openaiapi.ErrorResponse{}
		if err := json.Unmarshal(data, reply); err != nil {
			return completionEvent{}, err
		}
		out, err := json.Marshal(reply, json.Deterministic(true), jsontext.PreserveRawStrings(true))
		return completionEvent{data: out}, err
	}
	chunk, err := openai.DecodeChunk(data)
	if err != nil {
		return completionEvent{}, err
	}
	out, err := openai.EncodeChunk(chunk)
	return completionEvent{data: out, chunk: chunk}, err
}

// dataLine is the value of a line of server-sent events.
type dataLine struct {
	data   []byte
	offset int64 // of data in the input
}

// readDataLines yields the data lines of server-sent events. In a streamed completion each of them is
// an event: its JSON is written in one line.
func readDataLines(in io.Reader) iter.Seq2[dataLine, error] {
	return func(yield func(dataLine, error) bool) {
		lines, offset := bufio.NewReader(blankByteOrderMark(in)), int64(0)
		for first := true; ; first = false {
			line, err := lines.ReadBytes('\n')
			value := line
			if first {
				value = bytes.TrimLeft(value, " ") // in place of a byte order mark
			}
			if value, ok := bytes.CutPrefix(value, []byte("data:")); ok {
				at := offset + int64(len(line)-len(value))
				if !yield(dataLine{bytes.TrimSpace(value), at + leadingSpaces(value)}, nil) {
					return
				}
			}
			if err != nil && err != io.EOF {
				yield(dataLine{}, err)
			}
			if err != nil {
				return
			}
			offset += int64(len(line))
		}
	}
}

func leadingSpaces(data []byte) int64 {
	return int64(len(data) - len(bytes.TrimLeft(data, " ")))
}
