package merge

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// TracedCandidate is a [Candidate] that knows where its members were said, and reports those that
// are replaced. The zero value is one of which nothing was said.
type TracedCandidate struct {
	Candidate
	provenance provenance
	isOpen     bool           // content came after the finish reason so far
	first      [2]memberValue // what provenance keeps as long as it is enough: an author and an end
}

// Add adds all that a chunk says of the candidate but the parts, and reports in the log what that
// replaces.
func (c *TracedCandidate) Add(chunk *geminiapi.Candidate, log *Log, at Location) {
	if c.provenance.members == nil {
		c.provenance.members = c.first[:0]
	}
	c.provenance.log, c.provenance.at = log, at
	if c.isContinuedBy(chunk) {
		c.provenance.supersede(memberFinishReason, detailContinued)
		c.isOpen = true
	} else if chunk.FinishReason != nil && !isUnspecified(*chunk.FinishReason) {
		c.isOpen = false
	}
	c.merge(&c.provenance, chunk)
}

// HasEnded reports whether the candidate has a finish reason and no content came after it.
func (c *TracedCandidate) HasEnded() bool { return c.IsFinished() && !c.isOpen }

// isContinuedBy reports whether a chunk has content that the finish reason so far does not end, as
// it has none itself. Gemini ends rounds of code execution with STOP in the middle of a stream.
func (c *TracedCandidate) isContinuedBy(chunk *geminiapi.Candidate) bool {
	if !c.IsFinished() || chunk.Content == nil || chunk.FinishReason != nil {
		return false
	}
	return slices.ContainsFunc(chunk.Content.Parts, func(p geminiapi.Part) bool {
		isEmptyText := textRun(&p) != NoRun && *p.Text == ""
		return !isEmptyText && !givesNoBlock(&p)
	})
}

// AddWithoutLists adds what [TracedCandidate.Add] does but for the lists that only grow. Of these
// it keeps the sources, as the supports of later chunks may count them.
func (c *TracedCandidate) AddWithoutLists(chunk *geminiapi.Candidate, log *Log, at Location) {
	if hasLists(chunk) {
		c.grownLists().origins.isUnwanted = true
	}
	c.Add(withoutLists(chunk), log, at)
	if chunk.GroundingMetadata != nil {
		c.grownLists().addSources(&c.provenance, chunk.GroundingMetadata)
	}
}

// LeaveOut reports what a part says that is left out: next to nothing.
func (c *TracedCandidate) LeaveOut(part *geminiapi.Part, log *Log, at Location) {
	c.provenance.log, c.provenance.at = log, at
	switch {
	case part.FunctionCall != nil && part.FunctionCall.WillContinue != nil:
		c.provenance.report("/functionCall/willContinue", detailPieces)
	case jsonx.Deref(part.Thought):
		c.provenance.report("", detailLeftOut)
	}
}

// End returns where the finish reason was said, no location when it was not.
func (c *TracedCandidate) End() Location {
	if m := c.provenance.member(memberFinishReason); m != nil && m.value != "" {
		return m.locations.latest()
	}
	return Location{}
}

// LoseEnd reports as lost what waits for the end of the candidate, which does not come. Who joins
// the events takes the model for the author even so.
func (c *TracedCandidate) LoseEnd(log *Log) {
	for _, pointer := range []string{memberRole, memberFinishReason, memberFinishMessage} {
		m := c.provenance.member(pointer)
		if m == nil {
			continue
		}
		entry, readers := report.Entry{Pointer: pointer, Kind: report.Lost, Detail: detailNoEnd},
			ForAll
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
