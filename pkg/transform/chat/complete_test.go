package chat_test

import (
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
	for name, part := range filledParts() {
		tests[name] = &geminiapi.GenerateContentResponse{
			Candidates: []geminiapi.Candidate{{Content: &geminiapi.Content{Parts: []geminiapi.Part{part}}}},
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

// usableCandidate is a filled candidate with valid indices, so that sources become annotations and
// log probabilities belong to tokens.
func usableCandidate() geminiapi.Candidate {
	var c geminiapi.Candidate
	leaftest.Fill(&c)
	support := &c.GroundingMetadata.GroundingSupports[0]
	support.GroundingChunkIndices[0] = 0
	*support.Segment = geminiapi.Segment{StartIndex: new(0), EndIndex: new(4), Text: new("text")}
	*c.URLContextMetadata.URLMetadata[0].URLRetrievalStatus = geminiapi.URLRetrievalStatusSuccess
	c.Content.Parts = []geminiapi.Part{{Text: new("text of an answer")}}
	return c
}

// filledParts returns parts with each single member, with all others, and one of each kind of
// media.
func filledParts() map[string]geminiapi.Part {
	out := leaftest.FillEach[geminiapi.Part]()
	for kind, mimeType := range map[string]string{"an image": "image/png", "a sound": "audio/wav",
		"a film": "video/mp4"} {
		var p geminiapi.Part
		leaftest.Fill(&p.InlineData)
		leaftest.Fill(&p.VideoMetadata)
		leaftest.Fill(&p.ThoughtSignature)
		p.InlineData.MIMEType = &mimeType
		out[kind] = p
	}
	return out
}
