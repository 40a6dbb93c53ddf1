package aisdk_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/aisdkapi"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// FuzzMapGemini checks any bytes that a reader accepts. Their parts are a well-formed stream in
// both versions and equal the accumulated response. A sample of values is not lost silently.
func FuzzMapGemini(f *testing.F) {
	for _, chunks := range allChunks() {
		f.Add([]byte(strings.Join(chunks, "\n")))
	}
	inputs, err := filepath.Glob(filepath.Join("testdata", "streams", "*.sse"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range inputs {
		body, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		s := readRecorded(body)
		checkStreamOfChunks(t, s)
	})
}

// allChunks returns the chunks of every case of the tables.
func allChunks() (out [][]string) {
	for _, cases := range geminiCases() {
		for _, c := range cases {
			out = append(out, c.chunks)
		}
	}
	return append(out, []string{groundedChunk, groundedChunk})
}

func checkStreamOfChunks(t testing.TB, s recordedStream) {
	t.Helper()
	for version, opts := range versions {
		parts, report, err := mapRecorded(s, opts...)
		v4 := version == "V4"
		checkGrammar(t, parts, v4)
		checkEnd(t, parts, err, v4)
		checkContent(t, s, parts)
		for _, chunk := range s.chunks {
			if _, err := gemini.EncodeResponse(chunk); err != nil {
				return // a name in another case next to the right one
			}
		}
		checkReport(t, s, report)
	}
}

// Chunks of all kinds in any order make well-formed streams too. The fuzzer seldom makes such
// streams.
func TestAnySequenceOfChunksIsAWellFormedStream(t *testing.T) {
	t.Parallel()
	pool := slices.Concat(allChunks()...)
	random := rand.New(rand.NewPCG(3, 4))
	failed, calls := 0, 0
	rounds := 400
	if testing.Short() {
		rounds /= 20
	}
	for range rounds {
		var chunks []string
		for range random.IntN(12) {
			chunks = append(chunks, pool[random.IntN(len(pool))])
		}
		s := recordedStream{chunks: decodeChunks(t, chunks...)}
		checkStreamOfChunks(t, s)
		checkComplete(t, strings.Join(chunks, "\n"), encodeChunks(t, s.chunks), nil, 10)
		parts, _, err := mapRecorded(s)
		if err != nil {
			failed++
		}
		calls += strings.Count(strings.Join(partTypes(parts), " "), "tool-call")
	}
	if failed < rounds/8 || failed > rounds*7/8 || calls < rounds/2 {
		t.Errorf("%d of %d streams failed, and %d calls: the sequences are not of all kinds",
			failed, rounds, calls)
	}
}

// Chunks of random parts: calls of all kinds and their results, repeated ids and ids that other
// calls are given, signed text in the middle, and an id, model and time that arrive late.
func TestAnySequenceOfPartsIsAWellFormedStream(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	seen := map[string]int{}
	rounds := 600
	if testing.Short() {
		rounds /= 20
	}
	for range rounds {
		chunks := randomChunks(random)
		s := recordedStream{chunks: decodeChunks(t, chunks...)}
		checkStreamOfChunks(t, s)
		checkComplete(t, strings.Join(chunks, "\n"), encodeChunks(t, s.chunks), nil, 4)
		parts, _, _ := mapRecorded(s)
		countKinds(parts, seen)
		if t.Failed() {
			t.Fatalf("%s", strings.Join(chunks, "\n"))
		}
	}
	for _, kind := range []string{"of the server", "of the client", "renamed", "stop", "tool-calls",
		"late identity", "signed in the middle"} {
		if seen[kind] < rounds/30 {
			t.Errorf("only %d streams or parts are %s", seen[kind], kind)
		}
	}
}

// countKinds counts features that few streams have.
func countKinds(parts []aisdkapi.Part, seen map[string]int) {
	text, metadata := false, 0
	for _, part := range parts {
		switch p := part.(type) {
		case aisdkapi.ToolCall:
			switch {
			case p.ProviderExecuted == nil:
				seen["of the client"]++
			case !strings.HasPrefix(p.ToolName, "server:") && p.ToolName != "code_execution":
				seen["of the server"]++
			}
			if memberText(p.ProviderMetadata["google"], "toolCallId") != "" {
				seen["renamed"]++
			}
		case aisdkapi.TextDelta:
			if text && p.Delta != "" && signatureIn(p.ProviderMetadata) != "" {
				seen["signed in the middle"]++
			}
			text = true
		case aisdkapi.ResponseMetadata:
			if metadata++; metadata == 2 {
				seen["late identity"]++
			}
		case aisdkapi.Finish:
			seen[string(p.FinishReason.Unified)]++
		}
	}
}

// randomChunks returns chunks of random parts. Most of them end properly.
func randomChunks(random *rand.Rand) (out []string) {
	for range random.IntN(6) {
		var parts []string
		for range random.IntN(5) {
			parts = append(parts, randomPart(random))
		}
		chunk := strings.TrimSuffix(chunkOf(parts...), "}")
		created := pick(random, `"2026-02-03T04:05:06Z"`, `"0001-01-01T00:00:00Z"`, `"soon"`)
		for _, member := range []string{`"responseId":"r1"`, `"modelVersion":"m"`,
			`"createTime":` + created} {
			if random.IntN(5) == 0 {
				chunk += "," + member
			}
		}
		out = append(out, chunk+"}")
	}
	if random.IntN(8) > 0 {
		out = append(out, stop)
	}
	return out
}

func pick(random *rand.Rand, values ...string) string { return values[random.IntN(len(values))] }

// randomPart returns a part, signed or not.
func randomPart(random *rand.Rand) string {
	id := pick(random, ``, ``, `"id":"x",`, `"id":"y",`, `"id":"x-2",`, `"id":"call-0-0",`,
		`"id":"call-0-1",`)
	name := `"name":"` + pick(random, "m", "m", "o") + `"`
	tool := pick(random, ``, `,"toolType":"A"`, `,"toolType":"B"`)
	n := strconv.Itoa(random.IntN(3))
	signature := pick(random, ``, ``, `,"thoughtSignature":"s`+n+`"`)
	return `{` + pick(random,
		`"text":"A"`, `"text":"B"`, `"text":"C"`,
		`"text":"`+pick(random, "", "A", "B")+`"`,
		`"text":"hm","thought":true`,
		`"functionCall":{`+id+name+`,"args":{"n":`+n+`}}`,
		`"functionCall":{`+id+name+`}`,
		`"functionCall":{`+id+name+`,"willContinue":true}`,
		`"functionCall":{"partialArgs":[{"jsonPath":"$.n","numberValue":`+n+
			`}],"willContinue":true}`,
		`"functionCall":{}`,
		`"functionResponse":{`+id+name+`,"response":{"n":`+n+`}}`,
		`"functionResponse":{`+id+`"response":{"error":`+n+`}}`,
		`"executableCode":{`+id+`"code":"`+n+`"}`,
		`"codeExecutionResult":{`+id+`"output":"`+n+`"}`,
		`"toolCall":{`+id+`"args":{"n":`+n+`}`+tool+`}`,
		`"toolResponse":{`+id+`"response":{"n":`+n+`}`+tool+`}`,
		`"inlineData":{"mimeType":"image/png","data":"aW1n"}`,
		`"hologram":`+n,
	) + signature + `}`
}

func partTypes(parts []aisdkapi.Part) (out []string) {
	for _, part := range parts {
		out = append(out, string(part.PartType()))
	}
	return out
}
