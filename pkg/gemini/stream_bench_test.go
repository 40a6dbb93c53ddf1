package gemini_test

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
	"github.com/go-json-experiment/json"
)

// BenchmarkStreamReader reads a stream of 200 chunks of 490 bytes like from a connection. In the
// same run it does the minimum that a reader needs: it reads lines and decodes each of them. It
// reports the ratio.
func BenchmarkStreamReader(b *testing.B) {
	body := longStream(200)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	var reading, floor time.Duration
	for b.Loop() {
		start := time.Now()
		if n := readAllChunks(b, bytes.NewReader(body)); n != 200 {
			b.Fatalf("got %d chunks", n)
		}
		reading += time.Since(start)

		b.StopTimer()
		start = time.Now()
		readLines(b, bytes.NewReader(body))
		floor += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(float64(reading)/float64(floor), "x-floor")
}

// BenchmarkStreamLines measures this minimum alone.
func BenchmarkStreamLines(b *testing.B) {
	body := longStream(200)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		readLines(b, bytes.NewReader(body))
	}
}

func BenchmarkStreamReaderOfThreeChunks(b *testing.B) {
	body := longStream(3)
	b.ReportAllocs()
	for b.Loop() {
		readAllChunks(b, bytes.NewReader(body))
	}
}

// BenchmarkStreamReaderFraming is the reader without the decoder: events without content.
func BenchmarkStreamReaderFraming(b *testing.B) {
	body := []byte(strings.Repeat(": "+strings.Repeat("x", 480)+"\r\ndata: {}\r\n\r\n", 200) +
		finish)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		readAllChunks(b, bytes.NewReader(body))
	}
}

// BenchmarkStreamReaderOfALargeEvent reads an event of 20 MB and reports all its allocations,
// including the decoded chunk, as a multiple of its size.
func BenchmarkStreamReaderOfALargeEvent(b *testing.B) {
	body := largeStream(20_000_000)
	sources := map[string]func() io.Reader{
		"Connection": func() io.Reader { return struct{ io.Reader }{bytes.NewReader(body)} },
		"Memory":     func() io.Reader { return bytes.NewReader(body) },
	}
	for name, open := range sources {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			before := totalAlloc()
			for b.Loop() {
				readAllChunks(b, open())
			}
			b.ReportMetric(float64(totalAlloc()-before)/float64(b.N)/float64(len(body)), "x-size")
		})
	}
}

// largeStream builds a stream of one chunk with an inline image, of size bytes.
func largeStream(size int) []byte {
	head := `data: {"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"`
	tail := `"}}],"role":"model"},"finishReason":"STOP"}]}` + "\r\n\r\n"
	return []byte(head + strings.Repeat("A", size-len(head)-len(tail)) + tail)
}

const finish = `data: {"candidates":[{"finishReason":"STOP"}]}` + "\r\n\r\n"

// longStream builds a stream of n chunks of 490 bytes, like a stream of the Gemini API.
func longStream(n int) []byte {
	var body bytes.Buffer
	for i := range n {
		end := ""
		if i == n-1 {
			end = `"finishReason": "STOP",`
		}
		head := `data: {"candidates": [{"content": {"parts": [{"text": "`
		tail := fmt.Sprintf(`"}],"role": "model"},%s"index": 0}],"usageMetadata": {"promptTokenCount": 27,`+
			`"candidatesTokenCount": %d,"totalTokenCount": %d,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 27}],`+
			`"thoughtsTokenCount": 112},"modelVersion": "gemini-2.5-flash","responseId": "Tq4yac2kD9uAz7IPo-6E0Q8"}`,
			end, 1000+i, 1139+i)
		text := strings.Repeat("Warm the pan before the oil goes in, then wait. ",
			10)[:490-len(head)-len(tail)]
		body.WriteString(head + text + tail + "\r\n\r\n")
	}
	return body.Bytes()
}

func readAllChunks(b *testing.B, r io.Reader) int {
	stream := gemini.NewStreamReader(r)
	for {
		_, err := stream.Next()
		if err == io.EOF {
			return stream.Count()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

func readLines(b *testing.B, r io.Reader) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF {
			return
		}
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok {
			continue
		}
		var chunk geminiapi.GenerateContentResponse
		if err := json.Unmarshal(data, &chunk); err != nil {
			b.Fatal(err)
		}
	}
}
