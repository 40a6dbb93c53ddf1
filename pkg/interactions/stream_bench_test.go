package interactions_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gemwire/gemwire/gen/interactionsapi"
	"github.com/gemwire/gemwire/pkg/interactions"
	"github.com/go-json-experiment/json"
)

// benchmarkBody returns a stream of 200 events: a text in deltas of 60 bytes.
func benchmarkBody() []byte {
	var deltas []string
	for i := range 195 {
		deltas = append(deltas, fmt.Sprintf(`{"text":"%03d %s","type":"text"}`, i,
			strings.Repeat("words ", 10)))
	}
	return []byte(named("\n", stream(step(0, output, deltas...))...) + done)
}

// BenchmarkStreamReader reads a stream of 200 events. In the same run it does the minimum that a
// reader needs: it reads lines and decodes each of them. It reports the ratio.
func BenchmarkStreamReader(b *testing.B) {
	body := benchmarkBody()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	var reading, floor time.Duration
	for b.Loop() {
		start := time.Now()
		count := 0
		for _, err := range interactions.NewStreamReader(bytes.NewReader(body)).All() {
			if err != nil {
				b.Fatal(err)
			}
			count++
		}
		if count != 200 {
			b.Fatalf("%d events", count)
		}
		reading += time.Since(start)

		b.StopTimer()
		start = time.Now()
		readLines(b, body)
		floor += time.Since(start)
		b.StartTimer()
	}
	b.ReportMetric(float64(reading)/float64(floor), "x-floor")
}

// BenchmarkStreamLines measures this minimum alone.
func BenchmarkStreamLines(b *testing.B) {
	body := benchmarkBody()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		readLines(b, body)
	}
}

// readLines reads the lines of a stream and decodes those with an event.
func readLines(b *testing.B, body []byte) {
	b.Helper()
	lines := bufio.NewReader(bytes.NewReader(body))
	for {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF {
			return
		}
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok || data[0] != '{' {
			continue
		}
		var event interactionsapi.StreamEvent
		if err := json.Unmarshal(data, &event); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAccumulator folds the events of the stream.
func BenchmarkAccumulator(b *testing.B) {
	events, err := readAll(interactions.NewStreamReader(bytes.NewReader(benchmarkBody())))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		fold(b, events)
	}
}

// BenchmarkValidateResponse validates an interaction with a step of each type.
func BenchmarkValidateResponse(b *testing.B) {
	var all []string
	for _, step := range steps {
		all = append(all, step)
	}
	r, err := interactions.DecodeResponse([]byte(answer(strings.Join(all, ","))))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := interactions.ValidateResponse(r); err != nil {
			b.Fatal(err)
		}
	}
}
