package models

import "cmp"

// Limits are how many tokens a model takes and gives. 0 is for what is not known.
type Limits struct {
	// Input is the most tokens of a prompt.
	Input int
	// Output is the most tokens of the answer to one call, thoughts included.
	Output int
	// UnaryOutput is the most tokens of an answer that is not streamed, where that is less than
	// Output; otherwise 0.
	UnaryOutput int
	// ContinuedOutput is the most tokens of an answer that several calls continue, by
	// continuationToken. It is 0 for a model that continues none.
	ContinuedOutput int
	// SharedWindow is true when Input bounds the prompt, the thoughts and the answer together.
	SharedWindow bool
	// ImplicitCache is the length from which a common beginning is cached without being asked for.
	ImplicitCache int
}

// MaxOutputTokens returns the most tokens that generationConfig.maxOutputTokens may ask for, 0
// where that is not known. Vertex AI refuses more (github.com/stackblitz-labs/bolt.diy/issues/955).
func (l Limits) MaxOutputTokens() int { return max(l.Output, l.ContinuedOutput) }

// OutputOf returns the most tokens of the answer to one call, streamed or whole, 0 where that is
// not known.
func (l Limits) OutputOf(streamed bool) int {
	if !streamed && l.UnaryOutput > 0 {
		return l.UnaryOutput
	}
	return l.Output
}

// Or returns the limits with others in place of those that are not known.
func (l Limits) Or(others Limits) Limits {
	return Limits{
		Input:           cmp.Or(l.Input, others.Input),
		Output:          cmp.Or(l.Output, others.Output),
		UnaryOutput:     cmp.Or(l.UnaryOutput, others.UnaryOutput),
		ContinuedOutput: cmp.Or(l.ContinuedOutput, others.ContinuedOutput),
		SharedWindow:    l.SharedWindow || others.SharedWindow,
		ImplicitCache:   cmp.Or(l.ImplicitCache, others.ImplicitCache),
	}
}
