package merge

import (
	"strconv"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Candidate has the members of a candidate, without its parts, from the chunks of a stream. The
// zero value is a candidate without any chunk. A candidate must not be copied after the first
// chunk.
type Candidate struct {
	// Wire is the merged candidate. It has no parts.
	Wire geminiapi.Candidate

	content geminiapi.Content // of Wire
	// of Wire; made for the first chunk that has any: most candidates have none
	lists *grownLists
}

// Add adds everything that a chunk contains about the candidate, except for the parts.
func (c *Candidate) Add(chunk *geminiapi.Candidate) { c.merge(&provenance{}, chunk) }

// AddContent adds the members of a chunk's content, except for the parts.
func (c *Candidate) AddContent(chunk *geminiapi.Content) { c.mergeContent(&provenance{}, chunk) }

func (c *Candidate) merge(p *provenance, chunk *geminiapi.Candidate) {
	out := &c.Wire
	if chunk.Index != nil && (out.Index == nil || *chunk.Index < 0) {
		out.Index = chunk.Index // a negative one is odd enough to be kept
		if *chunk.Index < 0 {
			p.replace(memberIndex, strconv.Itoa(*chunk.Index))
		}
	}
	if chunk.Content != nil {
		c.mergeContent(p, chunk.Content)
	}
	mergeFinishReason(p, &out.FinishReason, chunk.FinishReason)
	override(p, memberFinishMessage, &out.FinishMessage, chunk.FinishMessage)
	override(p, "/tokenCount", &out.TokenCount, chunk.TokenCount)
	override(p, "/continuationToken", &out.ContinuationToken, chunk.ContinuationToken)
	override(p, "/avgLogprobs", &out.AvgLogprobs, chunk.AvgLogprobs)
	overrideList(p, "/safetyRatings", &out.SafetyRatings, chunk.SafetyRatings)
	mergeUnknown(p, "", &out.Unknown, chunk.Unknown)
	if hasLists(chunk) {
		c.grownLists().merge(p, out, chunk)
	}
}

func (c *Candidate) grownLists() *grownLists {
	if c.lists == nil {
		c.lists = &grownLists{}
	}
	return c.lists
}

// IsFinished reports whether a chunk has a finish reason for the candidate.
func (c *Candidate) IsFinished() bool {
	return c.Wire.FinishReason != nil && !isUnspecified(*c.Wire.FinishReason)
}

// Sources returns the sources that the chunks list, without repetitions.
func (c *Candidate) Sources() []geminiapi.GroundingChunk {
	if c.lists == nil {
		return nil
	}
	return c.lists.sources.Values()
}

func (c *Candidate) mergeContent(p *provenance, chunk *geminiapi.Content) {
	c.Wire.Content = &c.content
	if jsonx.Deref(chunk.Role) != "" {
		p.replace(memberRole, *chunk.Role)
		c.content.Role = chunk.Role
	}
	mergeUnknown(p, "/content", &c.content.Unknown, chunk.Unknown)
}

// mergeFinishReason replaces a finish reason by a later one, unless the later one has no meaning.
func mergeFinishReason(p *provenance, reason **geminiapi.FinishReason,
	later *geminiapi.FinishReason) {
	switch {
	case later == nil:
	case *reason == nil || !isUnspecified(*later):
		p.replace(memberFinishReason, string(*later))
		*reason = later
	case **reason != *later:
		p.report(memberFinishReason, detailUnspecified)
	}
}

func isUnspecified(reason geminiapi.FinishReason) bool {
	return reason == "" || reason == geminiapi.FinishReasonUnspecified
}
