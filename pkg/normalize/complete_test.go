package normalize_test

import (
	"testing"

	"github.com/gemwire/gemwire/gen/geminiapi"
	jsonleaf "github.com/gemwire/gemwire/internal/test/leaftest"
	"github.com/gemwire/gemwire/pkg/gemini"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/google/go-cmp/cmp"
)

// The corpus has only recorded values. These responses have every member of the description, so a
// new member that the code ignores fails the test.
func TestNothingOfTheDescriptionIsLost(t *testing.T) {
	t.Parallel()
	total, limit := 0, 1<<40
	if testing.Short() {
		limit = 1 << 16
	}
	for name, r := range filledResponses() {
		data, err := gemini.EncodeResponse(r)
		if err != nil {
			t.Fatal(err)
		}
		total += everyLeafShows(t, name, data, limit)
	}
	if total < 2000 && !testing.Short() {
		t.Errorf("only %d leaves: the responses are not filled", total)
	}
}

// filledResponses returns responses that have all members. For each member of a part it returns two
// more: with only this member, and with all others.
func filledResponses() map[string]*geminiapi.GenerateContentResponse {
	out := map[string]*geminiapi.GenerateContentResponse{"blocked": {}, "everything": {},
		"known members": {}}
	for _, r := range out {
		jsonleaf.Fill(r)
	}
	out["everything"].PromptFeedback.BlockReason = nil
	out["known members"].PromptFeedback.BlockReason = nil
	jsonleaf.Clear(out["known members"], "Unknown") // which keeps copies in Extra alive
	for name, part := range jsonleaf.FillEach[geminiapi.Part]() {
		out[name] = &geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{
			Content: &geminiapi.Content{Parts: []geminiapi.Part{part}},
		}}}
	}
	return out
}

func TestTheMetadataOfACandidateEqualsTheWireMetadata(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"everything", "known members"} {
		wire := filledResponses()[name]
		in, err := normalize.FromResponse(wire)
		if err != nil {
			t.Fatal(err)
		}
		want := wire.Candidates[0]
		want.Content.Parts = nil
		want.Index = nil // Candidate.Index is it
		if diff := cmp.Diff(&want, in.Candidates[0].WireMetadata()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	empty := (&normalize.Candidate{}).WireMetadata()
	if !empty.IsEmpty() {
		t.Errorf("of nothing: %v", empty)
	}
}
