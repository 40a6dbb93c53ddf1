package openai

import (
	"errors"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/indexed"
	"github.com/gemwire/gemwire/internal/told"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
)

// isPlainText reports whether a chunk adds text and counts, as nearly all do, and nothing about which
// there is more to say. That is decided by the events: what they do not tell is looked at here.
func isPlainText(c *geminiapi.GenerateContentResponse, events []normalize.Event, o options) bool {
	texts := 0
	for i := range events {
		switch e := &events[i]; {
		case e.Type == normalize.EventTextDelta && e.Extra == nil,
			e.Type == normalize.EventThinkingDelta && e.Extra == nil && !o.plain:
			texts++
		case e.Type == normalize.EventStart, e.Type == normalize.EventUsage:
		default:
			return false
		}
	}
	for i := range c.Candidates {
		candidate := &c.Candidates[i]
		if candidate.FinishMessage != nil {
			return false
		}
		if content := candidate.Content; content != nil {
			texts -= len(content.Parts)
			if content.Role != nil && *content.Role != modelRole {
				return false
			}
		}
	}
	return texts == 0 // else a part was left out
}

// describe notes what converting the chunk as a response of its own reports, but for what depends on
// the other chunks: the identity, the usage, why candidates ended and where annotations stand.
func (n *streamNotes) describe(at int, wire *geminiapi.GenerateContentResponse, o options) {
	view := *wire
	view.ResponseID, view.ModelVersion, view.CreateTime, view.UsageMetadata = nil, nil, nil, nil
	view.Candidates = slices.Clone(wire.Candidates)
	var positions indexed.Positions
	for i := range view.Candidates {
		candidate := &view.Candidates[i]
		n.wholeCalls(n.candidates.At(positions.Of(candidate.Index)), place{at, i}, candidate, o)
	}
	o.toolCallID = nil
	c := converter{options: o}
	in, err := normalize.FromResponse(&view, normalize.WithToolCallIDs(pendingID))
	if blocked, ok := errors.AsType[*normalize.BlockedError](err); ok {
		in, c.refused = blocked.Response, true
	}
	if in == nil { // the stream has failed for the same reason
		return
	}
	c.in = in
	for i := range in.Candidates {
		n.describeCandidate(&c, place{at, i}, &view.Candidates[i])
	}
	c.responseExtension()
	n.replace(&n.told, at, "", replaceable(wire, o))
	c.ignored()
	n.take(at, c.report)
}

func (n *streamNotes) describeCandidate(c *converter, at place, wire *geminiapi.Candidate) {
	candidate := &c.in.Candidates[at.candidate]
	notes := n.candidates.At(candidate.Index)
	notes.addSources(at, candidate.Grounding, &c.report)
	if wire.CitationMetadata != nil {
		notes.citations = append(notes.citations, chunkRecord[geminiapi.CitationMetadata]{at, wire.CitationMetadata})
	}
	homes := c.contentBehind(&openaiapi.ResponseMessage{}, candidate, at.candidate, &notes.heard)
	c.logprobs(candidate, at.candidate)
	if !c.plain {
		c.leftOut(candidate, at.candidate)
		n.replace(&notes.told, at.chunk, pointer(at.candidate, ""), told.Candidate(wire))
		return
	}
	sources := annotations{candidate: notes.withSources(candidate), at: at.candidate}
	if candidate.Grounding != nil {
		sources.own = candidate.Grounding.Sources
	}
	c.loseMessage(candidate, homes, &sources)
	notes.joined = notes.joined || isJoined(homes)
}

// leftOut reports the parts that say nothing and so have no place in the stream's content.
func (c *converter) leftOut(candidate *normalize.Candidate, at int) {
	for i := range candidate.Blocks {
		b := &candidate.Blocks[i]
		if b.Type == normalize.BlockThinking && b.Text == "" && b.Signature == "" && b.Extra == nil {
			c.report.Add(transform.Approximated, partPointer(at, b.Part, ""), "a part without content is left out")
		}
	}
}

// wholeCalls replaces, in a copy of a candidate's content, the pieces of calls by calls that say what
// else the pieces say, and notes what becomes of the pieces.
func (n *streamNotes) wholeCalls(notes *candidateNotes, at place, wire *geminiapi.Candidate, o options) {
	if wire.Content == nil || !slices.ContainsFunc(wire.Content.Parts, told.IsPiece) {
		return
	}
	content := *wire.Content
	content.Parts = slices.Clone(content.Parts)
	wire.Content = &content
	for i := range content.Parts {
		p := &content.Parts[i]
		if !told.IsPiece(*p) {
			continue
		}
		if told.BeginsCall(*p) {
			notes.call = told.Last{}
		}
		for member, detail := range told.Reshaped(*p) {
			n.add(at.chunk, transform.Approximated, partPointer(at.candidate, i, "/functionCall"+member), detail)
		}
		call := wholeCall(*p.FunctionCall)
		p.FunctionCall = &call
		if !o.plain {
			rest := *p
			rest.FunctionCall = &geminiapi.FunctionCall{Unknown: call.Unknown}
			n.replace(&notes.call, at.chunk, partPointer(at.candidate, i, ""), &rest)
		}
	}
}

// wholeCall returns a call with what else a piece of one says.
func wholeCall(piece geminiapi.FunctionCall) geminiapi.FunctionCall {
	if deref(piece.Name) == "" {
		piece.Name, piece.ID = new(pendingID("", 0, 0)), new(carrierMark) // its id is told and carries no more
	}
	piece.PartialArgs, piece.WillContinue = nil, nil
	return piece
}
