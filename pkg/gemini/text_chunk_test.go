package gemini_test

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/payloadtest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/google/go-cmp/cmp"
)

// saidBy returns the content of a stream: each chunk as JSON, its report and its end.
func saidBy(t testing.TB, body []byte, opts ...gemini.StreamOption) []string {
	t.Helper()
	stream := gemini.NewStreamReader(bytes.NewReader(body), opts...)
	var out []string
	for {
		chunk, err := stream.Next()
		if err != nil {
			out = append(out, err.Error())
			break
		}
		data, err := gemini.EncodeResponse(chunk)
		if err != nil {
			data = []byte(err.Error())
		}
		out = append(out, string(data))
	}
	for _, entry := range stream.Report() {
		out = append(out, entry.String())
	}
	return out
}

func compareReused(t testing.TB, name string, body []byte) {
	t.Helper()
	if diff := cmp.Diff(saidBy(t, body), saidBy(t, body, gemini.WithReusedChunks())); diff != "" {
		t.Errorf("%s: (-kept +reused)\n%s", name, diff)
	}
}

// Each differs slightly from a piece of a text.
var nearlyTexts = []string{
	`{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"},"index":0}],"usageMetadata":{"totalTokenCount":1},"modelVersion":"m","responseId":"r","createTime":"t"}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"user"},"index":1}],"usageMetadata":{"totalTokenCount":1},"modelVersion":"m2","responseId":"r2","createTime":"t2"}`,
	`{"candidates":[{"content":{"parts":[{"text":"a","thought":true}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"a","thought":false}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"a","thought":null}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"a","thoughtSignature":"s"}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"},{"text":"b"}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}]}},{"content":{"parts":[{"text":"b"}]},"index":1}]}`,
	`{"candidates":[{"content":{"parts":[{}]}}]}`, `{"candidates":[{"content":{"parts":[]}}]}`,
	`{"candidates":[{"content":{}}]}`,
	`{"candidates":[{}]}`, `{"candidates":[]}`, `{"candidates":null}`, `{}`, `{"usageMetadata":{}}`,
	`{"candidates":[{"content":{"parts":[{"text":1}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":null}]}}]}`,
	`{"candidates":[{"content":{"parts":{"text":"a"}}}]}`,
	`{"candidates":{"content":{"parts":[{"text":"a"}]}}}`,
	`{"candidates":[{"content":{"parts":[{"text":"a","text":"b"}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}]},"index":"0"}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}]},"index":null}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"\ud800"}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"` + "\u2028\\n\\u00e4" + `"}]}}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usage_metadata":{"total_token_count":1}}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"totalTokenCount":1}}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"totalTokenCount":1} ,"new":1}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"totalTokenCount":1,"promptTokenCount":1}}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":null}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"totalTokenCount":{}}}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"error":{"code":1}}`,
}

func TestReusedChunksSayTheSame(t *testing.T) {
	t.Parallel()
	for _, first := range nearlyTexts {
		for _, second := range nearlyTexts {
			body := "data: " + nearlyTexts[0] + "\n\ndata: " + first + "\n\ndata: " + second +
				"\n\ndata: " + nearlyTexts[0] + "\n\n"
			compareReused(t, first+second, []byte(body))
		}
	}
	for name, tt := range bodies {
		compareReused(t, "body "+string(rune(name)), []byte(tt.body))
	}
}

func TestReusedChunksOfEveryRecordedStreamSayTheSame(t *testing.T) {
	t.Parallel()
	for _, payload := range corpustest.Payloads(t, corpustest.Stream) {
		compareReused(t, payload.Name, payload.Read(t))
	}
}

func FuzzReusedChunks(f *testing.F) {
	for _, chunk := range nearlyTexts {
		f.Add(chunk, nearlyTexts[0])
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		compareReused(t, "",
			[]byte("data: "+nearlyTexts[0]+"\n\ndata: "+first+"\n\ndata: "+second+"\n\ndata: "+
				second+"\n\n"))
	})
}

func TestReadersMayKeepTheTextsAndTheUsageOfReusedChunks(t *testing.T) {
	t.Parallel()
	stream := gemini.NewStreamReader(bytes.NewReader(payloadtest.TextStream(4)),
		gemini.WithReusedChunks())
	var chunks [2]*geminiapi.GenerateContentResponse
	var texts [2]string
	var usages [2]*geminiapi.UsageMetadata
	var models [2]*string
	for i := range chunks {
		chunk, err := stream.Next()
		if err != nil {
			t.Fatal(err)
		}
		chunks[i], texts[i], usages[i], models[i] = chunk,
			*chunk.Candidates[0].Content.Parts[0].Text, chunk.UsageMetadata, chunk.ModelVersion
	}
	if chunks[0] != chunks[1] {
		t.Error("the memory of the first chunk was not used again")
	}
	if texts[0] == "" || *usages[0].CandidatesTokenCount != 500 ||
		*usages[1].CandidatesTokenCount != 501 || *models[0] != "gemini-2.5-flash" {
		t.Errorf("%q, %+v, %+v, %s", texts, usages[0], usages[1], *models[0])
	}
}

// A server that counts only at the end repeats the counts of the prompt.
func TestAReusedChunkIsItsTextAlone(t *testing.T) {
	const chunks = 500
	body := strings.Repeat("data: "+
		`{"candidates":[{"content":{"parts":[{"text":"a few words of an answer "}],"role":"model"},"index":0}],`+
		`"usageMetadata":{"promptTokenCount":200,"totalTokenCount":200},"modelVersion":"gemini-2.5-flash","responseId":"abcdefgh"}`+
		"\n\n", chunks)
	allocations := testing.AllocsPerRun(3, func() {
		stream := gemini.NewStreamReader(struct{ io.Reader }{strings.NewReader(body)},
			gemini.WithReusedChunks())
		for range chunks {
			if _, err := stream.Next(); err != nil {
				t.Fatal(err)
			}
		}
	})
	if each := allocations / chunks; each > 1.1 {
		t.Errorf("%.2f allocations for each chunk", each)
	}
}

// textsWithUsage returns a stream of texts with records of usage, and its end.
func textsWithUsage(records []string) string {
	var out strings.Builder
	for _, record := range records {
		out.WriteString(`data: {"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":` +
			record + "}\n\n")
	}
	out.WriteString(`data: {"candidates":[{"finishReason":"STOP"}]}` + "\n\n")
	return out.String()
}

func TestRisingCountsOfReusedChunksTakeNoMemory(t *testing.T) {
	const chunks = 500
	records := make([]string, chunks)
	for i := range records {
		records[i] = `{"promptTokenCount":200,"candidatesTokenCount":` + strconv.Itoa(i+1) +
			`,"totalTokenCount":` + strconv.Itoa(201+i) +
			`,"promptTokensDetails":[{"modality":"TEXT","tokenCount":200}]}`
	}
	body := textsWithUsage(records)
	allocations := testing.AllocsPerRun(3, func() {
		stream := gemini.NewStreamReader(struct{ io.Reader }{strings.NewReader(body)},
			gemini.WithReusedChunks())
		for i := range chunks {
			chunk, err := stream.Next()
			if err != nil || *chunk.UsageMetadata.CandidatesTokenCount != i+1 {
				t.Fatalf("chunk %d: %+v, %v", i, chunk, err)
			}
		}
	})
	if each := allocations / chunks; each > 0.2 {
		t.Errorf("%.2f allocations for each chunk", each)
	}
}

// Those who join the counts of a stream keep a record that has a member more than a later one.
func TestRecordsWithMembersThatLaterOnesDoNotHaveStayAsTheyAre(t *testing.T) {
	t.Parallel()
	body := textsWithUsage([]string{
		`{"promptTokenCount":1,"totalTokenCount":1}`,
		`{"promptTokenCount":2,"totalTokenCount":2,"thoughtsTokenCount":9}`,
		`{"promptTokenCount":3,"totalTokenCount":3}`, `{"promptTokenCount":4,"totalTokenCount":4}`,
		`{"promptTokenCount":5,"totalTokenCount":5}`, `{"promptTokenCount":6,"totalTokenCount":0}`,
		`{"promptTokenCount":7,"totalTokenCount":7}`, `{"promptTokenCount":8,"totalTokenCount":8}`,
	})
	stream := gemini.NewStreamReader(strings.NewReader(body), gemini.WithReusedChunks())
	var records []*geminiapi.UsageMetadata
	for range 8 {
		chunk, err := stream.Next()
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, chunk.UsageMetadata)
	}
	// The fifth record reuses the memory of the third. The sixth tried the memory of the fourth.
	want := []int{1, 2, 5, 6, 5, 6, 7, 8}
	for i, record := range records {
		if *record.PromptTokenCount != want[i] {
			t.Errorf("record %d counts %d, want %d", i, *record.PromptTokenCount, want[i])
		}
	}
	if *records[1].ThoughtsTokenCount != 9 {
		t.Errorf("%+v", records[1])
	}
}
