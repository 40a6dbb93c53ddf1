package normalize_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/internal/test/corpustest"
	jsonleaf "github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
)

// superseded has the members of a chunk that may be missing in the events, with the member of a
// later chunk that replaces each.
var superseded = []struct{ pointer, by string }{
	{"/usageMetadata/", "usageMetadata"}, // running totals; an event has those that changed
	{"/finishReason/", "finishReason"},
	{"/finishMessage/", "finishMessage"},
	{"/content/role/", "role"},
	// the last piece, instead of a piece without content after it
	{"/functionCall/willContinue/", "functionCall"},
}

func TestNothingOfARecordedStreamIsLost(t *testing.T) {
	t.Parallel()
	changed, replaced := 0, 0
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		bodies := chunkBodies(p.Read(t))
		size := len(bytes.Join(bodies, nil))
		if size == 0 {
			continue
		}
		before := visibleStream(t, bodies)
		perChunk := jsonleaf.Enough(min(max(1<<19/size/len(bodies), 2), 40))
		for i, body := range bodies {
			leaves, err := jsonleaf.All(body)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range jsonleaf.Sample(leaves, perChunk) {
				other := slices.Clone(bodies)
				other[i] = l.Change(body)
				changed++
				if visibleStream(t, other) != before {
					continue
				}
				if replaced++; !isSuperseded(bodies[i+1:], l.Pointer) &&
					!endsBeforeFinish(bodies, l.Pointer) {
					t.Errorf("%s: chunk %d: changing %s changes no event", p.Name, i, l.Pointer)
				}
			}
		}
	}
	t.Logf("%d leaves changed, of which %d are superseded by a later chunk", changed, replaced)
	if changed < corpustest.AtLeast(5_000) {
		t.Errorf("only %d leaves", changed)
	}
}

// The recorded streams have only some members. These chunks have every member of the description,
// so a new member that the code ignores fails the test.
func TestNothingOfTheDescriptionIsLostInAStream(t *testing.T) {
	t.Parallel()
	for name, chunk := range filledResponses() {
		body, err := gemini.EncodeResponse(chunk)
		if err != nil {
			t.Fatal(err)
		}
		_, report := normalize.MergeChunks(chunk)
		before := visibleStream(t, [][]byte{body})
		leaves, err := jsonleaf.All(body)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range jsonleaf.Sample(leaves, jsonleaf.Enough(len(leaves))) {
			isTold := visibleStream(t, [][]byte{l.Change(body)}) != before
			// A call that contradicts itself ends in any case.
			if strings.HasSuffix(l.Pointer, "/functionCall/willContinue") {
				isTold = isTold || report.Covers("/0"+l.Pointer)
			}
			if !isTold {
				t.Errorf("%s: changing %s changes no event", name, l.Pointer)
			}
		}
	}
}

// isSuperseded reports whether a later chunk replaces a member.
func isSuperseded(later [][]byte, pointer string) bool {
	for _, member := range superseded {
		if !strings.Contains(pointer+"/", member.pointer) {
			continue
		}
		for _, body := range later {
			if bytes.Contains(body, []byte(`"`+member.by+`"`)) {
				return true
			}
		}
	}
	return false
}

// endsBeforeFinish reports whether the stream fails before the finish event that would report the
// member.
func endsBeforeFinish(bodies [][]byte, pointer string) bool {
	return (strings.HasSuffix(pointer, "/content/role") || strings.HasSuffix(pointer, "/index")) &&
		!bytes.Contains(bytes.Join(bodies, nil), []byte(`"finishReason"`))
}

// chunkBodies returns the JSON of the chunks of a stream.
func chunkBodies(body []byte) [][]byte {
	var out [][]byte
	reader := gemini.NewStreamReader(bytes.NewReader(body))
	for {
		if _, err := reader.Next(); err != nil {
			return out
		}
		out = append(out, bytes.Clone(reader.Bytes()))
	}
}

// visibleStream is all that a caller can see of a stream.
func visibleStream(t testing.TB, bodies [][]byte) string {
	t.Helper()
	var s stream
	for _, body := range bodies {
		chunk, err := gemini.DecodeResponse(body)
		if err != nil {
			s.err = err
			break
		}
		s.chunks = append(s.chunks, chunk)
	}
	var b strings.Builder
	for e := range normalize.Events(s.all, fixedIDs) {
		line, err := normalize.EncodeEvent(&e)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
	}
	return b.String()
}
