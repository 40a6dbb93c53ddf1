package normalize_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// longStream has n chunks of 490 bytes in the form of the Gemini API, each with token counts.
func longStream(n int) []string {
	out := make([]string, n)
	for i := range out {
		end := ""
		if i == n-1 {
			end = `"finishReason": "STOP",`
		}
		head := `{"candidates": [{"content": {"parts": [{"text": "`
		tail := fmt.Sprintf(`"}],"role": "model"},%s"index": 0}],"usageMetadata": {"promptTokenCount": 27,`+
			`"candidatesTokenCount": %d,"totalTokenCount": %d,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 27}],`+
			`"thoughtsTokenCount": 112},"modelVersion": "gemini-2.5-flash","responseId": "Hs1Waa_pE8qYxN8PkYzB4Ao"}`,
			end, 1000+i, 1139+i)
		out[i] = head + strings.Repeat("The tide turns twice a day. ",
			18)[:490-len(head)-len(tail)] + tail
	}
	return out
}

// BenchmarkStream measures the cost of a chunk between the codec and the user.
// BenchmarkStreamDecode measures the cost of decoding the chunk before that.
func BenchmarkStream(b *testing.B) {
	s := streamOf(b, longStream(200)...)
	b.ReportAllocs()
	for b.Loop() {
		stream := normalize.NewStream()
		for _, chunk := range s.chunks {
			if _, err := stream.Push(chunk); err != nil {
				b.Fatal(err)
			}
		}
		if events, err := stream.Close(nil); err != nil || len(events) != 2 {
			b.Fatal(events, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200, "ns/chunk")
}

func BenchmarkStreamDecode(b *testing.B) {
	bodies := longStream(200)
	b.ReportAllocs()
	for b.Loop() {
		for _, body := range bodies {
			if _, err := gemini.DecodeResponse([]byte(body)); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200, "ns/chunk")
}

func BenchmarkAccumulate(b *testing.B) {
	events := streamOf(b, longStream(200)...).events(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := normalize.Accumulate(slices.Values(events)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200, "ns/chunk")
}

func BenchmarkMergeChunks(b *testing.B) {
	s := streamOf(b, longStream(200)...)
	b.ReportAllocs()
	for b.Loop() {
		normalize.MergeChunks(s.chunks...)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200, "ns/chunk")
}

// BenchmarkStreamedCall measures the cost of one piece of a call's arguments. The arguments are one
// string in 200 pieces.
func BenchmarkStreamedCall(b *testing.B) {
	call := func(body string) *geminiapi.GenerateContentResponse {
		return fromWire(b, withParts(`{"functionCall":`+body+`}`))
	}
	chunks := []*geminiapi.GenerateContentResponse{call(`{"name":"write_file","willContinue":true}`)}
	for range 200 {
		chunks = append(chunks,
			call(`{"partialArgs":[{"jsonPath":"$.file.content","stringValue":"The tide turns twice a day.\n","willContinue":true}],"willContinue":true}`))
	}
	chunks = append(chunks, call(`{}`))
	b.ReportAllocs()
	for b.Loop() {
		stream := normalize.NewStream()
		for _, chunk := range chunks {
			if _, err := stream.Push(chunk); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200, "ns/chunk")
}

// BenchmarkManyHeldArguments measures array elements that arrive in the worst order.
func BenchmarkManyHeldArguments(b *testing.B) {
	var parts []geminiapi.PartialArg
	for i := range 2000 {
		path := fmt.Sprintf("$.list[%d]", 1999-i)
		parts = append(parts, geminiapi.PartialArg{JSONPath: &path, NumberValue: new(float64(i))})
	}
	chunk := &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{
		Parts: []geminiapi.Part{{FunctionCall: &geminiapi.FunctionCall{Name: new("f"),
			PartialArgs: parts}}},
	}}}}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := normalize.NewStream().Push(chunk); err != nil {
			b.Fatal(err)
		}
	}
}
