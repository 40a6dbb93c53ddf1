package normalize

import "slices"

// holds reports whether the response fulfils every rule. It only spares valid responses the cost of
// validator, which is a hundred times as high: the tags have the say, and a test proves for each
// of them that nothing that breaks it gets past here.
func (r *Response) holds() bool {
	u := &r.Usage
	if min(u.InputTokens, u.OutputTokens, u.ThinkingTokens, u.CachedTokens, u.ToolUseTokens, u.TotalTokens) < 0 {
		return false
	}
	for i := range r.Candidates {
		if !r.Candidates[i].holds() {
			return false
		}
	}
	return true
}

func (c *Candidate) holds() bool {
	if c.Index < 0 || !c.FinishReason.known() || checkCandidate(c) != nil {
		return false
	}
	for i := range c.Blocks {
		if !c.Blocks[i].holds() {
			return false
		}
	}
	for i := range c.Citations {
		if !c.Citations[i].holds() {
			return false
		}
	}
	return c.Grounding == nil || c.Grounding.holds()
}

func (b *Block) holds() bool {
	if b.Part < 0 || !b.Type.known() || checkBlock(b) != nil {
		return false
	}
	call := b.ToolCall
	return call == nil || call.ID != "" && call.Name != "" && call.Arguments != nil && checkToolCall(call) == nil
}

func (g *Grounding) holds() bool {
	for i := range g.Sources {
		if !g.Sources[i].Kind.known() {
			return false
		}
	}
	for i := range g.Supports {
		if s := &g.Supports[i]; !s.holds() || slices.ContainsFunc(s.Sources, negative) {
			return false
		}
	}
	return checkGrounding(g) == nil
}

func (s *Span) holds() bool { return 0 <= s.Start && s.Start <= s.End }

func negative(n int) bool { return n < 0 }

func (r FinishReason) known() bool {
	switch r {
	case FinishStop, FinishLength, FinishToolUse, FinishContentFilter, FinishError, FinishUnknown:
		return true
	default:
		return false
	}
}

func (k SourceKind) known() bool {
	switch k {
	case SourceWeb, SourceImage, SourceRetrieved, SourceMaps, SourceUnknown:
		return true
	default:
		return false
	}
}

// known reports whether the tables have the type.
func (t BlockType) known() bool {
	for _, table := range [][]blockMember{blockMembers, blockNeeds} {
		for i := range table {
			if table[i].belongsTo(t) {
				return true
			}
		}
	}
	return false
}
