package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/corpustest"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/internal/test/openaitest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/report"
	"github.com/gemwire/gemwire/pkg/transform/chat"
)

// streamModes are the forms of the output of a stream.
var streamModes = map[string][]chat.Option{
	"with usage":                        {chat.WithUsage()},
	"without usage":                     nil,
	"without extensions":                {chat.WithUsage(), chat.WithoutExtensions()},
	"without usage, without extensions": {chat.WithoutExtensions()},
}

func TestNothingOfARecordedStreamIsLostSilently(t *testing.T) {
	t.Parallel()
	most := leaftest.Enough(40)
	for _, p := range corpustest.Payloads(t, corpustest.Stream) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			wire, failure := openaitest.ReadStream(p.Read(t))
			if failure != nil {
				return // the error reports the missing value
			}
			for name, opts := range streamModes {
				checkStreamComplete(t, name, encodeAll(t, wire), most, opts...)
			}
		})
	}
}

// encodeAll returns chunks in canonical form, with the member names of reports.
func encodeAll(t testing.TB, wire []*geminiapi.GenerateContentResponse) []string {
	t.Helper()
	var out []string
	for _, c := range wire {
		data, err := gemini.EncodeResponse(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(data))
	}
	return out
}

// checkStreamComplete changes each value of the stream's chunks in turn, up to a limit, like
// checkComplete.
func checkStreamComplete(t testing.TB, name string, bodies []string, most int,
	opts ...chat.Option) {
	t.Helper()
	leaves, err := leaftest.AllOfChunks(bodies)
	if err != nil {
		t.Fatal(err)
	}
	before, report := visibleStream(openaitest.DecodeAll(t, bodies), opts...)
	checkPointers(t, name, []byte("["+strings.Join(bodies, ",")+"]"), report)
	stream := []byte("[" + strings.Join(bodies, ",") + "]")
	wire := openaitest.DecodeAll(t, bodies)
	for _, l := range leaftest.Sample(leaves, most) {
		changedChunk, err := gemini.DecodeResponse(l.Change([]byte(bodies[l.Chunk])))
		if err != nil {
			continue // what cannot be read is not lost silently
		}
		original := wire[l.Chunk]
		wire[l.Chunk] = changedChunk
		after, changed := visibleStream(wire, opts...)
		wire[l.Chunk] = original
		pointer := fmt.Sprintf("/%d%s", l.Chunk, l.Pointer)
		if strings.HasSuffix(pointer, "/index") &&
			len(openaitest.Accumulate(convertStream(t, wire, nil, opts...).chunks).Choices) > 1 {
			continue // it says whose delta this is, and there may be none, or both have the same
		}
		if after == before && !tells(report, pointer) && !tells(changed, pointer) &&
			!leaftest.IsRunningTotal(stream, pointer) {
			t.Errorf("%s: %s is lost silently", name, pointer)
		}
	}
}

// visibleStream returns what a client sees of a stream.
func visibleStream(wire []*geminiapi.GenerateContentResponse, opts ...chat.Option) (string,
	report.Report) {
	var out strings.Builder
	report, err := chat.WriteStream(&out, openaitest.Pairs(wire, nil), opts...)
	if err != nil {
		fmt.Fprintln(&out, err)
	}
	return out.String(), report
}

// The recorded streams have only recorded values. These have every member of the description twice
// with different values, so a new member that the conversion ignores fails the test.
func TestNothingOfTheDescriptionIsLostSilentlyInAStream(t *testing.T) {
	t.Parallel()
	for name, wire := range filledStreams() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for mode, opts := range streamModes {
				checkStreamComplete(t, mode, encodeAll(t, wire), leaftest.Enough(1<<30), opts...)
			}
		})
	}
}

// filledStreams returns streams of filled chunks, whole and with their parts one by one.
func filledStreams() map[string][]*geminiapi.GenerateContentResponse {
	out := map[string][]*geminiapi.GenerateContentResponse{}
	out["whole chunks"], out["a refusal"], out["chunks without unknown members"] = twoChunks(),
		twoChunks(), twoChunks()
	for i := range 2 {
		leaftest.Clear(out["chunks without unknown members"][i], "Unknown")
		out["a refusal"][i].Candidates = nil
		for _, name := range []string{"whole chunks", "chunks without unknown members"} {
			out[name][i].PromptFeedback.BlockReason = nil
			c := &out[name][i].Candidates[0]
			c.Index, c.Content.Parts = new(0), []geminiapi.Part{{Text: new(fmt.Sprint("part ", i))}}
			c.GroundingMetadata.GroundingSupports[0].GroundingChunkIndices[0] = 0
			*c.URLContextMetadata.URLMetadata[0].URLRetrievalStatus = geminiapi.URLRetrievalStatusSuccess
		}
	}
	for name, part := range filledParts() {
		out[name] = []*geminiapi.GenerateContentResponse{
			{Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{{Text: new("a")}, part}}}}},
			{Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{part}}, FinishReason: new(geminiapi.FinishReasonStop)}}},
		}
	}
	return out
}

// twoChunks returns chunks with equal member names and different values.
func twoChunks() []*geminiapi.GenerateContentResponse {
	first, second := leaftest.Pair[geminiapi.GenerateContentResponse]()
	return []*geminiapi.GenerateContentResponse{first, second}
}
