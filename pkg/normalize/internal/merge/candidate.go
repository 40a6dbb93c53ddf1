package merge

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/pkg/transform"
)

// Candidate is what the chunks of a stream say of a candidate besides its parts. The zero value is one of
// which nothing was said; one of which something was must not be copied.
type Candidate struct {
	// Wire is what the chunks say together. It has no parts.
	Wire geminiapi.Candidate

	content    geminiapi.Content // of Wire
	lists      *grownLists       // of Wire; made for the first chunk that has any: most candidates have none
	provenance provenance
	first      [2]memberValue // what provenance keeps as long as it is enough: an author and an end
}

// Add adds all that a chunk says of the candidate but the parts, and reports in the log what that
// replaces. Nothing is reported of what has no location; the log may be nil then.
func (c *Candidate) Add(chunk *geminiapi.Candidate, log *Log, at Location) {
	c.provenance.log, c.provenance.at = log, at
	if c.provenance.members == nil {
		c.provenance.members = c.first[:0]
	}
	p, out := &c.provenance, &c.Wire
	if chunk.Index != nil && (out.Index == nil || *chunk.Index < 0) {
		out.Index = chunk.Index // a negative one is odd enough to be kept
	}
	if chunk.Content != nil {
		c.addContent(chunk.Content)
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

// AddWithoutLists adds what [Candidate.Add] does but for the lists that only grow. Of these it keeps the
// sources, as the supports of later chunks may count them.
func (c *Candidate) AddWithoutLists(chunk *geminiapi.Candidate, log *Log, at Location) {
	c.Add(withoutLists(chunk), log, at)
	if chunk.GroundingMetadata != nil {
		c.grownLists().addSources(&c.provenance, chunk.GroundingMetadata)
	}
}

func (c *Candidate) grownLists() *grownLists {
	if c.lists == nil {
		c.lists = &grownLists{}
	}
	return c.lists
}

// LeaveOut reports what a part says that is left out: next to nothing.
func (c *Candidate) LeaveOut(part *geminiapi.Part, log *Log, at Location) {
	c.provenance.log, c.provenance.at = log, at
	switch {
	case part.FunctionCall != nil && part.FunctionCall.WillContinue != nil:
		c.provenance.report("/functionCall/willContinue", detailPieces)
	case optional.Value(part.Thought):
		c.provenance.report("", detailLeftOut)
	}
}

// IsFinished reports whether a chunk says why the candidate ended.
func (c *Candidate) IsFinished() bool {
	return c.Wire.FinishReason != nil && !isUnspecified(*c.Wire.FinishReason)
}

// End returns where the finish reason was said, no location when it was not.
func (c *Candidate) End() Location {
	if m := c.provenance.member(memberFinishReason); m != nil && m.value != "" {
		return m.locations.latest()
	}
	return Location{}
}

// Sources returns the sources that the chunks list, without repetitions.
func (c *Candidate) Sources() []geminiapi.GroundingChunk {
	if c.lists == nil {
		return nil
	}
	return c.lists.sources.Values()
}

// LoseEnd reports as lost what waits for the end of the candidate, which does not come. Who joins the
// events takes the model for the author even so.
func (c *Candidate) LoseEnd(log *Log) {
	for _, pointer := range []string{memberRole, memberFinishReason, memberFinishMessage} {
		m := c.provenance.member(pointer)
		if m == nil {
			continue
		}
		entry, readers := transform.Entry{Pointer: pointer, Kind: transform.Lost, Detail: detailNoEnd}, ForAll
		if pointer == memberRole && m.value == modelRole {
			readers = ForEvents
		}
		for _, at := range m.locations.runs() {
			log.addRun(at, entry, readers)
		}
	}
}

// modelRole is the author of all content that models answer with.
const modelRole = "model"

// addContent adds everything but the parts.
func (c *Candidate) addContent(chunk *geminiapi.Content) {
	c.Wire.Content = &c.content
	if optional.Value(chunk.Role) != "" {
		c.provenance.replace(memberRole, *chunk.Role)
		c.content.Role = chunk.Role
	}
	mergeUnknown(&c.provenance, "/content", &c.content.Unknown, chunk.Unknown)
}

// mergeFinishReason replaces a finish reason by a later one, unless that says nothing.
func mergeFinishReason(p *provenance, reason **geminiapi.FinishReason, later *geminiapi.FinishReason) {
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
