package responses_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/openai/responses"
	toresponses "github.com/gemwire/gemwire/pkg/transform/responses"
	"github.com/go-json-experiment/json"
)

// BenchmarkBytesToBytes is the whole way from Gemini's bytes to OpenAI's, with the report, the check of the result, and
// all extensions.
func BenchmarkBytesToBytes(b *testing.B) {
	for _, p := range payloadtest.All() {
		b.Run(p.Name, func(b *testing.B) {
			b.SetBytes(int64(len(p.Body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := bytesToBytes(p.Body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func bytesToBytes(body []byte) ([]byte, error) {
	in, err := gemini.DecodeResponse(body)
	if err != nil {
		return nil, err
	}
	out, _, err := toresponses.FromGemini(in)
	if err != nil {
		return nil, err
	}
	if err := responses.ValidateResponse(out); err != nil {
		return nil, err
	}
	return responses.EncodeResponse(out)
}

// BenchmarkStream converts the bytes of a stream of 200 events of 490 bytes, as they come from a connection, into those
// of a streamed response. In the same run it does what nobody can do without, which is to read lines and decode each of
// them, and reports the ratio of the two.
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

func streamToStream(body []byte, w io.Writer) error {
	in := gemini.NewStreamReader(struct{ io.Reader }{bytes.NewReader(body)})
	_, err := toresponses.WriteStream(w, in.All())
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
