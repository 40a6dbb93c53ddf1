package openai

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/told"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
)

// withSources returns the candidate of a chunk with the sources that its supports count: its own, or
// those of all chunks so far if it has none or they count beyond them.
func (c *candidateNotes) withSources(candidate *normalize.Candidate) *normalize.Candidate {
	if candidate.Grounding == nil || !told.CountsBeyond(candidate.Grounding.Wire) {
		return candidate
	}
	grounding := *candidate.Grounding
	grounding.Sources, grounding.Supports = c.read, slices.Clone(grounding.Supports)
	for i := range grounding.Supports {
		counted := slices.Clone(grounding.Wire.GroundingSupports[i].GroundingChunkIndices)
		grounding.Supports[i].Sources = slices.DeleteFunc(counted, func(source int) bool {
			return source < 0 || source >= len(c.read)
		})
	}
	out := *candidate
	out.Grounding = &grounding
	return &out
}

// addSources notes the grounding of a chunk. It reports the supports that count the chunk's own
// sources, if these are in other places among the sources of all chunks.
func (c *candidateNotes) addSources(at place, grounding *normalize.Grounding, report *transform.Report) {
	if grounding == nil {
		return
	}
	wire := grounding.Wire
	c.grounding = append(c.grounding, chunkRecord[geminiapi.GroundingMetadata]{at, wire})
	positions := c.sources.Add(wire.GroundingChunks)
	for i := range grounding.Sources {
		index := i
		if positions != nil {
			index = positions[i]
		}
		if index == len(c.read) { // else it repeats one
			c.read = append(c.read, grounding.Sources[i])
		}
	}
	for member := range told.Moved(wire, positions) {
		report.Add(transform.Approximated, pointer(at.candidate, member), told.DetailAllSources)
	}
}
