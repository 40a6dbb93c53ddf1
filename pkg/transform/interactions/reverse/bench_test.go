package reverse_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/gemwire/gemwire/pkg/transform/interactions/reverse"
	"github.com/go-json-experiment/json"
)

// textAnswer is an answer with a text of 800 bytes.
func textAnswer() []byte {
	text := strings.Repeat("Some words of an answer. ", 32)
	return fmt.Appendf(nil,
		`{"id":"v1_ChdhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYRIXYmJiYmJiYmJiYmJiYmJiYmJiYmJiYmI","status":"completed","usage":{"total_tokens":169,"total_input_tokens":9,"input_tokens_by_modality":[{"modality":"text","tokens":9}],"total_cached_tokens":0,"total_output_tokens":160,"total_tool_use_tokens":0,"total_thought_tokens":0},"created":"2026-10-05T10:00:00Z","updated":"2026-10-05T10:00:00Z","service_tier":"standard","steps":[{"content":[{"text":%q,"type":"text"}],"type":"model_output"}],"object":"interaction","model":"gemini-3-flash-preview"}`,
		text)
}

func bytesToBytes(document []byte, opts ...reverse.Option) ([]byte, error) {
	in, err := interactions.DecodeResponse(document)
	if err != nil {
		return nil, err
	}
	out, _, err := reverse.ToGemini(in, opts...)
	if err != nil {
		return nil, err
	}
	return gemini.EncodeResponse(out)
}

func BenchmarkToGemini(b *testing.B) {
	document := textAnswer()
	for _, plain := range []struct {
		name string
		opts []reverse.Option
	}{{"extension", nil}, {"plain", []reverse.Option{reverse.WithoutExtensions()}}} {
		b.Run(plain.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bytesToBytes(document, plain.opts...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func stream200() []byte {
	list := []string{created, running, output}
	for i := range 195 {
		list = append(list, text(0, fmt.Sprintf("word %d ", i)))
	}
	return asBody(append(list, stopped, completed))
}

func BenchmarkStream200(b *testing.B) {
	body := stream200()
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, err := range interactions.NewStreamReader(bytes.NewReader(body)).All() {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("convert", func(b *testing.B) {
		b.ReportAllocs()
		var converting, floor time.Duration
		for b.Loop() {
			start := time.Now()
			in := interactions.NewStreamReader(bytes.NewReader(body))
			if _, err := reverse.WriteStream(io.Discard, in.All(),
				reverse.WithLossesOnly()); err != nil {
				b.Fatal(err)
			}
			converting += time.Since(start)

			b.StopTimer()
			start = time.Now()
			decodeLines(b, body)
			floor += time.Since(start)
			b.StartTimer()
		}
		b.ReportMetric(float64(converting)/float64(floor), "x-floor")
	})
}

// decodeLines does the work that every converter must do: it reads lines and decodes each of them.
func decodeLines(b *testing.B, body []byte) {
	b.Helper()
	for lines := bufio.NewScanner(bytes.NewReader(body)); lines.Scan(); {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok || data[0] != '{' {
			continue
		}
		var event interactionsapi.StreamEvent
		if err := json.Unmarshal(data, &event); err != nil {
			b.Fatal(err)
		}
	}
}
