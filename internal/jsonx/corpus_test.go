package jsonx_test

import (
	"bytes"
	stdjson "encoding/json"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai"
)

func TestEveryRecordedPayloadIsTheSameByTheStandardLibrary(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		payloads func(testing.TB) []corpustest.Payload
		split    func([]byte) [][]byte
		codec    func([]byte) ([]byte, error)
		value    func() any
		least    int
	}{
		{"Gemini requests", recorded(corpustest.Request), whole,
			trip(gemini.DecodeRequest, gemini.EncodeRequest),
			func() any { return new(geminiapi.GenerateContentRequest) }, 500},
		{"Gemini responses", recorded(corpustest.Response), whole,
			trip(gemini.DecodeResponse, gemini.EncodeResponse),
			func() any { return new(geminiapi.GenerateContentResponse) }, 800},
		{"Gemini streams", recorded(corpustest.Stream), events,
			trip(gemini.DecodeResponse, gemini.EncodeResponse),
			func() any { return new(geminiapi.GenerateContentResponse) }, 1000},
		{"chat_completions requests", exchanged(corpustest.Request), whole,
			trip(openai.DecodeRequest, openai.EncodeRequest),
			func() any { return new(openaiapi.CreateChatCompletionRequest) }, 700},
		{"chat_completions responses", exchanged(corpustest.Response), whole,
			trip(openai.DecodeResponse, openai.EncodeResponse),
			func() any { return new(openaiapi.CreateChatCompletionResponse) }, 500},
		{"chat_completions streams", exchanged(corpustest.Stream), events,
			trip(openai.DecodeChunk, openai.EncodeChunk),
			func() any { return new(openaiapi.CreateChatCompletionStreamResponse) }, 1000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checked := 0
			for _, payload := range tt.payloads(t) {
				for _, data := range tt.split(payload.Read(t)) {
					want, err := tt.codec(data)
					if err != nil {
						continue // cut short, or an error in the place of an answer
					}
					checked++
					checkStandard(t, payload.Name, data, want, tt.value())
				}
			}
			if t.Logf("%d payloads", checked); checked < corpustest.AtLeast(tt.least) {
				t.Errorf("only %d payloads checked", checked)
			}
		})
	}
}

// checkStandard compares bytes. The standard library escapes text for HTML.
func checkStandard(t *testing.T, name string, data, want []byte, v any) {
	t.Helper()
	var escaped bytes.Buffer
	stdjson.HTMLEscape(&escaped, want)
	if err := stdjson.Unmarshal(data, v); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	got, err := stdjson.Marshal(v)
	if err != nil || !bytes.Equal(got, escaped.Bytes()) {
		t.Errorf("%s: got %s and error %v, want %s", name, got, err, escaped.Bytes())
	}
}

func recorded(kind corpustest.Kind) func(testing.TB) []corpustest.Payload {
	return func(t testing.TB) []corpustest.Payload { return corpustest.Payloads(t, kind) }
}

func exchanged(kind corpustest.Kind) func(testing.TB) []corpustest.Payload {
	return func(t testing.TB) []corpustest.Payload { return corpustest.ClientPayloads(t, "chat_completions", kind) }
}

func trip[T any](decode func([]byte) (*T, error),
	encode func(*T) ([]byte, error)) func([]byte) ([]byte, error) {
	return func(data []byte) ([]byte, error) {
		v, err := decode(data)
		if err != nil {
			return nil, err
		}
		return encode(v)
	}
}

func whole(data []byte) [][]byte { return [][]byte{data} }

// events returns the data of the events of a stream.
func events(data []byte) [][]byte {
	var out [][]byte
	for line := range bytes.Lines(data) {
		if body, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			out = append(out, bytes.TrimSpace(body))
		}
	}
	return out
}
