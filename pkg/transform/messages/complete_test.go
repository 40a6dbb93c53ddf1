package messages_test

import (
	"fmt"
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
)

// The corpus has only recorded values. These responses have every member of the description, so a
// new member that the conversion ignores fails the test.
func TestNothingOfTheDescriptionIsLostSilently(t *testing.T) {
	t.Parallel()
	tests := map[string]*geminiapi.GenerateContentResponse{"a refused prompt": {}, "all": {},
		"all but unknown members": {}}
	for _, r := range tests {
		leaftest.Fill(r)
	}
	tests["all"].PromptFeedback.BlockReason = nil
	tests["all but unknown members"].PromptFeedback.BlockReason = nil
	// the whole record is often kept with them
	leaftest.Clear(tests["all but unknown members"], "Unknown")
	usable := *tests["all"]
	usable.Candidates = []geminiapi.Candidate{usableCandidate()}
	tests["with sources that can be converted"] = &usable
	for name, part := range leaftest.FillEach[geminiapi.Part]() {
		tests[name] = &geminiapi.GenerateContentResponse{
			Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{part}}}},
		}
		tests[name+", after a text"] = &geminiapi.GenerateContentResponse{
			Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{{Text: new("a")},
				part}}}},
		}
	}
	for name, r := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire, err := gemini.EncodeResponse(r)
			if err != nil {
				t.Fatal(err)
			}
			for mode, opts := range modes {
				checkComplete(t, mode, wire, leaftest.Enough(1<<30), opts...)
			}
		})
	}
}

// usableCandidate is a filled candidate with valid indices, so that sources become citations.
func usableCandidate() geminiapi.Candidate {
	var c geminiapi.Candidate
	leaftest.Fill(&c)
	support := &c.GroundingMetadata.GroundingSupports[0]
	support.GroundingChunkIndices[0] = 0
	*support.Segment = geminiapi.Segment{StartIndex: new(0), EndIndex: new(4), Text: new("text")}
	c.Content.Parts = []geminiapi.Part{{Text: new("text of an answer")}}
	return c
}

// The recorded streams have only recorded values. These have every member of the description twice,
// with different values.
func TestNothingOfTheDescriptionIsLostSilentlyInAStream(t *testing.T) {
	t.Parallel()
	for name, wire := range filledStreams() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for mode, opts := range modes {
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
		}
	}
	for name, part := range leaftest.FillEach[geminiapi.Part]() {
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
