package openai

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/gen/openaiapi"
	"github.com/gemwire/gemwire/internal/distinct"
	"github.com/gemwire/gemwire/internal/indexed"
	"github.com/gemwire/gemwire/internal/told"
	"github.com/gemwire/gemwire/pkg/normalize"
	"github.com/gemwire/gemwire/pkg/transform"
)

// streamNotes are what the report of a stream of chunks is made of. They look at the chunks and not
// at the events, as events do not tell where something stood, nor what became of everything that a
// later chunk replaced.
type streamNotes struct {
	chunks     int // seen so far
	entries    []chunkEntry
	losses     int // among entries
	identity   [len(identityMembers)]toldIdentity
	usage      usageNotes
	feedback   int // the last chunk that had one on the prompt
	told       told.Last
	candidates indexed.List[candidateNotes]
}

// chunkEntry is an entry of the report without the chunk's position in its pointer.
type chunkEntry struct {
	chunk int
	transform.Entry
}

// candidateNotes are those about one candidate.
type candidateNotes struct {
	last    place    // where the candidate stood last
	content place    // where it had content last
	role    toldText // the last one
	reason  toldText
	heard   sounds
	joined  bool // it is reported that texts were joined

	grounding []chunkRecord[geminiapi.GroundingMetadata]
	sources   distinct.List[geminiapi.GroundingChunk] // of all chunks so far
	read      []normalize.Source                      // what normalising makes of these
	citations []chunkRecord[geminiapi.CitationMetadata]
	told      told.Last
	call      told.Last // of the call that comes in pieces
}

// place is where a candidate stands in the stream.
type place struct{ chunk, candidate int }

// toldText is a text with the place that told it.
type toldText struct {
	text string
	at   place
}

// toldIdentity is what the first chunk that had one of the members of the identity told.
type toldIdentity struct {
	text  string
	chunk int
}

// chunkRecord is a record with the place of its candidate.
type chunkRecord[T any] struct {
	at   place
	wire *T
}

// identityMembers tell which response this is; what the first chunk says counts.
var identityMembers = [...]struct {
	pointer string
	of      func(*geminiapi.GenerateContentResponse) *string
}{
	{"/responseId", func(r *geminiapi.GenerateContentResponse) *string { return r.ResponseID }},
	{"/modelVersion", func(r *geminiapi.GenerateContentResponse) *string { return r.ModelVersion }},
	{"/createTime", func(r *geminiapi.GenerateContentResponse) *string { return r.CreateTime }},
}

// chunk takes notes of the next chunk, which the events were made of.
func (n *streamNotes) chunk(c *geminiapi.GenerateContentResponse, events []normalize.Event, o options) {
	at := n.chunks
	n.chunks++
	if c == nil {
		return
	}
	n.identify(at, c)
	n.usage.chunk(at, c.UsageMetadata)
	var positions indexed.Positions
	for i := range c.Candidates {
		wire := &c.Candidates[i]
		n.candidate(n.candidates.At(positions.Of(wire.Index)), place{at, i}, wire)
	}
	if c.PromptFeedback != nil {
		n.feedback = at
	}
	if !isPlainText(c, events, o) {
		n.describe(at, c, o)
	}
}

func (n *streamNotes) identify(at int, c *geminiapi.GenerateContentResponse) {
	for i := range identityMembers {
		text, known := deref(identityMembers[i].of(c)), &n.identity[i]
		switch {
		case text == "":
		case known.text == "":
			*known = toldIdentity{text, at}
		case known.text != text:
			n.add(at, transform.Approximated, identityMembers[i].pointer, told.DetailNotFirst)
		}
	}
}

// candidate notes what every chunk may tell of a candidate.
func (n *streamNotes) candidate(c *candidateNotes, at place, wire *geminiapi.Candidate) {
	c.last = at
	if wire.Content != nil {
		n.replaceText(&c.role, toldText{deref(wire.Content.Role), at}, "/content/role")
		if len(wire.Content.Parts) > 0 {
			c.content = at
		}
	}
	if reason := string(deref(wire.FinishReason)); c.reason.text != "" && reason == string(geminiapi.FinishReasonUnspecified) && reason != c.reason.text {
		n.add(at.chunk, transform.Approximated, pointer(at.candidate, "/finishReason"), told.DetailNotFirst)
	} else {
		n.replaceText(&c.reason, toldText{reason, at}, "/finishReason")
	}
}

// replaceText notes a text of which the last one counts.
func (n *streamNotes) replaceText(known *toldText, later toldText, member string) {
	if later.text == "" {
		return
	}
	if known.text != "" && known.text != later.text {
		n.add(known.at.chunk, transform.Approximated, pointer(known.at.candidate, member), told.DetailReplaced)
	}
	*known = later
}

// endCandidate notes what only the whole candidate tells: whether the finish reason was understood,
// which annotations stand elsewhere, and whether texts were joined across chunks.
func (n *streamNotes) endCandidate(candidate *normalize.Candidate, a *annotations, homes []openaiapi.PartHome, o options) {
	notes := n.candidates.Find(candidate.Index)
	if notes == nil { // the stream is one of events
		return
	}
	ended := notes.last
	if notes.reason.text != "" {
		ended = notes.reason.at
	}
	reason := converter{options: o}
	reason.finishReason(candidate, ended.candidate)
	n.take(ended.chunk, reason.report)
	n.moved(notes, a)
	if o.plain && !notes.joined && isJoined(homes) {
		n.add(notes.content.chunk, transform.Approximated, pointer(notes.content.candidate, "/content/parts"), detailJoined)
	}
}

// moved notes the annotations whose positions are other than the wire's, at each place that told
// them.
func (n *streamNotes) moved(notes *candidateNotes, a *annotations) {
	if len(a.moved) > 0 {
		segments := notes.segments()
		for _, i := range a.moved {
			n.addMoved(segments, a.candidate.Grounding.Wire.GroundingSupports[i].Segment)
		}
	}
	if len(a.movedCitations) > 0 {
		cited := notes.cited()
		for _, i := range a.movedCitations {
			n.addMoved(cited, citationOf(citationMetadata(a.candidate), i))
		}
	}
}

// addMoved notes all places of a record at once, as they are the same for all that are equal.
func (n *streamNotes) addMoved(places map[string][]told.Place, record any) {
	key := string(encoded(record))
	for _, at := range places[key] {
		n.add(at.Chunk, transform.Approximated, at.Pointer, detailMoved)
	}
	delete(places, key)
}

// segments returns where the segments of supports stood, by their JSON.
func (c *candidateNotes) segments() map[string][]told.Place {
	out := map[string][]told.Place{}
	for _, record := range c.grounding {
		for j := range record.wire.GroundingSupports {
			segment := string(encoded(record.wire.GroundingSupports[j].Segment))
			out[segment] = append(out[segment], told.Place{Chunk: record.at.chunk, Pointer: pointer(record.at.candidate, segmentPointer(j))})
		}
	}
	return out
}

// cited returns the same of citations.
func (c *candidateNotes) cited() map[string][]told.Place {
	out := map[string][]told.Place{}
	for _, record := range c.citations {
		for j := range len(record.wire.CitationSources) + len(record.wire.Citations) {
			cited := string(encoded(citationOf(record.wire, j)))
			out[cited] = append(out[cited], told.Place{Chunk: record.at.chunk, Pointer: pointer(record.at.candidate, citationPointer(record.wire, j))})
		}
	}
	return out
}

// endResponse takes over what the whole response's converter has reported of it.
func (n *streamNotes) endResponse(c *converter) {
	hideUsage := c.plain && !c.includeUsage
	for _, e := range c.report {
		if isUsage(e.Pointer) {
			if !hideUsage {
				n.add(n.usage.of(e.Pointer, n.chunks), e.Kind, e.Pointer, e.Detail)
			}
			continue
		}
		for i := range identityMembers {
			if e.Pointer == identityMembers[i].pointer {
				n.add(n.identity[i].chunk, e.Kind, e.Pointer, e.Detail)
			}
		}
	}
	if hideUsage {
		for _, u := range n.usage.told {
			n.add(u.chunk, transform.Lost, usagePointer, detailNoUsage)
		}
	}
}

// refusedWithoutCandidates notes that a choice was made to tell the refusal.
func (n *streamNotes) refusedWithoutCandidates() {
	n.add(n.feedback, transform.Added, "/candidates", detailRefusal)
}

func (n *streamNotes) add(chunk int, kind transform.Kind, pointer, detail string) {
	if kind == transform.Lost {
		n.losses++
	}
	n.entries = append(n.entries, chunkEntry{chunk, transform.Entry{Pointer: pointer, Kind: kind, Detail: detail}})
}

// take takes over a report about one chunk.
func (n *streamNotes) take(chunk int, report transform.Report) {
	for _, e := range report {
		n.add(chunk, e.Kind, e.Pointer, e.Detail)
	}
}

// report returns the report in the order of the chunks.
func (n *streamNotes) report() transform.Report {
	slices.SortStableFunc(n.entries, func(a, b chunkEntry) int { return cmp.Compare(a.chunk, b.chunk) })
	replaced := n.usage.replaced
	slices.Sort(replaced)
	var out streamReport
	out.grow(len(n.entries) + len(replaced))
	for _, e := range n.entries {
		for ; len(replaced) > 0 && replaced[0] < e.chunk; replaced = replaced[1:] {
			out.add(replaced[0], transform.Approximated, usagePointer, told.DetailReplaced)
		}
		out.add(e.chunk, e.Kind, e.Pointer, e.Detail)
	}
	for _, chunk := range replaced {
		out.add(chunk, transform.Approximated, usagePointer, told.DetailReplaced)
	}
	return out.report
}

// streamReport is a report under construction, whose pointers are pieces of one text, as a long stream
// has an entry or more for nearly every chunk.
type streamReport struct {
	report   transform.Report
	pointers strings.Builder
}

// grow makes room for some entries.
func (r *streamReport) grow(entries int) {
	r.report = make(transform.Report, 0, entries)
	r.pointers.Grow(entries * len("/100/candidates/0"))
}

func (r *streamReport) add(chunk int, kind transform.Kind, pointer, detail string) {
	start := r.pointers.Len()
	var digits [20]byte
	r.pointers.WriteByte('/')
	r.pointers.Write(strconv.AppendInt(digits[:0], int64(chunk), 10))
	r.pointers.WriteString(pointer)
	r.report.Add(kind, r.pointers.String()[start:], detail)
}
