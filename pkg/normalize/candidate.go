package normalize

import (
	"github.com/gemwire/gemwire/gen/geminiapi"
	"github.com/gemwire/gemwire/internal/merge"
	"github.com/gemwire/gemwire/internal/optional"
	"github.com/gemwire/gemwire/internal/rawobject"
	"github.com/go-json-experiment/json/jsontext"
)

// normalizer holds what the steps of normalising one response share.
type normalizer struct {
	options
	out *Response
}

// candidates normalises the candidates into n.out; after an error those before the faulty one are
// there.
func (n *normalizer) candidates(list []geminiapi.Candidate) error {
	if len(list) == 0 {
		return nil
	}
	out := make([]Candidate, len(list))
	var numbers callNumbers
	for i, index := range merge.CandidateIndexes(list) {
		out[i].Index = index
		at := partPosition{candidate: i, index: index}
		if len(list) > 1 {
			at.index = numbers.take(index)
		}
		if err := n.candidate(&out[i], &list[i], at); err != nil {
			n.out.Candidates = out[:i]
			return err
		}
	}
	n.out.Candidates = out
	return nil
}

// callNumbers keeps apart the calls of candidates that have one index, of which ids are made.
type callNumbers struct {
	taken map[int]bool
	next  int
}

// take returns the index if no other candidate has it, else the lowest number that none has.
func (c *callNumbers) take(index int) int {
	if c.taken == nil {
		c.taken = map[int]bool{}
	}
	for c.taken[index] {
		index = c.next
		c.next++
	}
	c.taken[index] = true
	return index
}

func (n *normalizer) candidate(out *Candidate, c *geminiapi.Candidate, at partPosition) error {
	if c.Content != nil {
		var err error
		out.Blocks, err = n.blocks(c.Content.Parts, at)
		if err != nil {
			return err
		}
	}
	out.describe(c)
	return nil
}

// describe adds to the blocks of a candidate all that the wire has besides its parts.
func (c *Candidate) describe(wire *geminiapi.Candidate) {
	if wire.Content != nil {
		c.Role = optional.Value(wire.Content.Role)
	}
	c.NativeFinishReason = optional.Value(wire.FinishReason)
	c.FinishReason = finishWithTools(MapFinishReason(c.NativeFinishReason), c.hasToolCall())
	c.FinishMessage = optional.Value(wire.FinishMessage)
	c.SafetyRatings = wire.SafetyRatings
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

// WireMetadata returns all that the candidate has besides its blocks, in the form of the wire: the inverse of
// what [FromResponse] does with it. The result may hold pointers into c.
func (c *Candidate) WireMetadata() *geminiapi.Candidate {
	out := optional.Value(c.Extra)
	content := optional.Value(out.Content)
	if content.Role = optional.Text(c.Role); !content.IsEmpty() {
		out.Content = new(content)
	}
	out.FinishReason, out.FinishMessage = optional.Text(c.NativeFinishReason), optional.Text(c.FinishMessage)
	out.SafetyRatings = c.SafetyRatings
	if c.Grounding != nil {
		out.GroundingMetadata = c.Grounding.Wire
	}
	if c.Logprobs != nil {
		out.AvgLogprobs, out.LogprobsResult = c.Logprobs.Average, c.Logprobs.Wire
	}
	pages := optional.Value(out.URLContextMetadata)
	if pages.URLMetadata = c.URLContext; !pages.IsEmpty() {
		out.URLContextMetadata = new(pages)
	}
	return &out
}

// candidateExtra keeps what [Candidate] has no member for.
func candidateExtra(c *geminiapi.Candidate) *geminiapi.Candidate {
	rest := *c
	rest.FinishReason, rest.FinishMessage = nil, nil
	rest.AvgLogprobs, rest.LogprobsResult = nil, nil
	rest.SafetyRatings, rest.GroundingMetadata = nil, nil
	rest.Content, rest.URLContextMetadata = contentRest(c.Content), urlContextRest(c.URLContextMetadata)
	if optional.Value(rest.Index) >= 0 {
		rest.Index = nil
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

// responseExtra keeps what [Response] has no member for.
func responseExtra(r *geminiapi.GenerateContentResponse) *geminiapi.GenerateContentResponse {
	if r.ModelStatus == nil && len(r.Unknown) == 0 {
		return nil
	}
	return &geminiapi.GenerateContentResponse{ModelStatus: r.ModelStatus, Unknown: r.Unknown}
}

// rootSignature finds a thought signature outside the parts, where no description has it and some
// models were seen to put it: at the root, else in the first candidate.
func rootSignature(r *geminiapi.GenerateContentResponse) string {
	signature := textOf(rawobject.Member(r.Unknown, "thoughtSignature"))
	if signature == "" && len(r.Candidates) > 0 {
		signature = textOf(rawobject.Member(r.Candidates[0].Unknown, "thoughtSignature"))
	}
	return signature
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
