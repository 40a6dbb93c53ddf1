package clients_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/google/go-cmp/cmp"
)

// exampleStreams returns the names of the example streams, and their contents.
func exampleStreams(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(repository, "examples", "payloads", "stream-*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no example streams: %v", err)
	}
	examples := map[string][]byte{}
	for _, path := range paths {
		examples[filepath.Base(path)] = readFile(t, path)
	}
	return examples
}

// chunksOf returns the chunks of a stream up to an error in it.
func chunksOf(body []byte) []*geminiapi.GenerateContentResponse {
	var chunks []*geminiapi.GenerateContentResponse
	for chunk, err := range gemini.NewStreamReader(bytes.NewReader(body)).All() {
		if err == nil {
			chunks = append(chunks, chunk)
		}
	}
	return chunks
}

func TestTheReadmeListsTheExampleStreams(t *testing.T) {
	t.Parallel()
	readme := string(readFile(t, repository, "examples", "payloads", "README.md"))
	listed, there := map[string]bool{}, map[string]bool{}
	for _, match := range regexp.MustCompile(
		"(?m)^\\| `(stream-[^`]+)` \\|").FindAllStringSubmatch(readme, -1) {
		listed[match[1]] = true
	}
	for name := range exampleStreams(t) {
		there[name] = true
	}
	if diff := cmp.Diff(there, listed); diff != "" {
		t.Errorf("(- there, + listed) %s", diff)
	}
}

func TestExampleEventsAreFramedAsTheAPIFramesThem(t *testing.T) {
	t.Parallel()
	for name, body := range exampleStreams(t) {
		if filepath.Ext(name) != ".sse" {
			continue
		}
		if bare := strings.ReplaceAll(string(body), "\r\n", ""); strings.ContainsAny(bare, "\r\n") {
			t.Errorf("%s has lines that do not end with CR LF", name)
		}
		// the error of stream-error.sse is no event
		events, _, _ := bytes.Cut(body, []byte("\r\n{"))
		for _, event := range bytes.Split(bytes.TrimRight(events, "\r\n"), []byte("\r\n\r\n")) {
			if !bytes.HasPrefix(event, []byte("data: {")) || bytes.Contains(event, []byte("\n")) {
				t.Errorf("%s: not one line of data: %q", name, event)
			}
		}
	}
}

func TestTokenCountsOfTheExampleStreamsAddUp(t *testing.T) {
	t.Parallel()
	for name, body := range exampleStreams(t) {
		for i, chunk := range chunksOf(body) {
			usage := chunk.UsageMetadata
			if usage.TotalTokenCount == nil {
				continue // Vertex AI counts in the last chunk only
			}
			sum := 0
			for _, count := range []*int{usage.PromptTokenCount, usage.CandidatesTokenCount,
				usage.ThoughtsTokenCount, usage.ToolUsePromptTokenCount} {
				if count != nil {
					sum += *count
				}
			}
			if sum != *usage.TotalTokenCount {
				t.Errorf("%s: the counts of chunk %d add up to %d, the total is %d", name, i, sum,
					*usage.TotalTokenCount)
			}
		}
	}
}

// The offsets count bytes of the text of all chunks, as Google's do.
func TestGroundingSegmentsOfTheExampleStreamAreTheBytesOfItsText(t *testing.T) {
	t.Parallel()
	body := exampleStreams(t)["stream-grounded.sse"]
	text := readPlain(body).Candidates[0].Text
	chunks := chunksOf(body)
	supports := chunks[len(chunks)-1].Candidates[0].GroundingMetadata.GroundingSupports
	if len(supports) < 3 {
		t.Errorf("only %d supports", len(supports))
	}
	for _, support := range supports {
		start := 0
		if support.Segment.StartIndex != nil {
			start = *support.Segment.StartIndex
		}
		if got := text[start:*support.Segment.EndIndex]; got != *support.Segment.Text {
			t.Errorf("bytes %q, segment %q", got, *support.Segment.Text)
		}
	}
}

func TestOneExampleStreamEndsInAnErrorAndOneWasRefused(t *testing.T) {
	t.Parallel()
	for name, body := range exampleStreams(t) {
		got := readPlain(body)
		if wants := name == "stream-error.sse"; wants != (got.Failure != "") {
			t.Errorf("%s: failure %q", name, got.Failure)
		}
		if wants := name == "stream-blocked.sse"; wants != (got.Blocked != "") {
			t.Errorf("%s: blocked %q", name, got.Blocked)
		}
	}
}
