package openai_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	toopenai "github.com/gemwire/gemwire/pkg/transform/openai"
	"github.com/go-json-experiment/json"
)

// BenchmarkStream converts the bytes of a stream of 200 events of 490 bytes, as they come from a
// connection, into those of a streamed completion. In the same run it does what nobody can do
// without, which is to read lines and decode each of them, and reports the ratio of the two.
func BenchmarkStream(b *testing.B) {
	body := textStream(200)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	var converting, floor time.Duration
	for b.Loop() {
		start := time.Now()
		if err := streamToStream(body, io.Discard); err != nil {
			b.Fatal(err)
		}
		converting += time.Since(start)

		b.StopTimer()
		start = time.Now()
		if err := decodeLines(body); err != nil {
			b.Fatal(err)
		}
		floor += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(float64(converting)/float64(floor), "x-floor")
}

// BenchmarkStreamOfThreeEvents is mostly what a stream costs before its first and after its last
// event.
func BenchmarkStreamOfThreeEvents(b *testing.B) {
	body := textStream(3)
	b.ReportAllocs()
	for b.Loop() {
		if err := streamToStream(body, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStreamStage shows where the time of BenchmarkStream goes, per stream. Each stage has those
// above it in it.
func BenchmarkStreamStage(b *testing.B) {
	body := textStream(200)
	for _, stage := range []struct {
		name string
		run  func() error
	}{
		{"Read", func() error {
			for _, err := range gemini.NewStreamReader(bytes.NewReader(body)).All() {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		{"Normalise", func() error {
			for e := range normalize.Events(gemini.NewStreamReader(bytes.NewReader(body)).All()) {
				if e.Error != nil {
					return e.Error
				}
			}
			return nil
		}},
		{"Convert", func() error {
			for _, err := range toopenai.NewStream(toopenai.WithUsage()).Chunks(gemini.NewStreamReader(bytes.NewReader(body)).All()) {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		{"Write", func() error { return streamToStream(body, io.Discard) }},
	} {
		b.Run(stage.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := stage.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func streamToStream(body []byte, w io.Writer) error {
	in := gemini.NewStreamReader(struct{ io.Reader }{bytes.NewReader(body)})
	_, err := toopenai.WriteStream(w, in.All(), toopenai.WithUsage())
	return err
}

// decodeLines reads lines and decodes each event with the JSON library.
func decodeLines(body []byte) error {
	lines := bufio.NewScanner(bytes.NewReader(body))
	for lines.Scan() {
		if data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: ")); ok {
			var c geminiapi.GenerateContentResponse
			if err := json.Unmarshal(data, &c); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

// textStream builds a stream like those of the Gemini API, of events of 490 bytes.
func textStream(events int) []byte {
	var body bytes.Buffer
	for i := range events {
		end := ""
		if i == events-1 {
			end = `"finishReason": "STOP",`
		}
		head := `data: {"candidates": [{"content": {"parts": [{"text": "`
		tail := fmt.Sprintf(`"}],"role": "model"},%s"index": 0}],"usageMetadata": {"promptTokenCount": 31,`+
			`"candidatesTokenCount": %d,"totalTokenCount": %d,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 31}],`+
			`"thoughtsTokenCount": 97},"modelVersion": "gemini-2.5-flash","responseId": "v0R6abzuG9-Gz7IPkMfQ2Qg"}`, end, 500+i, 628+i)
		text := strings.Repeat("Rinse the rice until the water stays clear, then rest it. ", 9)[:490-len(head)-len(tail)]
		body.WriteString(head + text + tail + "\r\n\r\n")
	}
	return body.Bytes()
}
