package aisdk_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/transform"
	"github.com/gemwire/gemwire/pkg/transform/aisdk"
)

// FuzzMapGemini: whatever a reader makes of the bytes, its parts are a well-formed stream in both
// versions, say what the accumulated response says, and lose none of some leaves silently.
func FuzzMapGemini(f *testing.F) {
	for _, chunks := range allChunks() {
		f.Add([]byte(strings.Join(chunks, "\n")))
	}
	inputs, err := filepath.Glob(filepath.Join("testdata", "gemini", "*.sse"))
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
	for _, cases := range [][]geminiCase{textCases, callCases, executedCases, fileCases, responseCases} {
		for _, c := range cases {
			out = append(out, c.chunks)
		}
	}
	return append(out, []string{groundedChunk, groundedChunk})
}

func checkStreamOfChunks(t testing.TB, s recordedStream) {
	t.Helper()
	for version, opts := range versions {
		var report transform.Report
		parts, err := mapRecorded(s, append(opts, aisdk.WithGeminiReport(&report))...)
		v4 := version == "V4"
		checkGrammar(t, parts, v4)
		checkEnd(t, parts, err, v4)
		checkContent(t, s, parts)
		for _, chunk := range s.chunks {
			if _, err := gemini.EncodeResponse(chunk); err != nil {
				return // a name in another case beside the right one
			}
		}
		checkReport(t, s, report)
	}
}

// Chunks of all kinds in any order make well-formed streams too; the fuzzer's mutations seldom do.
func TestAnySequenceOfChunksIsAWellFormedStream(t *testing.T) {
	t.Parallel()
	pool := slices.Concat(allChunks()...)
	random := rand.New(rand.NewPCG(3, 4))
	failed, calls := 0, 0
	for range 400 {
		var chunks []string
		for range random.IntN(12) {
			chunks = append(chunks, pool[random.IntN(len(pool))])
		}
		s := recordedStream{chunks: decodeChunks(t, chunks...)}
		checkStreamOfChunks(t, s)
		checkComplete(t, strings.Join(chunks, "\n"), encodeChunks(t, s.chunks), nil, 10)
		parts, err := mapRecorded(s)
		if err != nil {
			failed++
		}
		calls += strings.Count(strings.Join(partTypes(parts), " "), "tool-call")
	}
	if failed < 50 || failed > 350 || calls < 200 {
		t.Errorf("%d of 400 streams failed, and %d calls: the sequences are not of all kinds", failed, calls)
	}
}

func partTypes(parts []aisdk.Part) (out []string) {
	for _, part := range parts {
		out = append(out, string(part.PartType()))
	}
	return out
}
