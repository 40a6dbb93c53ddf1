package openai

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
)

// withSources returns the candidate of a chunk with the sources that its supports count: its own, or
// those of all chunks so far if it has none or they count beyond them.
func (c *candidateNotes) withSources(candidate *normalize.Candidate, wire *geminiapi.GroundingMetadata) *normalize.Candidate {
	if wire == nil || !countsBeyond(wire) {
		return candidate
	}
	grounding := *wire
	grounding.GroundingChunks = c.sources
	in, err := normalize.FromResponse(&geminiapi.GenerateContentResponse{Candidates: []geminiapi.Candidate{{GroundingMetadata: &grounding}}})
	if err != nil {
		return candidate // never: there is nothing to be wrong with
	}
	out := *candidate
	out.Grounding = in.Candidates[0].Grounding
	return &out
}

// addSources notes the grounding of a chunk. It reports the supports that count the chunk's own
// sources, if these are in other places among the sources of all chunks.
func (c *candidateNotes) addSources(at place, wire *geminiapi.GroundingMetadata, report *transform.Report) {
	if wire == nil {
		return
	}
	c.grounding = append(c.grounding, chunkRecord[geminiapi.GroundingMetadata]{at, wire})
	c.sources = joinSources(c.sources, wire.GroundingChunks)
	if len(wire.GroundingSupports) == 0 || countsBeyond(wire) || isPrefix(wire.GroundingChunks, c.sources) {
		return
	}
	for i := range wire.GroundingSupports {
		if len(wire.GroundingSupports[i].GroundingChunkIndices) > 0 {
			member := "/groundingMetadata/groundingSupports/" + strconv.Itoa(i) + "/groundingChunkIndices"
			report.Add(transform.Approximated, pointer(at.candidate, member), "the sources of all chunks are counted")
		}
	}
}

// joinSources adds the sources of a chunk to those of the chunks before.
func joinSources(before, more []geminiapi.GroundingChunk) []geminiapi.GroundingChunk {
	var chunks [2]geminiapi.GenerateContentResponse
	for i, sources := range [2][]geminiapi.GroundingChunk{before, more} {
		chunks[i].Candidates = []geminiapi.Candidate{{GroundingMetadata: &geminiapi.GroundingMetadata{GroundingChunks: sources}}}
	}
	return normalize.MergeChunks(&chunks[0], &chunks[1]).Candidates[0].GroundingMetadata.GroundingChunks
}

func isPrefix(some, all []geminiapi.GroundingChunk) bool {
	if len(some) > len(all) {
		return false
	}
	for i := range some {
		if string(encoded(&some[i])) != string(encoded(&all[i])) {
			return false
		}
	}
	return true
}

func countsBeyond(g *geminiapi.GroundingMetadata) bool {
	for i := range g.GroundingSupports {
		for _, source := range g.GroundingSupports[i].GroundingChunkIndices {
			if source < 0 || source >= len(g.GroundingChunks) {
				return true
			}
		}
	}
	return false
}
