package chat_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/openai"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
	"github.com/go-json-experiment/json"
)

type chunk = openaiapi.CreateChatCompletionStreamResponse

// streamed is the result of a stream.
type streamed struct {
	chunks []chunk
	report report.Report
	err    error
}

// convertStream converts wire chunks one by one, and checks what must hold for every stream.
func convertStream(t testing.TB, wire []*geminiapi.GenerateContentResponse, failure error,
	opts ...chat.Option) streamed {
	t.Helper()
	s := chat.NewStream(opts...)
	var out streamed
	for c, err := range s.Chunks(openaitest.Pairs(wire, failure)) {
		if err != nil {
			out.err = err
			break
		}
		out.chunks = append(out.chunks, c)
	}
	out.report = s.Report()
	checkChunks(t, out)
	return out
}

// stream converts chunks that are given as JSON and must complete.
func stream(t testing.TB, bodies []string, opts ...chat.Option) streamed {
	t.Helper()
	out := convertStream(t, openaitest.DecodeAll(t, bodies), nil, opts...)
	if out.err != nil {
		t.Fatal(out.err)
	}
	return out
}

// checkChunks checks the guarantees of [chat.Stream].
func checkChunks(t testing.TB, s streamed) {
	t.Helper()
	choices := map[int]*choiceState{}
	for i := range s.chunks {
		c := &s.chunks[i]
		if err := openai.ValidateChunk(c); err != nil {
			t.Errorf("chunk %d: %v", i, err)
		}
		first := &s.chunks[0]
		if c.ID != first.ID || c.Created != first.Created || c.Model != first.Model ||
			c.Object != openaiapi.ObjectTypeChatCompletionChunk {
			t.Errorf("chunk %d is one of another completion: %+v", i, c)
		}
		if (len(c.Choices) == 0) != (c.Usage != nil) || c.Usage != nil && i < len(s.chunks)-1 {
			t.Errorf("chunk %d of %d has %d choices, and usage %v", i, len(s.chunks),
				len(c.Choices), c.Usage)
		}
		if c.ExtraContent != nil && i < len(s.chunks)-1 {
			t.Errorf("chunk %d of %d has an extension", i, len(s.chunks))
		}
		for j := range c.Choices {
			index := c.Choices[j].Index
			if choices[index] == nil {
				choices[index] = &choiceState{}
			}
			choices[index].check(t, i, &c.Choices[j])
		}
		checkChunkBytes(t, i, c)
	}
	for index, choice := range choices {
		if !choice.finished && s.err == nil {
			t.Errorf("choice %d never ends", index)
		}
	}
}

// choiceState holds the values of a choice that have arrived so far.
type choiceState struct {
	begun, finished bool
	calls           int
	audioID         string
}

func (s *choiceState) check(t testing.TB, i int, c *openaiapi.ChunkChoice) {
	t.Helper()
	if s.finished {
		t.Errorf("chunk %d comes after the choice has ended", i)
	}
	if (c.Delta.Role != nil) == s.begun {
		t.Errorf("chunk %d: role %v, and a delta before: %v", i, c.Delta.Role, s.begun)
	}
	s.begun = true
	for _, call := range c.Delta.ToolCalls {
		isFirst := call.ID != nil
		if isFirst != (call.Index == s.calls) || isFirst != (call.Type != nil) ||
			call.Function == nil ||
			isFirst != (call.Function.Name != nil) || call.Function.Arguments == nil ||
			call.Index > s.calls {
			t.Errorf("chunk %d: call %d after %d calls: %+v", i, call.Index, s.calls, call)
		}
		if isFirst {
			s.calls++
		} else if call.Index != s.calls-1 {
			t.Errorf("chunk %d continues with call %d of %d", i, call.Index, s.calls)
		}
	}
	if audio := c.Delta.Audio; audio != nil {
		isFirst := s.audioID == ""
		if isFirst != (audio.ExpiresAt != nil) || isFirst != (audio.Transcript != nil) ||
			audio.Data == nil || isFirst != (audio.ID != nil) {
			t.Errorf("chunk %d: a sound after that of %q: %+v", i, s.audioID, audio)
		}
		if isFirst && audio.ID != nil {
			s.audioID = *audio.ID
		}
	}
	if c.FinishReason != nil {
		s.finished = true
		if !isEmptyDelta(&c.Delta) {
			t.Errorf("chunk %d ends the choice with a delta", i)
		}
	}
	if c.FinishReason == nil && isEmptyDelta(&c.Delta) && c.Logprobs == nil {
		t.Errorf("chunk %d says nothing", i)
	}
}

func isEmptyDelta(d *openaiapi.Delta) bool {
	data, err := json.Marshal(d)
	return err == nil && string(data) == "{}"
}

// checkChunkBytes checks that the bytes of a chunk are one line that reads as the chunk.
func checkChunkBytes(t testing.TB, i int, c *chunk) {
	t.Helper()
	data := encodeChunk(t, c)
	if strings.ContainsAny(data, "\r\n") {
		t.Errorf("chunk %d takes several lines: %s", i, data)
	}
	for _, member := range []string{`"delta":`, `"finish_reason":`} {
		if len(c.Choices) > 0 && !strings.Contains(data, member) {
			t.Errorf("chunk %d has no %s: %s", i, member, data)
		}
	}
	if len(data) > 1<<20 {
		return
	}
	again, err := openai.DecodeChunk([]byte(data))
	if err != nil {
		t.Fatalf("chunk %d: %v", i, err)
	}
	if data2 := encodeChunk(t, again); data2 != data {
		t.Errorf("chunk %d: the bytes say something else:\n%s\n%s", i, data, data2)
	}
}

func encodeChunk(t testing.TB, c *chunk) string {
	t.Helper()
	data, err := openai.EncodeChunk(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// body returns the events of a written stream.
func body(t testing.TB, wire []*geminiapi.GenerateContentResponse, failure error,
	opts ...chat.Option) (string, report.Report, error) {
	t.Helper()
	var out bytes.Buffer
	report, err := chat.WriteStream(&out, openaitest.Pairs(wire, failure), opts...)
	return out.String(), report, err
}
