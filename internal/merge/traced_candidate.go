package merge

import (
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/pkg/report"
)

// TracedCandidate is a [Candidate] that knows the locations of its members, and reports members
// that are replaced. The zero value is a candidate without members.
type TracedCandidate struct {
	Candidate
	provenance provenance
	isOpen     bool           // content came after the finish reason so far
	first      [2]memberValue // what provenance keeps as long as it is enough: an author and an end
}

// Add adds everything in a chunk about the candidate except for the parts. It reports the replaced
// values in the log.
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

// isContinuedBy reports whether a chunk has content after the finish reason so far, and no finish
// reason of its own. Gemini ends rounds of code execution with STOP in the middle of a stream.
func (c *TracedCandidate) isContinuedBy(chunk *geminiapi.Candidate) bool {
	if !c.IsFinished() || chunk.Content == nil || chunk.FinishReason != nil {
		return false
	}
	return slices.ContainsFunc(chunk.Content.Parts, func(p geminiapi.Part) bool {
		isEmptyText := textRun(&p) != NoRun && *p.Text == ""
		return !isEmptyText && !givesNoBlock(&p)
	})
}

// AddWithoutLists is like [TracedCandidate.Add], but does not keep growing lists. It keeps the
// sources, because supports of later chunks may refer to them.
func (c *TracedCandidate) AddWithoutLists(chunk *geminiapi.Candidate, log *Log, at Location) {
	if hasLists(chunk) {
		c.grownLists().origins.isUnwanted = true
	}
	c.Add(withoutLists(chunk), log, at)
	if chunk.GroundingMetadata != nil {
		c.grownLists().addSources(&c.provenance, chunk.GroundingMetadata)
	}
}

// LeaveOut reports the members of a part that is left out. Such a part has almost none.
func (c *TracedCandidate) LeaveOut(part *geminiapi.Part, log *Log, at Location) {
	c.provenance.log, c.provenance.at = log, at
	switch {
	case part.FunctionCall != nil && part.FunctionCall.WillContinue != nil:
		c.provenance.report("/functionCall/willContinue", detailPieces)
	case jsonx.Deref(part.Thought):
		c.provenance.report("", detailLeftOut)
	}
}

// End returns the location of the finish reason, or no location if it has none.
func (c *TracedCandidate) End() Location {
	if m := c.provenance.member(memberFinishReason); m != nil && m.value != "" {
		return m.locations.latest()
	}
	return Location{}
}

// LoseEnd reports as lost all values that wait for the end of the candidate, because the end is
// missing. The author is not lost: readers who join the events assume the model as the author.
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

// modelRole is the author of all content of a model's answer.
const modelRole = "model"
