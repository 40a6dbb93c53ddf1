package normalize

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/candidatelist"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/gemwire/gemwire/pkg/transform"
)

// MergeChunks makes of the chunks of a stream the response that would have come in one piece. It
// shares memory with the chunks and changes none of them; nil chunks are passed over. It stops at a
// chunk that is an error envelope, with which [FromResponse] then answers.
//
// Candidates are matched by their index and ordered by it; one without an index has the lowest that no
// candidate before it in the chunk has, so usually 0. Their parts follow
// each other; text that is nothing but text continues the text before it if both are answer or both
// are thoughts, so that a signed text stays the part that was signed; a function call whose arguments
// came in pieces becomes one whole call, and keeps willContinue only if the stream ended within it.
// Parts that say nothing are left out.
//
// What came once is kept. What came several times becomes one by these rules:
//
//   - responseId, modelVersion and createTime are those that came first;
//   - of the usage, the last record with counts has all counts, and everything else is kept;
//   - grounding chunks, supports, queries, citations and pages of several chunks are one list
//     without repetitions; log probabilities are continued;
//   - unknown members are those of all chunks;
//   - everything else is what came last, such as the finish reason and the safety ratings.
//
// The response normalises to what [Accumulate] makes of the events of a [Stream].
//
// The report says what of the chunks the response does not say, with JSON pointers into the list of the
// chunks, such as /3/candidates/0/safetyRatings: what another chunk replaced, parts without content,
// pieces of calls, supports whose sources have other positions.
func MergeChunks(chunks ...*geminiapi.GenerateContentResponse) (*geminiapi.GenerateContentResponse, transform.Report) {
	var m merger
	for i, chunk := range chunks {
		if chunk != nil && !m.add(chunk, Location{chunk: int32(i) + 1}) {
			break
		}
	}
	return m.response(), m.log.report(forEvents)
}

// merger is the state of [MergeChunks].
type merger struct {
	responseMerger
	candidates candidatelist.List[candidateMerger]
}

// responseMerger merges all of a response but its candidates.
type responseMerger struct {
	log        reportLog // about the candidates too
	wire       geminiapi.GenerateContentResponse
	usage      usageRecords
	provenance provenance
}

func (m *responseMerger) add(chunk *geminiapi.GenerateContentResponse, at Location) {
	m.provenance.log, m.provenance.at = &m.log, at
	mergeResponse(&m.provenance, &m.wire, chunk)
}

// addUsage adds what a chunk has about the usage, which a chunk that cannot be understood does not change.
func (m *responseMerger) addUsage(wire *geminiapi.UsageMetadata, at Location) {
	m.usage.add(&m.log, at, wire)
	m.wire.UsageMetadata = mergeUsage(m.wire.UsageMetadata, wire)
}

type candidateMerger struct {
	partJoiner
	wire       geminiapi.Candidate // all but the parts
	lists      *grownLists         // of wire
	provenance provenance
	parts      []geminiapi.Part
	text       strings.Builder // of the last part, if it is part of a run of text
	call       *streamedCall   // the last part, if it is a call that continues
}

// add returns false for an error envelope.
func (m *merger) add(chunk *geminiapi.GenerateContentResponse, at Location) bool {
	if envelopeError(chunk) != nil {
		m.wire.Unknown = rawobject.Merge(m.wire.Unknown, chunk.Unknown)
		return false
	}
	m.responseMerger.add(chunk, at)
	m.addUsage(chunk.UsageMetadata, at)
	for i, index := range CandidateIndexes(chunk.Candidates) {
		c := m.candidates.At(index)
		c.provenance.log = &m.log
		c.add(&chunk.Candidates[i], at.InCandidate(i))
	}
	return true
}

func (c *candidateMerger) add(wire *geminiapi.Candidate, at Location) {
	c.provenance.at = at
	mergeCandidate(&c.provenance, &c.wire, wire, &c.lists)
	if wire.Content != nil {
		for i := range wire.Content.Parts {
			c.provenance.at = at.InPart(i)
			c.part(&wire.Content.Parts[i])
		}
	}
}

func (c *candidateMerger) part(p *geminiapi.Part) {
	switch c.join(p) {
	case leaveOut:
		c.provenance.leaveOut(p)
		return
	case beginPart:
		c.endPart(c.call.mayEnd())
		c.parts = append(c.parts, *p)
		if isStreamed(p) {
			c.call = newStreamedCall(c.provenance.log)
		}
	}
	switch {
	case c.call != nil:
		c.call.add(p, c.provenance.at)
		if c.run != inCall {
			c.endPart(true)
		}
	case c.run != noRun:
		c.text.WriteString(*p.Text)
	}
}

// endPart completes the last part.
func (c *candidateMerger) endPart(complete bool) {
	if c.call != nil {
		c.parts[len(c.parts)-1] = *c.call.finish(complete)
		c.call = nil
	}
	if c.text.Len() > 0 {
		text := c.text.String()
		c.parts[len(c.parts)-1].Text = &text
		c.text.Reset()
	}
}

func (m *merger) response() *geminiapi.GenerateContentResponse {
	out := m.wire
	for _, c := range m.candidates.Values() {
		c.endPart(c.call.mayEnd() && endsCall(deref(c.wire.FinishReason)))
		wire := c.wire
		if wire.Content != nil {
			wire.Content.Parts = c.parts
		}
		out.Candidates = append(out.Candidates, wire)
	}
	return &out
}

// streamedCall is a function call that comes in pieces.
type streamedCall struct {
	begun      bool
	part       geminiapi.Part // all but the call
	call       geminiapi.FunctionCall
	args       argumentWriter
	provenance provenance
}

func newStreamedCall(log *reportLog) *streamedCall {
	return &streamedCall{provenance: provenance{log: log}}
}

// isStreamed reports whether a function call comes in pieces.
func isStreamed(p *geminiapi.Part) bool {
	call := p.FunctionCall
	return call != nil && (deref(call.WillContinue) || len(call.PartialArgs) > 0)
}

// mayEnd reports whether a call may be complete although its last piece said that it continues: not in
// the middle of a string.
func (c *streamedCall) mayEnd() bool { return c == nil || c.args.openText == nil }

// endsCall reports whether a call that does not say that it is complete is so when its candidate
// ends: Vertex AI has been seen to leave out the last piece, which says nothing but that.
func endsCall(reason geminiapi.FinishReason) bool { return MapFinishReason(reason) == FinishStop }

// add adds a piece. The first one has the call's name and id.
func (c *streamedCall) add(p *geminiapi.Part, at Location) {
	call := p.FunctionCall
	c.provenance.at = at
	switch {
	case !c.begun:
		c.begun, c.call.Name, c.call.ID = true, call.Name, call.ID
	case call.ID != nil:
		c.provenance.report("/functionCall/id", detailFirstID)
	}
	if call.PartialArgs != nil {
		c.provenance.report("/functionCall/partialArgs", detailPieces)
	}
	if call.WillContinue != nil {
		c.provenance.report("/functionCall/willContinue", detailPieces)
	}
	mergePart(&c.provenance, &c.part, p)
	mergeUnknown(&c.provenance, "/functionCall", &c.call.Unknown, call.Unknown)
	c.args.addObject(call.Args)
	for i := range call.PartialArgs {
		c.args.addPartial(&call.PartialArgs[i])
	}
}

// finish returns the call in one piece.
func (c *streamedCall) finish(complete bool) *geminiapi.Part {
	c.args.finish()
	c.call.Args, c.call.PartialArgs = c.args.text, c.args.aside
	if c.args.broken != nil {
		c.call.Args = c.args.broken
	}
	if !complete {
		c.call.WillContinue = new(true)
	}
	c.part.FunctionCall = &c.call
	return &c.part
}
