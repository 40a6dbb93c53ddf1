package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/distinct"
	"github.com/gemwire/gemwire/internal/indexed"
	"github.com/gemwire/gemwire/internal/told"
	"github.com/gemwire/gemwire/pkg/transform"
)

// mergeReport lists what chunks say and the response that was merged of them does not: of members
// that have one value in a response, such as the finish reason, each chunk may tell another one.
func mergeReport(chunks []*geminiapi.GenerateContentResponse, merged *geminiapi.GenerateContentResponse) transform.Report {
	n := newMergeNotes(merged)
	for i, chunk := range chunks {
		n.chunk(i, chunk)
	}
	return n.report()
}

// mergeNotes are what the report of a merged response is made of.
type mergeNotes struct {
	chunkReport
	response   object
	usage      *geminiapi.UsageMetadata
	candidates indexed.List[mergedCandidate]
	calls      callNotes
}

type mergedCandidate struct {
	says    object
	sources distinct.List[geminiapi.GroundingChunk] // of the chunks so far
}

func newMergeNotes(merged *geminiapi.GenerateContentResponse) *mergeNotes {
	n := &mergeNotes{response: toldOnce(merged), usage: merged.UsageMetadata}
	var positions indexed.Positions
	for i := range merged.Candidates {
		c := &merged.Candidates[i]
		n.candidates.At(positions.Of(c.Index)).says = candidateToldOnce(c)
	}
	return n
}

func (n *mergeNotes) chunk(at int, chunk *geminiapi.GenerateContentResponse) {
	n.replaced(at, "", toldOnce(chunk), n.response)
	if !within(chunk.UsageMetadata, n.usage) {
		n.add(at, transform.Approximated, "/usageMetadata", told.DetailReplaced)
	}
	var positions indexed.Positions
	for i := range chunk.Candidates {
		wire, place := &chunk.Candidates[i], fmt.Sprintf("/candidates/%d", i)
		index := positions.Of(wire.Index)
		c := n.candidates.At(index)
		n.replaced(at, place, candidateToldOnce(wire), c.says)
		n.calls.candidate(&n.chunkReport, index, told.Place{Chunk: at, Pointer: place}, wire)
		if g := wire.GroundingMetadata; g != nil {
			n.moved(at, place, g, c.sources.Add(g.GroundingChunks))
		}
	}
}

// object holds the members of a record as JSON, by their places in it.
type object map[string]string

func objectOf(record any) object {
	out := object{}
	for place, value := range told.Members(record) {
		out[place] = value
	}
	return out
}

// toldOnce returns what a response says of itself that each chunk may say in another way, but for the
// usage.
func toldOnce(r *geminiapi.GenerateContentResponse) object {
	return objectOf(&geminiapi.GenerateContentResponse{
		ResponseID: ifSet(r.ResponseID), ModelVersion: ifSet(r.ModelVersion), CreateTime: ifSet(r.CreateTime),
		PromptFeedback: r.PromptFeedback, ModelStatus: r.ModelStatus, Unknown: r.Unknown,
	})
}

// candidateToldOnce returns the same of a candidate, but for what the pieces of a call say.
func candidateToldOnce(c *geminiapi.Candidate) object {
	once := told.Candidate(c)
	once.FinishReason = c.FinishReason
	if c.Content != nil {
		once.Content.Role = ifSet(c.Content.Role)
	}
	return objectOf(once)
}

// ifSet returns nil for an empty text, which replaces nothing.
func ifSet(text *string) *string {
	if !isSet(text) {
		return nil
	}
	return text
}

// within reports whether everything that a usage tells is in a later one.
func within(usage, later *geminiapi.UsageMetadata) bool {
	if usage == nil || usage == later {
		return true
	}
	in := objectOf(later)
	for place, value := range told.Members(usage) {
		if in[place] != value {
			return false
		}
	}
	return true
}

// callNotes tell what a later piece of a function call replaces, by the index of the candidate.
type callNotes struct {
	keepsSignatures bool // the output has those of all pieces
	candidates      indexed.List[callPieces]
}

// callPieces are those of a candidate's last call.
type callPieces struct {
	last told.Last
}

// candidate reports what the pieces in a chunk's candidate replace, and what of them is told in another
// form.
func (n *callNotes) candidate(report *chunkReport, index int, at told.Place, wire *geminiapi.Candidate) {
	if wire.Content == nil {
		return
	}
	for i := range wire.Content.Parts {
		p := &wire.Content.Parts[i]
		if !told.IsPiece(*p) {
			continue
		}
		piece := *p
		if n.keepsSignatures {
			piece.ThoughtSignature = nil
		}
		part := told.Place{Chunk: at.Chunk, Pointer: fmt.Sprintf("%s/content/parts/%d", at.Pointer, i)}
		n.candidates.At(index).add(report, part, &piece)
	}
}

func (c *callPieces) add(report *chunkReport, at told.Place, p *geminiapi.Part) {
	if told.BeginsCall(*p) {
		*c = callPieces{}
	}
	for member, detail := range told.Reshaped(*p) {
		report.add(at.Chunk, transform.Approximated, at.Pointer+"/functionCall"+member, detail)
	}
	rest := *p
	rest.FunctionCall, rest.ThoughtSignature = &geminiapi.FunctionCall{Unknown: p.FunctionCall.Unknown}, ifSet(p.ThoughtSignature)
	c.last.Tell(at, &rest, func(before told.Place) {
		report.add(before.Chunk, transform.Approximated, before.Pointer, told.DetailReplaced)
	})
}

// chunkReport is a report of a stream of chunks. What becomes of a chunk may be known only when later
// ones have come.
type chunkReport struct{ entries []chunkEntry }

// chunkEntry is an entry with a pointer into its chunk.
type chunkEntry struct {
	chunk int
	transform.Entry
}

func (r *chunkReport) add(chunk int, kind transform.Kind, pointer, detail string) {
	r.entries = append(r.entries, chunkEntry{chunk, transform.Entry{Pointer: pointer, Kind: kind, Detail: detail}})
}

// replaced adds what a chunk says and the response, or the candidate that stands at a place of the
// chunk, says in another way.
func (r *chunkReport) replaced(chunk int, at string, says, response object) {
	for _, place := range slices.Sorted(maps.Keys(says)) {
		if response[place] == says[place] {
			continue
		}
		detail := told.DetailReplaced
		switch {
		case at == "" && slices.Contains(firstCounts, place):
			detail = told.DetailNotFirst
		case place == "/finishReason" && says[place] == quotedUnspecified:
			detail = detailUnspecified
		}
		r.add(chunk, transform.Approximated, at+place, detail)
	}
}

// A finish reason that says nothing does not replace an earlier one.
const (
	detailUnspecified = "it says nothing, and another chunk has a reason, which is told"
	quotedUnspecified = `"` + string(geminiapi.FinishReasonUnspecified) + `"`
)

// moved adds the supports of a candidate's grounding that count its own sources, where these have other
// positions among those of all chunks.
func (r *chunkReport) moved(chunk int, at string, g *geminiapi.GroundingMetadata, positions []int) {
	for place := range told.Moved(g, positions) {
		r.add(chunk, transform.Approximated, at+place, told.DetailAllSources)
	}
}

// firstCounts are the members that tell which response this is.
var firstCounts = []string{"/responseId", "/modelVersion", "/createTime"}

// report returns the entries in the order of the chunks, with pointers into the list of all chunks.
func (r *chunkReport) report() transform.Report {
	slices.SortStableFunc(r.entries, func(a, b chunkEntry) int { return cmp.Compare(a.chunk, b.chunk) })
	var out transform.Report
	for _, e := range r.entries {
		out.Add(e.Kind, position(e.chunk)+e.Pointer, e.Detail)
	}
	return out
}
