package openai_test

import (
	"bytes"
	"encoding/base64"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/openai"
	"github.com/go-json-experiment/json"
)

type chunk = openaiapi.CreateChatCompletionStreamResponse

// streamed is what became of a stream.
type streamed struct {
	chunks []chunk
	report transform.Report
	err    error
}

// convertStream converts chunks of the wire, one by one, and checks what holds for every stream.
func convertStream(t testing.TB, wire []*geminiapi.GenerateContentResponse, failure error, opts ...openai.Option) streamed {
	t.Helper()
	s := openai.NewStream(opts...)
	var out streamed
	for c, err := range s.Chunks(pairs(wire, failure)) {
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

// pairs yields chunks as a reader does, with the error that it ended in.
func pairs(wire []*geminiapi.GenerateContentResponse, failure error) iter.Seq2[*geminiapi.GenerateContentResponse, error] {
	return func(yield func(*geminiapi.GenerateContentResponse, error) bool) {
		for _, c := range wire {
			if !yield(c, nil) {
				return
			}
		}
		if failure != nil {
			yield(nil, failure)
		}
	}
}

// stream converts chunks that are given as JSON and must end as they should.
func stream(t testing.TB, bodies []string, opts ...openai.Option) streamed {
	t.Helper()
	out := convertStream(t, decodeAll(t, bodies), nil, opts...)
	if out.err != nil {
		t.Fatal(out.err)
	}
	return out
}

func decodeAll(t testing.TB, bodies []string) []*geminiapi.GenerateContentResponse {
	t.Helper()
	var out []*geminiapi.GenerateContentResponse
	for _, body := range bodies {
		out = append(out, decode(t, body))
	}
	return out
}

// checkChunks checks the promises of [openai.Stream].
func checkChunks(t testing.TB, s streamed) {
	t.Helper()
	choices := map[int]*choiceState{}
	for i := range s.chunks {
		c := &s.chunks[i]
		if err := openai.ValidateChunk(c); err != nil {
			t.Errorf("chunk %d: %v", i, err)
		}
		first := &s.chunks[0]
		if c.ID != first.ID || c.Created != first.Created || c.Model != first.Model || c.Object != openaiapi.ObjectTypeChatCompletionChunk {
			t.Errorf("chunk %d is one of another completion: %+v", i, c)
		}
		if (len(c.Choices) == 0) != (c.Usage != nil) || c.Usage != nil && i < len(s.chunks)-1 {
			t.Errorf("chunk %d of %d has %d choices, and usage %v", i, len(s.chunks), len(c.Choices), c.Usage)
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

// choiceState is what came of a choice so far.
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
		if isFirst != (call.Index == s.calls) || isFirst != (call.Type != nil) || call.Function == nil ||
			isFirst != (call.Function.Name != nil) || call.Function.Arguments == nil || call.Index > s.calls {
			t.Errorf("chunk %d: call %d after %d calls: %+v", i, call.Index, s.calls, call)
		}
		if isFirst {
			s.calls++
		} else if call.Index != s.calls-1 {
			t.Errorf("chunk %d goes on with call %d of %d", i, call.Index, s.calls)
		}
	}
	if audio := c.Delta.Audio; audio != nil {
		isFirst := s.audioID == ""
		if isFirst != (audio.ExpiresAt != nil) || isFirst != (audio.Transcript != nil) || audio.Data == nil || !isFirst && *audio.ID != s.audioID {
			t.Errorf("chunk %d: a sound behind that of %q: %+v", i, s.audioID, audio)
		}
		s.audioID = *audio.ID
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

// accumulate makes a completion of chunks, as clients do.
func accumulate(chunks []chunk) *openaiapi.CreateChatCompletionResponse {
	out := &openaiapi.CreateChatCompletionResponse{Object: openaiapi.ObjectTypeChatCompletion, Choices: []openaiapi.Choice{}}
	for i := range chunks {
		c := &chunks[i]
		out.ID, out.Created, out.Model = c.ID, c.Created, c.Model
		if c.Usage != nil {
			out.Usage = c.Usage
		}
		if c.ExtraContent != nil {
			out.ExtraContent = c.ExtraContent
		}
		for j := range c.Choices {
			accumulateChoice(out, &c.Choices[j])
		}
	}
	slices.SortStableFunc(out.Choices, func(a, b openaiapi.Choice) int { return a.Index - b.Index })
	return out
}

func accumulateChoice(out *openaiapi.CreateChatCompletionResponse, c *openaiapi.ChunkChoice) {
	at := slices.IndexFunc(out.Choices, func(o openaiapi.Choice) bool { return o.Index == c.Index })
	if at < 0 {
		at = len(out.Choices)
		out.Choices = append(out.Choices, openaiapi.Choice{Index: c.Index})
	}
	choice := &out.Choices[at]
	if c.FinishReason != nil {
		choice.FinishReason, choice.NativeFinishReason = *c.FinishReason, c.NativeFinishReason
	}
	if c.Logprobs != nil {
		if choice.Logprobs == nil {
			choice.Logprobs = &openaiapi.ChoiceLogprobs{}
		}
		choice.Logprobs.Content = append(choice.Logprobs.Content, c.Logprobs.Content...)
	}
	m, d := &choice.Message, &c.Delta
	if d.Role != nil {
		m.Role = *d.Role
	}
	join(&m.Content, d.Content)
	join(&m.ReasoningContent, d.ReasoningContent)
	join(&m.Refusal, d.Refusal)
	for i := range d.ToolCalls {
		accumulateCall(m, &d.ToolCalls[i])
	}
	m.Annotations = append(m.Annotations, d.Annotations...)
	m.Images = append(m.Images, d.Images...)
	if d.Audio != nil {
		accumulateSound(m, d.Audio)
	}
	if d.ExtraContent != nil {
		m.ExtraContent = d.ExtraContent
	}
}

// accumulateSound decodes each piece of a sound by itself, and so joins bytes.
func accumulateSound(m *openaiapi.ResponseMessage, a *openaiapi.MessageAudio) {
	if m.Audio == nil {
		m.Audio = &openaiapi.ResponseAudio{ID: *a.ID, Data: *a.Data, ExpiresAt: *a.ExpiresAt, Transcript: *a.Transcript}
		return
	}
	var whole []byte
	for _, piece := range []string{m.Audio.Data, *a.Data} {
		raw, err := base64.StdEncoding.DecodeString(piece)
		if err != nil {
			raw = []byte(err.Error()) // which no sound is
		}
		whole = append(whole, raw...)
	}
	m.Audio.Data = base64.StdEncoding.EncodeToString(whole)
}

func join(text **string, more *string) {
	if more != nil {
		whole := *more
		if *text != nil {
			whole = **text + whole
		}
		*text = &whole
	}
}

func accumulateCall(m *openaiapi.ResponseMessage, c *openaiapi.ToolCallChunk) {
	if c.Index == len(m.ToolCalls) {
		m.ToolCalls = append(m.ToolCalls, openaiapi.ToolCall{ID: *c.ID, Type: *c.Type, Function: &openaiapi.FunctionCall{Name: *c.Function.Name}})
	}
	call := &m.ToolCalls[c.Index]
	call.Function.Arguments += *c.Function.Arguments
	if c.ExtraContent != nil {
		call.ExtraContent = c.ExtraContent
	}
}

// unary converts what a stream makes as a whole.
func unary(t testing.TB, wire []*geminiapi.GenerateContentResponse, opts ...openai.Option) *openaiapi.CreateChatCompletionResponse {
	t.Helper()
	merged, _ := normalize.MergeChunks(wire...)
	out, _, err := openai.Response(merged, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// body returns the events of a written stream.
func body(t testing.TB, wire []*geminiapi.GenerateContentResponse, failure error, opts ...openai.Option) (string, transform.Report, error) {
	t.Helper()
	var out bytes.Buffer
	report, err := openai.WriteStream(&out, pairs(wire, failure), opts...)
	return out.String(), report, err
}
