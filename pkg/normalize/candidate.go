package normalize

import (
	"cmp"
	"slices"

	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/jsonx"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/go-json-experiment/json/jsontext"
)

// normalizer holds the state that the steps of normalising one response share.
type normalizer struct {
	options
	out    *Response
	pieces *merge.Log // of the calls of a whole answer, nil where none came in pieces
}

// candidates normalises the candidates into n.out, ordered by their indexes.
func (n *normalizer) candidates(list []geminiapi.Candidate) error {
	if len(list) == 0 {
		return nil
	}
	out, inOrder := make([]Candidate, len(list)), true
	for i, index := range merge.CandidateIndexes(list) {
		out[i].Index = index
		if err := n.candidate(&out[i], &list[i],
			partPosition{candidate: i, index: index}); err != nil {
			return err
		}
		if merge.IsIndexMoved(&list[i], index) {
			n.out.MovedIndexes = append(n.out.MovedIndexes, i)
		}
		inOrder = inOrder && (i == 0 || out[i-1].Index < index)
	}
	if !inOrder {
		out, n.out.WireOrder = sortedByIndex(out)
	}
	n.out.Candidates = out
	return nil
}

// sortedByIndex returns the candidates ordered by their indexes, and their original positions.
func sortedByIndex(list []Candidate) (sorted []Candidate, positions []int) {
	positions = make([]int, len(list))
	for i := range positions {
		positions[i] = i
	}
	slices.SortFunc(positions,
		func(a, b int) int { return cmp.Compare(list[a].Index, list[b].Index) })
	sorted = make([]Candidate, len(list))
	for i, position := range positions {
		sorted[i] = list[position]
	}
	return sorted, positions
}

func (n *normalizer) candidate(out *Candidate, c *geminiapi.Candidate, at partPosition) error {
	if c.Content != nil {
		var err error
		out.Blocks, err = n.blocks(c, at)
		if err != nil {
			return err
		}
	}
	out.describe(c)
	return nil
}

// describe adds everything except the parts to a candidate: metadata, ratings, log probabilities.
func (c *Candidate) describe(wire *geminiapi.Candidate) {
	if wire.Content != nil {
		c.Role = jsonx.Deref(wire.Content.Role)
	}
	c.NativeFinishReason = jsonx.Deref(wire.FinishReason)
	c.FinishReason = finishWithTools(MapFinishReason(c.NativeFinishReason), c.hasToolCall())
	c.FinishMessage = jsonx.Deref(wire.FinishMessage)
	if len(wire.SafetyRatings) > 0 { // none says as much as an absent list
		c.SafetyRatings = wire.SafetyRatings
	}
	c.Logprobs = newLogprobs(wire)
	c.Extra = candidateExtra(wire)
	if wire.URLContextMetadata != nil {
		c.URLContext = wire.URLContextMetadata.URLMetadata
	}
	if wire.GroundingMetadata != nil || wire.CitationMetadata != nil {
		text := newTextIndex(c)
		c.Grounding = newGrounding(wire.GroundingMetadata, text)
		c.Citations = newCitations(wire.CitationMetadata, text)
	}
}

// WireMetadata returns everything that the candidate has besides its blocks, in the form of the
// wire. It is the inverse of [FromResponse]. The result may hold pointers into c.
func (c *Candidate) WireMetadata() *geminiapi.Candidate {
	out := jsonx.Deref(c.Extra)
	content := jsonx.Deref(out.Content)
	if content.Role = jsonx.NonEmpty(c.Role); !content.IsEmpty() {
		out.Content = new(content)
	}
	out.FinishReason, out.FinishMessage = jsonx.NonEmpty(c.NativeFinishReason),
		jsonx.NonEmpty(c.FinishMessage)
	out.SafetyRatings = c.SafetyRatings
	if c.Grounding != nil {
		out.GroundingMetadata = c.Grounding.Wire
	}
	if c.Logprobs != nil {
		out.AvgLogprobs, out.LogprobsResult = c.Logprobs.Average, c.Logprobs.Wire
	}
	pages := jsonx.Deref(out.URLContextMetadata)
	if pages.URLMetadata = c.URLContext; !pages.IsEmpty() {
		out.URLContextMetadata = new(pages)
	}
	return &out
}

// candidateExtra keeps the wire members that [Candidate] has no member for.
func candidateExtra(c *geminiapi.Candidate) *geminiapi.Candidate {
	rest := *c
	rest.FinishReason, rest.FinishMessage = nil, nil
	rest.AvgLogprobs, rest.LogprobsResult = nil, nil
	rest.SafetyRatings, rest.GroundingMetadata = nil, nil
	rest.Content, rest.URLContextMetadata = contentRest(c.Content),
		urlContextRest(c.URLContextMetadata)
	if jsonx.Deref(rest.Index) >= 0 {
		rest.Index = nil
	}
	if len(rest.GroundingAttributions) == 0 {
		rest.GroundingAttributions = nil
	}
	if rest.IsEmpty() {
		return nil
	}
	return new(rest)
}

func contentRest(c *geminiapi.Content) *geminiapi.Content {
	if c == nil || len(c.Unknown) == 0 {
		return nil
	}
	return &geminiapi.Content{Unknown: c.Unknown}
}

func urlContextRest(m *geminiapi.URLContextMetadata) *geminiapi.URLContextMetadata {
	if m == nil || len(m.Unknown) == 0 {
		return nil
	}
	return &geminiapi.URLContextMetadata{Unknown: m.Unknown}
}

// responseExtra keeps the wire members that [Response] has no member for.
func responseExtra(r *geminiapi.GenerateContentResponse) *geminiapi.GenerateContentResponse {
	if r.ModelStatus == nil && r.TurnToken == nil && len(r.Unknown) == 0 {
		return nil
	}
	return &geminiapi.GenerateContentResponse{ModelStatus: r.ModelStatus, TurnToken: r.TurnToken,
		Unknown: r.Unknown}
}

// rootSignature finds a thought signature outside the parts. No description has one there, but some
// models send it at the root or in the first candidate. The root has priority.
func rootSignature(r *geminiapi.GenerateContentResponse) string {
	signature := textOf(jsonx.Member(r.Unknown, "thoughtSignature"))
	if signature == "" && len(r.Candidates) > 0 {
		signature = textOf(jsonx.Member(firstCandidate(r.Candidates).Unknown, "thoughtSignature"))
	}
	return signature
}

// firstCandidate returns the candidate with the lowest index.
func firstCandidate(list []geminiapi.Candidate) *geminiapi.Candidate {
	first, lowest := 0, 0
	for i, index := range merge.CandidateIndexes(list) {
		if i == 0 || index < lowest {
			first, lowest = i, index
		}
	}
	return &list[first]
}

// textOf returns the text of a JSON string, "" for any other value.
func textOf(value jsontext.Value) string {
	if value.Kind() != jsontext.KindString {
		return ""
	}
	text, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return ""
	}
	return string(text)
}

// joinedPositions maps each block to the position of its part in the content that [MergeChunks]
// would produce. There, texts that belong together are one part, and empty parts are absent. The
// zero value is before the first block.
type joinedPositions struct {
	count int
	run   BlockType // of the text that the next one continues, "" for none
}

// take returns the position of the next block. It follows the rules of [merge.Joiner].
func (j *joinedPositions) take(b *Block) int {
	isRun := (b.Type == BlockText || b.Type == BlockThinking) && b.Signature == "" && b.Extra == nil
	switch {
	case isRun && b.Text == "", isRun && b.Type == j.run:
		return max(j.count-1, 0)
	case isRun:
		j.run = b.Type
	default:
		j.run = ""
	}
	j.count++
	return j.count - 1
}

// JoinedParts returns, for each Part of a candidate's blocks, the position of that part in the
// content that [MergeChunks] produces. There, texts that belong together are one part, and empty
// parts are absent. Ids are made from these positions, so that a stream gets the same ids.
func (c *Candidate) JoinedParts() map[int]int {
	var joined joinedPositions
	out := make(map[int]int, len(c.Blocks))
	for i := range c.Blocks {
		out[c.Blocks[i].Part] = joined.take(&c.Blocks[i])
	}
	return out
}
