// Package merge joins the chunks of a stream to one response. It also reports everything in the
// chunks that the response does not contain.
//
// [Chunks] joins chunks that have all arrived. A stream of events does not keep the content, but
// uses the same rules: [Joiner] decides which parts belong together, [Candidate] and [Response]
// merge the metadata, and [Call] joins a function call.
package merge

import (
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
)

// Chunks joins the chunks of a stream to one response. It stops at a chunk for which isError
// returns true, which is an error envelope. It ignores nil chunks.
func Chunks(isError func(*geminiapi.GenerateContentResponse) bool,
	chunks ...*geminiapi.GenerateContentResponse) Merged {
	m := &merger{isError: isError}
	for i, chunk := range chunks {
		if chunk != nil && !m.add(chunk, InChunk(i)) {
			break
		}
	}
	return Merged{Response: m.response(), Report: m.Log.Report(ForEvents), merger: m}
}

// merger is the state of [Chunks].
type merger struct {
	Response
	isError    func(*geminiapi.GenerateContentResponse) bool
	candidates jsonx.IndexedList[candidateMerger]
}

type candidateMerger struct {
	TracedCandidate
	Joiner
	parts       []geminiapi.Part
	first       [1]geminiapi.Part // what parts points to as long as it is enough
	partSources []partSource      // of the parts
	firstSource [1]partSource     // what partSources points to as long as it is enough
	locations   Locations         // of the candidate

	text strings.Builder // of the last part, if it is part of a run of text
	call *Call           // the last part, if it is a call that continues
}

// add returns false for an error envelope.
func (m *merger) add(chunk *geminiapi.GenerateContentResponse, at Location) bool {
	if m.isError(chunk) {
		m.Wire.Unknown = jsonx.MergeObjects(m.Wire.Unknown, chunk.Unknown)
		return false
	}
	m.Add(chunk, at)
	m.AddIdentity(chunk, at)
	m.AddUsage(chunk.UsageMetadata, at)
	for i, index := range CandidateIndexes(chunk.Candidates) {
		m.candidates.At(index).add(&chunk.Candidates[i], &m.Log, at.InCandidate(i))
		m.AddIndex(&chunk.Candidates[i], index, at.InCandidate(i))
	}
	return true
}

func (c *candidateMerger) add(wire *geminiapi.Candidate, log *Log, at Location) {
	c.locations.Add(at)
	c.Add(wire, log, at)
	if wire.Content != nil {
		for i := range wire.Content.Parts {
			c.part(&wire.Content.Parts[i], log, at.InPart(i))
		}
	}
}

func (c *candidateMerger) part(p *geminiapi.Part, log *Log, at Location) {
	switch c.Join(p) {
	case LeaveOut:
		c.LeaveOut(p, log, at)
		return
	case BeginPart:
		c.endPart(c.call.MayEnd())
		if c.parts == nil {
			c.parts, c.partSources = c.first[:0], c.firstSource[:0]
		}
		if IsStreamed(p) {
			c.call = &Call{}
		}
		c.parts = append(c.parts, *p)
		c.partSources = append(c.partSources, partSource{call: c.call})
	}
	c.partSources[len(c.partSources)-1].Add(at)
	switch {
	case c.call != nil:
		c.call.Add(p, log, at)
		if c.Run != InCall {
			c.endPart(true)
		}
	case c.Run != NoRun:
		// doubles the room where it must, which WriteString does only at first
		c.text.Grow(len(*p.Text))
		c.text.WriteString(*p.Text)
	}
}

// endPart completes the last part.
func (c *candidateMerger) endPart(complete bool) {
	if c.call != nil {
		c.parts[len(c.parts)-1] = *c.call.Finish(complete)
		c.call = nil
	}
	if c.text.Len() > 0 {
		text := c.text.String()
		c.parts[len(c.parts)-1].Text = &text
		c.text.Reset()
	}
}

func (m *merger) response() *geminiapi.GenerateContentResponse {
	out := &m.Wire
	for index, c := range m.candidates.All() {
		c.endPart(c.call.MayEnd() && EndsCall(jsonx.Deref(c.Wire.FinishReason)))
		wire := c.Wire
		if wire.Content != nil {
			wire.Content.Parts = c.parts
		}
		if IsIndexMoved(&wire, index) {
			wire.Index = &index
		}
		out.Candidates = append(out.Candidates, wire)
	}
	return out
}
