package answercheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// grounding checks that supports cite existing chunks and text.
func (c *checker) grounding(at string, candidate *geminiapi.Candidate) {
	g := candidate.GroundingMetadata
	for i := range g.GroundingChunks {
		if kinds := kindsOf(&g.GroundingChunks[i]); len(kinds) > 1 {
			c.report(element(at+"/groundingMetadata/groundingChunks", i), ruleOneMember,
				"must hold one of "+strings.Join(kinds, " and "))
		}
	}
	for i := range g.GroundingSupports {
		support := &g.GroundingSupports[i]
		in := element(at+"/groundingMetadata/groundingSupports", i)
		if n := len(support.ConfidenceScores); n > 0 && n != len(support.GroundingChunkIndices) {
			c.report(in+"/confidenceScores", ruleLength, fmt.Sprintf(
				"must have %d elements, one for each of groundingChunkIndices",
				len(support.GroundingChunkIndices)))
		}
		if support.Segment != nil {
			c.segment(in+"/segment", support.Segment)
		}
		if c.isWhole {
			c.cited(in, support, len(g.GroundingChunks))
			c.segmentWithin(in+"/segment", support.Segment, candidate.Content)
		}
	}
}

// kindsOf names the kinds of sources in a chunk.
func kindsOf(chunk *geminiapi.GroundingChunk) (names []string) {
	for _, kind := range []struct {
		name  string
		isSet bool
	}{
		{"web", chunk.Web != nil}, {"retrievedContext", chunk.RetrievedContext != nil},
		{"maps", chunk.Maps != nil}, {"image", chunk.Image != nil},
	} {
		if kind.isSet {
			names = append(names, kind.name)
		}
	}
	return names
}

// cited checks that a support cites existing sources.
func (c *checker) cited(at string, support *geminiapi.GroundingSupport, chunks int) {
	for i, index := range support.GroundingChunkIndices {
		if slices.Contains(support.GroundingChunkIndices[:i], index) {
			c.number(element(at+"/groundingChunkIndices", i), ruleUnique, index,
				"must differ from any earlier index")
		}
		if index >= chunks {
			c.number(element(at+"/groundingChunkIndices", i), ruleWithin, index, fmt.Sprintf(
				"must be less than %d, the number of groundingChunks", chunks))
		}
	}
}

// segment checks a segment by itself. Its text is the bytes from its start to its end.
func (c *checker) segment(at string, s *geminiapi.Segment) {
	start, end := jsonx.Deref(s.StartIndex), jsonx.Deref(s.EndIndex)
	switch {
	case start > end:
		c.number(at+"/endIndex", ruleOrder, end,
			fmt.Sprintf("must be at least %d, the startIndex", start))
	case s.Text != nil && len(*s.Text) != end-start:
		c.report(at+"/text", ruleLength,
			fmt.Sprintf("must have %d bytes, from startIndex to endIndex", end-start))
	}
}

// segmentWithin checks that a segment of a whole answer is within the text of its part. The text at
// that range may differ from the segment's text: recorded answers with URL context count from 1.
func (c *checker) segmentWithin(at string, s *geminiapi.Segment, content *geminiapi.Content) {
	if s == nil || content == nil {
		return
	}
	part, end := jsonx.Deref(s.PartIndex), jsonx.Deref(s.EndIndex)
	switch {
	case part < 0: // reported by the table
	case part >= len(content.Parts):
		c.partWithin(at, part, len(content.Parts))
	default:
		c.endWithin(at, end, len(jsonx.Deref(content.Parts[part].Text)))
	}
}

// partWithin reports a segment whose part is missing.
func (c *checker) partWithin(segment string, part, parts int) {
	c.number(segment+"/partIndex", ruleWithin, part,
		fmt.Sprintf("must be less than %d, the number of parts", parts))
}

// endWithin checks the end of a segment against the number of bytes of the text.
func (c *checker) endWithin(segment string, end, length int) {
	if end > length {
		c.number(segment+"/endIndex", ruleWithin, end,
			fmt.Sprintf("must be at most %d, the number of bytes of the text", length))
	}
}
